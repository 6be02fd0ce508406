//! # Stage 10: work stealing
//!
//! A runtime with several workers, each with a local queue. An idle worker takes half of another worker's local queue. If every queue
//! is empty, it announces that it sleeps, looks again, and sleeps. One of the sleepers waits in the kernel for timers and
//! sockets. Workers rarely touch the same memory, which makes the runtime fast.
//!
//! ```
//! use futures::io::{AsyncReadExt, AsyncWriteExt};
//! use std::{io, time::Duration};
//! use step10_work_stealing::{Runtime, net::{TcpListener, TcpStream}, spawn, time::timeout};
//!
//! let runtime = Runtime::new(2);
//! runtime.block_on(async {
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
//! The file of a module such as `crate::contain` or `crate::driver` is in `src/carried/`: it is a copy from an earlier stage.
//!
//! Read `worker.rs` first, with `version.rs` beside it: where a worker puts a task, and where it finds the next one, in each of the
//! four [versions](Version) of the scheduler. Then in this order:
//!
//! 1. `worker/local_queue.rs` and `injector.rs`: where a worker gets its tasks.
//! 2. `worker/sleep.rs`: when a worker sleeps, and why no task is overlooked then. `worker/phase.rs` and `idle.rs`: as what a worker
//!    counts, and who is woken. `parking.rs`: where it sleeps. `worker/watch.rs`: what it does for a worker that is stuck.
//! 3. `shared.rs`, `context.rs`, `handle.rs` and `runtime.rs`: [the runtime](Runtime), which one a thread is on, and its end.
//! 4. `task.rs`, and in `task/`: `state.rs`, `handle_waker.rs`, `reference.rs`, `list.rs`, `schedule.rs`, `cell.rs`, `run.rs`,
//!    `join_handle.rs`, `spawn.rs` and `slot.rs`. A task in one allocation, the tasks that wait, [its handle](JoinHandle), and a
//!    place for one task. None of them knows a runtime, and each of them only what comes before it.
//! 5. `budget.rs` and `registered.rs`: how much a task may get before it lets other tasks go first, and [a
//!    socket](Registered) that asks.
//! 6. `metrics.rs`: [what each worker has done](WorkerMetrics).
//! 7. `time.rs` and `net.rs`: [timers](time) and [sockets](net). `examples/http` is hyper on this runtime, and its server.
//!
//! Carried from stage 01: `contain.rs`. Carried from stage 08: `join_error.rs`, `yield_now.rs`.
//! Carried from stage 09: `executor/park.rs`, `reactor.rs`, and what it has in `net/`, `reactor/` and `time/`.
//!
//! After the document *Executor-2* (001), whose last section says what its executor lacks: a queue for each thread, and work
//! stealing, as the better practice.

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod executor {
        pub(crate) mod park;
    }
    pub(crate) mod join_error;
    pub(crate) mod net {
        mod incoming;
        mod tcp_listener;
        mod tcp_stream;

        pub use incoming::Incoming;
        pub use tcp_listener::TcpListener;
        pub use tcp_stream::TcpStream;
    }
    pub(crate) mod reactor;
    pub(crate) mod time {
        pub(crate) mod driver;
        pub(crate) mod interval;
        pub(crate) mod sleep;
        pub(crate) mod timeout;
    }
    pub(crate) mod yield_now;
}

mod budget;
mod context;
mod handle;
mod idle;
mod injector;
mod metrics;
pub mod net;
mod parking;
mod registered;
mod runtime;
mod shared;
mod sync;
mod task;
pub mod time;
mod version;
mod worker;

// What a user of the runtime cannot see is tested from inside.
#[cfg(all(test, not(loom)))]
#[path = "../tests/inside/main.rs"]
mod inside;
#[cfg(all(test, loom))]
#[path = "../tests/loom/main.rs"]
mod models;

/// Sleeps on a condition variable.
///
/// ```
/// use std::time::Duration;
/// use step10_work_stealing::{Park, Parker};
///
/// let (parker, mut due) = (Parker::default(), Vec::new());
/// parker.unpark();
/// parker.park(None, &mut due);
/// parker.park(Some(Duration::from_millis(1)), &mut due);
/// assert!(due.is_empty());
/// ```
pub use carried::executor::park::Parker;
#[cfg(target_os = "linux")]
pub use carried::reactor::v2_epoll::Epoll;
/// Lets other tasks go first.
///
/// ```
/// use step10_work_stealing::{Runtime, yield_now};
///
/// Runtime::new(1).block_on(async { yield_now().await });
/// ```
pub use carried::yield_now::yield_now;
use carried::{
    contain,
    reactor::{readiness, selector, source},
    time::{driver, sleep::Sleep},
};
pub use carried::{
    executor::park::Park,
    join_error::{JoinError, Payload},
    reactor::{
        Reactor,
        selector::{AsIo, BorrowedIo, Direction, Event, Selector, Trigger},
        slab::Key,
        v3_polling::Polling,
    },
};
pub use handle::{Handle, spawn};
pub use metrics::{IdleWorkers, WorkerMetrics};
pub use registered::Registered;
pub use runtime::Runtime;
pub use task::JoinHandle;
pub use version::Version;
