use super::*;
use std::time::Duration;

#[test]
fn the_run_agrees_with_the_prediction() {
    let (Some(side), Some(after), Some(polls)) =
        (SIDE_BY_SIDE, ONE_AFTER_THE_OTHER, POLLS_OF_AND_THEN)
    else {
        panic!("Write down your prediction first: one of the three is still None.");
    };
    let (side_run, (after_run, polls_run)) = probe::within(Duration::from_secs(2), || {
        (side_by_side(), one_after_the_other())
    });
    compare("SIDE_BY_SIDE", side, &side_run);
    compare("ONE_AFTER_THE_OTHER", after, &after_run);
    assert!(
        polls == polls_run,
        "POLLS_OF_AND_THEN: you wrote {polls}, and the run loop counted a different number.\n\
         To see why, read `poll` in step02-join/src/and_then.rs: what else happens in the poll in which a becomes ready?"
    );
}

fn compare(name: &str, written: &[&str], run: &[String]) {
    let polls = ["a pending", "a ready", "b pending", "b ready"];
    if let Some(entry) = written.iter().find(|entry| !polls.contains(entry)) {
        panic!(
            "{name}: each entry should be like \"b pending\" or \"a ready\". One of yours is {entry:?}."
        );
    }
    let agree = written
        .iter()
        .zip(run)
        .take_while(|(written, run)| written == run)
        .count();
    assert!(
        written == run,
        "{name}: {}\nTo see why, put a println! into `poll` of ReadyAt, or read `poll` in step02-join/src/{}.",
        match agree {
            _ if agree == written.len() =>
                format!("all {agree} lines are right, and then the run goes on."),
            _ if agree == run.len() =>
                format!("the first {agree} lines are right, and then the run is over."),
            _ => format!(
                "your line {} is the first that does not agree with the run.",
                agree + 1
            ),
        },
        if name == "SIDE_BY_SIDE" {
            "join.rs"
        } else {
            "and_then.rs"
        }
    );
}
