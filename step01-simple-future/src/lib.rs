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
// Some files are carried to stage 02 as they are, so examples that name this crate stand here.
/// Polls futures, and sleeps in between.
///
/// ```
/// use step01_simple_future::{Poll, RunLoop, SimpleFuture, wake};
/// use std::thread;
///
/// /// At its first poll, starts a thread that calls back. Ready at the second.
/// struct Once(bool);
///
/// impl SimpleFuture for Once {
///     type Output = &'static str;
///
///     fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
///         if self.0 {
///             return Poll::Ready("done");
///         }
///         self.0 = true;
///         thread::spawn(wake);
///         Poll::Pending
///     }
/// }
///
/// let mut two = RunLoop::new([Once(false), Once(true)]);
/// assert_eq!(two.run(), ["done", "done"]);
/// assert_eq!(two.polls(), 3);
/// ```
pub use run_loop::RunLoop;
pub use run_loop::wake;
pub use simple_future::Poll;
/// By hand:
///
/// ```
/// use step01_simple_future::{Poll, SimpleFuture};
///
/// /// Answers "not yet" as often as it says, and asks to be polled again each time.
/// struct Later(u32);
///
/// impl SimpleFuture for Later {
///     type Output = &'static str;
///
///     fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
///         if self.0 == 0 {
///             return Poll::Ready("now");
///         }
///         self.0 -= 1;
///         wake();
///         Poll::Pending
///     }
/// }
///
/// let mut later = Later(1);
/// assert_eq!(later.poll(|| {}), Poll::Pending);
/// assert_eq!(later.poll(|| {}), Poll::Ready("now"));
/// ```
pub use simple_future::SimpleFuture;
pub use socket::Socket;
pub use socket_read::{ReadToEnd, SocketRead};
