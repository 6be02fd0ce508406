//! s01c, solved: a wake reaches every future that is not finished.

use std::io::{self, Write};
use step01_simple_future::{RunLoop, Socket, SocketRead};

/// Polls in the first round, before any data has arrived.
// Nothing happens before the first poll, so each future gets one.
const FIRST_ROUND: Option<usize> = Some(4);
/// Polls after data has arrived on the first socket, and before it arrives on the second.
// `wake` cannot say which socket has the data, so all four are polled, and three find nothing.
const AFTER_THE_FIRST_DATA: Option<usize> = Some(4);
/// Polls in the whole program.
// A finished future is not polled again: 4, and then 4 + 3 + 2 + 1.
const IN_ALL: Option<usize> = Some(14);

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
