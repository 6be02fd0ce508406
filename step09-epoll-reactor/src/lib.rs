//! # Stage 09: epoll and the reactor
//!
//! A runtime on one thread that waits for timers and sockets without any other thread. When its executor has nothing to
//! poll, it sleeps in the kernel, and the kernel ends that sleep: when a socket is ready, when the next deadline has
//! come, or when another thread wakes a task. So the executor's own sleep is the wait for sockets and timers.
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
//! Read `executor/run.rs` first, which is that idea in one loop. Then in this order:
//!
//! 1. `executor/park.rs`: [`Park`], a place where an executor sleeps, and [`Parker`], the plainest one. `time.rs` and `time/`,
//!    in the order `driver.rs`, `sleep.rs`, `timeout.rs` and `interval.rs`: timers inside such a place, without a thread.
//! 2. `executor/`, in the order `queue.rs`, `tasks.rs`, `task.rs`, `join_handle.rs`, `handle.rs`, `context.rs` and `runtime.rs`: [the
//!    runtime](Runtime) that sleeps there. This is version 0.
//! 3. `v1_by_hand.rs`: [version 1](v1_by_hand). epoll and an eventfd, for one descriptor and one task.
//! 4. `reactor/selector.rs`: [what is asked of the kernel](Selector). `reactor.rs`: [the reactor](Reactor), with any number of
//!    sources. Then the rest of `reactor/`, in the order `slab.rs`, `source.rs` and `readiness.rs`, and `registered.rs`: [a
//!    socket together with its source](Registered).
//! 5. `reactor/v2_epoll.rs`: [version 2](v2_epoll), on epoll by hand. `reactor/v3_polling.rs`: [version 3](v3_polling), on the
//!    crate polling, for other systems too.
//! 6. `net.rs` and `net/`: [sockets](net), and a stream of connections.
//!
//! Beside the runtime, `src/bin/` has the document's program, an echo server, a comparison of three ways to watch a
//! descriptor, and, in `completion/`, reads that are handed over to a kernel of our own, for the page *Completion*.
//!
//! Carried from stage 01: `contain.rs`. Carried from stage 03: `polls.rs`. Carried from stage 04: `queued.rs`. Carried from
//! stage 08: `join_error.rs`, `sync.rs`.
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
}

mod executor;
pub mod net;
mod reactor;
mod registered;
mod time;
#[cfg(target_os = "linux")]
pub mod v1_by_hand;

use carried::{contain, sync};
pub use carried::{
    join_error::{JoinError, Payload},
    polls::Polls,
    queued::Queued,
};
pub use executor::{Handle, JoinHandle, Park, Parker, Runtime, block_on, spawn};
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
pub use reactor::v2_epoll;
/// Version 3: a runtime for other systems too.
///
/// ```
/// use step09_epoll_reactor::{Reactor, Runtime, v3_polling::Polling};
///
/// let mut runtime = Runtime::with_reactor(Reactor::new(Polling::new()?));
/// assert_eq!(runtime.block_on(async { 6 * 7 }), 42);
/// # std::io::Result::Ok(())
/// ```
pub use reactor::v3_polling;
pub use reactor::{
    Reactor,
    selector::{AsIo, BorrowedIo, Direction, Event, Selector, Trigger},
    slab::Key,
};
pub use registered::Registered;
pub use time::{Elapsed, Interval, Sleep, Timeout, interval, sleep, timeout};
