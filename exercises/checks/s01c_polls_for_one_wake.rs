use super::*;
use std::time::Duration;

#[test]
fn the_run_agrees_with_the_prediction() {
    let written = [FIRST_ROUND, AFTER_THE_FIRST_DATA, IN_ALL];
    assert!(
        written.iter().all(Option::is_some),
        "Write down your prediction first: one of the three numbers is still None.\n\
         Guess if you must. A wrong number that you wrote down teaches more than a right one that you looked up."
    );
    let rounds = probe::within(Duration::from_secs(2), || program().unwrap());
    assert!(
        rounds == [4, 4, 3, 2, 1],
        "`program` is not what it was: take your changes back. The three constants are all that there is to write."
    );
    let counted = [rounds[0], rounds[1], rounds.iter().sum()];
    let names = ["FIRST_ROUND", "AFTER_THE_FIRST_DATA", "IN_ALL"];
    let wrong: String = names
        .into_iter()
        .zip(written.into_iter().zip(counted))
        .filter(|(_, (written, counted))| *written != Some(*counted))
        .map(|(name, (written, _))| {
            let written = written.unwrap_or_default();
            let ask = match name {
                "IN_ALL" => "Which futures does it skip, and how many are left in each round?",
                _ => "Which futures does it poll? Could it know that one of them has no data?",
            };
            format!(
                "{name}: you wrote {written}, and the run counted a different number.\n  {ask}\n"
            )
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{wrong}To see why, read `poll_all` in step01-simple-future/src/run_loop.rs."
    );
}
