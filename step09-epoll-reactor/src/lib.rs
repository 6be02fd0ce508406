//! # Stage 09: epoll and the reactor
//!
//! A runtime on one thread that waits for timers and sockets without any other thread. When its executor has nothing to
//! poll, it sleeps in the kernel, and the kernel ends that sleep: when a socket is ready, or when the next deadline has come.
//! So the executor's own sleep is the wait for the kernel.
//!
//! ```
//! use futures::io::{AsyncReadExt, AsyncWriteExt};
//! use std::{io, time::Duration};
//! use step09_epoll_reactor::{block_on, net::{TcpListener, TcpStream}, spawn, timeout};
//!
//! block_on(async {
//!     let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
//!     let mut client = TcpStream::connect(listener.local_addr()?).await?;
//!     spawn(async move {
//!         let (mut server, _peer) = listener.accept().await?;
//!         server.write_all(b"hello").await
//!     });
//!     let mut buffer = [0; 5];
//!     timeout(Duration::from_secs(10), client.read_exact(&mut buffer)).await??;
//!     assert_eq!(&buffer, b"hello");
//!     io::Result::Ok(())
//! })?;
//! # io::Result::Ok(())
//! ```
//!
//! Read in this order:
//!
//! 1. `park.rs`: [`Park`], a place where an executor sleeps, and [`Parker`], the plainest one.
//! 2. `time_driver.rs`, `sleep.rs` and `timeout.rs`: timers inside such a place, without a thread of their own. This is
//!    version 0.
//! 3. `queue.rs`, `task.rs`, `join_handle.rs`, `handle.rs`, `context.rs` and `executor.rs`: [the runtime](Runtime) that sleeps there.
//! 4. `v1_by_hand.rs`: [version 1](v1_by_hand). epoll and an eventfd, for one descriptor and one task.
//! 5. `selector.rs`, `slab.rs`, `source.rs`, `reactor.rs` and `registered.rs`: [what is asked of the kernel](Selector), and
//!    [the reactor](Reactor) with any number of sources. `v2_epoll.rs`: [version 2](v2_epoll), on epoll by hand.
//! 6. `v3_polling.rs`: [version 3](v3_polling), on the crate polling, for other systems too.
//! 7. `net/`: [sockets](net), and a stream of connections. `interval.rs`: a stream of ticks.
//! 8. `stdin.rs` and `stdin/`: [lines from the standard input](stdin).
//! 9. `completion.rs`: [reads that are handed over](completion) to a kernel of our own, for the second page of the chapter.
//!
//! Carried from stage 01: `contain.rs`. Carried from stage 03: `polls.rs`. Carried from stage 04: `queued.rs`. Carried from
//! stage 08: `join_error.rs`, `sync.rs`, `task_future.rs`.
//!
//! What this stage cannot do: use a second core.
//!
//! After the document *Inside async* (002: `Epoll`, `StdinFuture`, and its executor that an eventfd
//! wakes).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod join_error;
    pub(crate) mod polls;
    pub(crate) mod queued;
    pub(crate) mod sync;
    pub(crate) mod task_future;
}

pub mod completion;
mod context;
mod executor;
mod handle;
mod interval;
mod join_handle;
pub mod net;
mod park;
mod queue;
mod reactor;
mod registered;
mod selector;
mod slab;
mod sleep;
mod source;
pub mod stdin;
mod task;
mod time_driver;
mod timeout;
#[cfg(target_os = "linux")]
pub mod v1_by_hand;
// Later stages carry this file and others byte for byte, so the examples that name this crate are here.
/// Version 2: a runtime on epoll.
///
/// ```
/// use step09_epoll_reactor::{Reactor, Runtime, net::TcpListener, v2_epoll::Epoll};
///
/// let mut runtime = Runtime::with_reactor(Reactor::new(Epoll::new()?));
/// runtime.block_on(async { TcpListener::bind(([127, 0, 0, 1], 0)) })?;
/// # std::io::Result::Ok(())
/// ```
#[cfg(target_os = "linux")]
pub mod v2_epoll;
/// Version 3: a runtime for other systems too.
///
/// ```
/// use step09_epoll_reactor::{Reactor, Runtime, v3_polling::Polling};
///
/// let mut runtime = Runtime::with_reactor(Reactor::new(Polling::new()?));
/// assert_eq!(runtime.block_on(async { 6 * 7 }), 42);
/// # std::io::Result::Ok(())
/// ```
pub mod v3_polling;

use carried::{contain, sync, task_future};
pub use carried::{
    join_error::JoinError,
    polls::Polls,
    queued::Queued,
    task_future::{Payload, TaskFuture},
};
pub use executor::{Runtime, block_on};
pub use handle::{Handle, spawn};
pub use interval::Interval;
/// Yields at regular times. Call it inside [`block_on`].
///
/// ```
/// use futures::StreamExt;
/// use std::time::{Duration, Instant};
/// use step09_epoll_reactor::{block_on, interval};
///
/// let start = Instant::now();
/// block_on(async { interval(Duration::from_millis(2)).take(3).collect::<Vec<_>>().await });
/// assert!(start.elapsed() >= Duration::from_millis(6));
/// ```
pub use interval::interval;
pub use join_handle::JoinHandle;
pub use park::Park;
/// Sleeps on a condition variable.
///
/// ```
/// use std::time::Duration;
/// use step09_epoll_reactor::{Park, Parker};
///
/// let (parker, mut due) = (Parker::default(), Vec::new());
/// parker.unpark();
/// parker.park(None, &mut due);
/// parker.park(Some(Duration::from_millis(1)), &mut due);
/// assert!(due.is_empty());
/// ```
pub use park::Parker;
pub use reactor::Reactor;
pub use registered::Registered;
pub use selector::{AsIo, BorrowedIo, Selector, Trigger};
pub use slab::Key;
pub use sleep::Sleep;
/// Waits for a time. Call it inside [`block_on`].
///
/// ```
/// use std::time::{Duration, Instant};
/// use step09_epoll_reactor::{block_on, sleep};
///
/// let start = Instant::now();
/// block_on(async { sleep(Duration::from_millis(5)).await });
/// assert!(start.elapsed() >= Duration::from_millis(5));
/// ```
pub use sleep::sleep;
pub use source::{Direction, Event};
/// Waits for a future, but not for longer than a time. Call it inside [`block_on`].
///
/// ```
/// use std::{future, time::Duration};
/// use step09_epoll_reactor::{Elapsed, block_on, timeout};
///
/// let limit = Duration::from_millis(5);
/// block_on(async {
///     assert_eq!(timeout(limit, future::ready(7)).await, Ok(7));
///     assert_eq!(timeout(limit, future::pending::<i32>()).await, Err(Elapsed));
/// });
/// ```
pub use timeout::timeout;
pub use timeout::{Elapsed, Timeout};
