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

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01c_polls_for_one_wake.rs"]
mod tests;
