//! # Stage 01: a simple future
//!
//! A program waits for data on a socket. It can check the socket every so often, or it can ask once and be notified. A
//! future is the second way, as a trait: you poll it once, and if the data is not there yet, it sees to it that you are
//! notified when it is worth polling again.
//!
//! ```
//! use step01_simple_future::{RunLoop, Socket, SocketRead};
//! use std::io::Write;
//!
//! let (socket, mut peer) = Socket::pair()?;
//! peer.write_all(b"howdy!")?;
//!
//! let outputs = RunLoop::new([SocketRead::new(&socket)]).run();
//! assert_eq!(outputs[0].as_ref().unwrap(), b"howdy!");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Read in this order:
//!
//! 1. `simple_future.rs`: [`SimpleFuture`] and [`Poll`], the trait and what its method returns.
//! 2. `second_poll.rs`: [`SecondPoll`], a future of fifteen lines.
//! 3. `checking.rs`: [`check_every`], the loop that checks and sleeps, which futures replace.
//! 4. `socket_read.rs`: [`SocketRead`], a future that reads from a socket.
//! 5. `socket.rs`: [`Socket`], which calls back when it has data, each time by way of `contain.rs`, because a callback may
//!    panic.
//! 6. `run_loop.rs`: [`RunLoop`] and [`wake`], the loop that polls, and how it sleeps in between.
//!
//! What this stage cannot do: combine two futures into one, and say *which* of a loop's futures a [`wake`] is for. The
//! demo counts what the second costs.
//!
//! After the document *Future and scheduling* (000), as far as its `SocketRead`.

mod checking;
mod contain;
mod run_loop;
mod second_poll;
mod simple_future;
mod socket;
mod socket_read;

pub use checking::check_every;
pub use run_loop::{RunLoop, wake};
pub use second_poll::SecondPoll;
pub use simple_future::{Poll, SimpleFuture};
pub use socket::Socket;
pub use socket_read::SocketRead;
