//! s01c · predict · 10 minutes · chapter 01, "A future by hand"
//!
//! Four futures read from four sockets, all on one run loop. Data arrives on the first socket. When its future is
//! finished, data arrives on the second socket, and so on. Read `program`, and write down how many polls there will be
//! before you run it.
//!
//! Run: `cargo test --bin s01c_polls_for_one_wake`
//! Red: "Write down your prediction first", and then each number that differs from the run.

use std::io::{self, Write};
use step01_simple_future::{RunLoop, Socket, SocketRead};

// TODO: write `Some(number)` in place of each `None`.

/// Polls in the first round, before any data has arrived.
const FIRST_ROUND: Option<usize> = None;
/// Polls after data has arrived on the first socket, and before it arrives on the second.
const AFTER_THE_FIRST_DATA: Option<usize> = None;
/// Polls in the whole program.
const IN_ALL: Option<usize> = None;

/// Returns the number of polls in each round.
fn program() -> io::Result<Vec<usize>> {
    let mut pairs = Vec::new();
    for _ in 0..4 {
        pairs.push(Socket::pair()?);
    }
    let (sockets, peers): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let mut run_loop = RunLoop::new(sockets.iter().map(SocketRead::new));

    run_loop.poll_all();
    let mut rounds = vec![run_loop.polls()];
    for peer in &peers {
        let before = run_loop.polls();
        (&*peer).write_all(b"howdy!")?;
        run_loop.sleep();
        run_loop.poll_all();
        rounds.push(run_loop.polls() - before);
    }
    Ok(rounds)
}

fn main() {}

#[cfg(test)]
mod tests {
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
}
