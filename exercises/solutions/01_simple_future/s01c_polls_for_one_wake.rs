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

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01c_polls_for_one_wake.rs"]
mod tests;
