//! s02c, solved: what matters is when b is first polled.

use step02_join::{AndThen, Join, Poll, RunLoop, SimpleFuture, Trace, Traced};

/// Every poll of a and b under `Join::new(a, b)`.
// The first poll goes to both children and finishes b, so the second poll goes only to a.
const SIDE_BY_SIDE: Option<&[&str]> = Some(&["a pending", "b ready", "a ready"]);
/// Every poll of a and b under `AndThen::new(a, b)`.
// b could have been ready at once, but it is not polled before a is finished.
const ONE_AFTER_THE_OTHER: Option<&[&str]> = Some(&["a pending", "a ready", "b ready"]);
/// How many times the run loop polls the `AndThen` itself.
// The poll that finishes a goes on to b: three polls of the children in two of the AndThen.
const POLLS_OF_AND_THEN: Option<usize> = Some(2);

/// Ready at its poll with this number. In each poll before that, it calls `wake` itself.
struct ReadyAt(u32);

impl SimpleFuture for ReadyAt {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        self.0 -= 1;
        if self.0 == 0 {
            return Poll::Ready(());
        }
        wake();
        Poll::Pending
    }
}

fn side_by_side() -> Vec<String> {
    let trace = Trace::start();
    let a = Traced::new("a", ReadyAt(2), &trace);
    let b = Traced::new("b", ReadyAt(1), &trace);
    RunLoop::new([Join::new(a, b)]).run();
    trace.order()
}

fn one_after_the_other() -> (Vec<String>, usize) {
    let trace = Trace::start();
    let a = Traced::new("a", ReadyAt(2), &trace);
    let b = Traced::new("b", ReadyAt(1), &trace);
    let mut run_loop = RunLoop::new([AndThen::new(a, b)]);
    run_loop.run();
    (trace.order(), run_loop.polls())
}

fn main() {}

#[cfg(test)]
mod tests {
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
}
