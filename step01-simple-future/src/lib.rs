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
//! Any type can be a future if it has a `poll` that returns the value, or promises to call `wake` later. This one is
//! ready at its second poll:
//!
//! ```
//! use step01_simple_future::{Poll, RunLoop, SimpleFuture};
//!
//! struct Second(bool);
//!
//! impl SimpleFuture for Second {
//!     type Output = &'static str;
//!
//!     fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
//!         if self.0 {
//!             return Poll::Ready("done");
//!         }
//!         self.0 = true;
//!         wake(); // right away, so the loop polls again without sleeping first
//!         Poll::Pending
//!     }
//! }
//!
//! let mut run_loop = RunLoop::new([Second(false), Second(true)]);
//! assert_eq!(run_loop.run(), ["done", "done"]);
//! assert_eq!(run_loop.polls(), 3);
//! ```
//!
//! Read in this order:
//!
//! 1. `checking.rs`: [`check_every`], the loop that checks and sleeps.
//! 2. `simple_future.rs`: [`SimpleFuture`] and [`Poll`], the trait and what its method returns.
//! 3. `socket.rs`: [`Socket`], which calls back when it has data. You may skip its helpers: `pair.rs` makes a
//!    connection, `blocking_read.rs` reads from it, and `contain.rs` catches the panic of a callback.
//! 4. `socket_read.rs`: [`SocketRead`] and [`ReadToEnd`], two futures that read from it.
//! 5. `run_loop.rs`: [`RunLoop`] and [`wake`], the loop that polls, and how it sleeps in between.
//!
//! What this stage cannot do: combine two futures into one, and say *which* of a loop's futures a [`wake`] is for. The
//! demo counts what the second costs.
//!
//! After the document *Future and scheduling* (000), as far as its `SocketRead`.

mod blocking_read;
mod checking;
mod contain;
mod pair;
mod run_loop;
mod simple_future;
mod socket;
mod socket_read;

pub use checking::{Checked, check_every};
pub use run_loop::{RunLoop, wake};
pub use simple_future::{Poll, SimpleFuture};
pub use socket::Socket;
pub use socket_read::{ReadToEnd, SocketRead};
