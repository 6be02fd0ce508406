//! # Stage 01: a simple future
//!
//! You wait for something: data on a socket. There are two ways. You *look* every so often, or you are *told*.
//! A future is the second way as a trait: you ask once, and if the answer is "not yet", you will be told when
//! to ask again.
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
//! A future is a type with a `poll`, which returns the value or promises to call `wake`. This one is ready at its second
//! poll:
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
//!         wake(); // at once, so the loop does not sleep before it polls again
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
//! 1. `looking.rs`: [`look_every`], the loop that looks.
//! 2. `simple_future.rs`: [`SimpleFuture`] and [`Poll`], the question and its two answers.
//! 3. `socket.rs`: [`Socket`], which calls you back. You may skip its helpers: `pair.rs` makes a connection,
//!    `blocking_read.rs` reads from it, and `contain.rs` keeps a callback that panics from ending the socket.
//! 4. `socket_read.rs`: [`SocketRead`] and [`ReadToEnd`], two futures on it.
//! 5. `run_loop.rs`: [`RunLoop`] and [`wake`]. Who asks, and how it sleeps in between.
//!
//! What this stage cannot do: combine two futures into one, and say *which* future a [`wake`] is for. The demo
//! counts what the second costs.
//!
//! After the document *Future and scheduling* (000), as far as its `SocketRead`.

mod blocking_read;
mod contain;
mod looking;
mod pair;
mod run_loop;
mod simple_future;
mod socket;
mod socket_read;

pub use looking::{Looked, look_every};
pub use run_loop::{RunLoop, wake};
pub use simple_future::{Poll, SimpleFuture};
pub use socket::Socket;
pub use socket_read::{ReadToEnd, SocketRead};
