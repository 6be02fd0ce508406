//! # Stage 08: join handles and worker threads
//!
//! A runtime with several worker threads, on which a task may be polled by any of them. `spawn` returns a handle, which
//! returns the task's output, or says why there is none: the task panicked or was cancelled. A task is a small state
//! machine that several threads agree on, and a join handle is a future that waits for its last state.
//!
//! ```
//! use step08_join_handle::Runtime;
//!
//! let runtime = Runtime::new(4);
//! let answer = runtime.spawn(async { 6 * 7 });
//! let panics = runtime.spawn(async { panic!("no answer") });
//! runtime.block_on(async {
//!     assert_eq!(answer.await.unwrap(), 42);
//!     assert!(panics.await.unwrap_err().is_panic());
//! });
//! ```
//!
//! Read `v2_state_bits/state.rs` first, which is [that state machine](v2_state_bits::state::State), in six bits of one atomic
//! word. Then in this order:
//!
//! 1. `queue.rs` and `workers.rs`: [the queue](Queue) that all workers share, and the threads.
//! 2. `task_future.rs` and `join_error.rs`: a future whose panic is kept, and [the error](JoinError) that has it.
//! 3. `task_list.rs`: the list in which a runtime that ends finds its tasks.
//! 4. `v1_oneshot.rs`: [version 1](v1_oneshot). A lock for each task, and a handle on a oneshot channel.
//! 5. `v2_state_bits/`: [version 2](v2_state_bits). `task.rs`, `runnable.rs`, `run.rs` and `join_handle.rs` have [a task](spawn_on)
//!    that its state protects, and [its handle](JoinHandle). `shared.rs`, `context.rs`, `handle.rs` and `runtime.rs` have [the
//!    runtime](Runtime), and which one a thread is on. `spawn.rs` has [`spawn`] without naming a runtime, and `blocking.rs` has
//!    [threads for code that blocks](spawn_blocking).
//! 6. `v3_async_task.rs`: [version 3](v3_async_task). The same on the crate async-task.
//! 7. `yield_now.rs`: [a task that lets others go first](yield_now).
//! 8. `many_waiters/`: tasks that [wait for permits in a queue](semaphore), [a channel with a fixed number of slots](channel)
//!    made of two semaphores, and [tasks that belong together](JoinSet). The stage does not use them.
//!
//! Carried from stage 01: `contain.rs`. Carried from stage 03: `polls.rs`. Carried from stage 04: `queued.rs`. Carried from
//! stage 05: `block_on.rs`, with its `parker.rs` and `waker/v2_by_wake.rs`.
//!
//! What this stage cannot do: wait for a socket without a thread that waits.
//!
//! After the document *Executor-2* (001).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod block_on;
    pub(crate) mod contain;
    pub(crate) mod parker;
    pub(crate) mod polls;
    pub(crate) mod queued;
    mod waker {
        mod v2_by_wake;
    }
}

mod join_error;
mod lock;
pub mod many_waiters;
mod queue;
mod sync;
mod task_future;
mod task_list;
pub mod v1_oneshot;
pub mod v2_state_bits;
pub mod v3_async_task;
mod workers;
mod yield_now;

use carried::{block_on, contain, parker::Parker};
pub use carried::{polls::Polls, queued::Queued};
pub use join_error::{JoinError, Payload};
pub use many_waiters::{channel, join_set::JoinSet, semaphore};
pub use queue::Queue;
pub use v2_state_bits::{Handle, JoinHandle, Runnable, Runtime, spawn, spawn_blocking, spawn_on};
// Later stages carry this file byte for byte, so the example that names this crate is here.
/// Lets other tasks go first.
///
/// ```
/// use step08_join_handle::{Runtime, yield_now};
///
/// Runtime::new(1).block_on(async { yield_now().await });
/// ```
pub use yield_now::yield_now;
