//! # Stage 03: a timer as a future
//!
//! The standard library's [`Future`] differs from our own trait of stages 01 and 02 in two places. Instead of a bare
//! `fn()`, a poll receives a [`Context`](std::task::Context), and in it a [`Waker`](std::task::Waker): a handle that
//! belongs to one task and tells its executor to poll that task again. And instead of `&mut self`, `poll` takes
//! [`Pin<&mut Self>`](std::pin::Pin): a promise that the future will not be moved any more, so it may hold pointers into
//! itself.
//!
//! In return, `.await` and every library that takes a future work with such a type:
//!
//! ```
//! use futures::executor::block_on;
//! use step03_timer_future::TimerFuture;
//! use std::time::Duration;
//!
//! block_on(async {
//!     TimerFuture::new(Duration::from_millis(5)).await;
//! });
//! ```
//!
//! Read in this order. The chapter:
//!
//! 1. `timer_future.rs`: [`TimerFuture`], a future around a thread that sleeps.
//! 2. `signal.rs`: [`Signal`], a flag and a waker under one lock. It is where the timer's polls leave their waker.
//! 3. `my_future.rs`: [`my_future`] and [`MyFuture`], an `async fn` and a state machine that is often said to be
//!    the same, and is not.
//! 4. `expanded.rs`: [`nap_expanded`], an `async fn` with its `.await` written out.
//! 5. `nap.rs`: [`nap`] and [`Nap`], an `async fn` and a state machine that does the same, poll for poll.
//!
//! Its second page, on `Pin`:
//!
//! 6. `self_borrow.rs`: [`self_borrow`], an `async fn` whose future points into itself.
//! 7. `note.rs`: [`Note`], what a move would break, and [`PinnedNote`], which cannot be moved once it is pinned.
//! 8. `join.rs` and `join/`: [`BoxedJoin`], [`ProjectedJoin`] and [`HandProjectedJoin`], how to poll children that must
//!    not be moved.
//!
//! And `polls.rs`: [`Polls`] counts the polls of any future.
//!
//! A *task* is a future that an executor runs, together with what the executor knows about it (stage 04). A type is
//! [`Unpin`] if it may be moved even after it has been pinned. The compiler makes a type `Unpin` unless one of its
//! fields is not, as [`PhantomPinned`](std::marker::PhantomPinned) and the future of every `async fn` are not.
//! `TimerFuture` and `Nap` hold no pointer into themselves, so they are rightly `Unpin`, and their `poll` may write
//! through the `Pin`.
//!
//! This stage has no executor. It borrows those of `futures`; stages 04 and 05 write their own.
//!
//! After the documents *Future and scheduling* (000: `TimeFuture`), *Inside async* (002: `SleepFuture`,
//! `MyFuture`, `AsyncBlockFuture`) and *Async in depth* (004: the latest waker).

mod expanded;
mod join;
mod my_future;
mod nap;
mod note;
mod polls;
mod self_borrow;
mod signal;
mod sync;
mod timer_future;

pub use expanded::nap_expanded;
/// Polls both children at every poll, and is ready when both are finished. Allocates nothing.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{ProjectedJoin, TimerFuture};
/// use std::time::Duration;
///
/// let nap = || async { TimerFuture::new(Duration::from_millis(5)).await };
/// block_on(ProjectedJoin::new(nap(), nap()));
/// ```
pub use join::ProjectedJoin;
pub use join::{BoxedJoin, HandProjectedJoin};
pub use my_future::{MyFuture, my_future};
pub use nap::{Nap, nap};
pub use note::{Note, PinnedNote};
pub use self_borrow::self_borrow;
// Later stages carry these files byte for byte, so the examples that name this crate are here.
/// Counts polls.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{Polls, TimerFuture};
/// use std::time::Duration;
///
/// let polls = Polls::default();
/// block_on(polls.count(TimerFuture::new(Duration::from_millis(5))));
/// assert_eq!(polls.get(), 2);
/// ```
pub use polls::Polls;
/// A thread fires it, a task waits for it.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::Signal;
/// use std::{future::poll_fn, sync::Arc, thread};
///
/// let signal = Arc::new(Signal::default());
/// let to_fire = Arc::clone(&signal);
/// thread::spawn(move || to_fire.fire());
/// block_on(poll_fn(|cx| signal.poll_fired(cx)));
/// ```
pub use signal::Signal;
/// Waits for a time.
///
/// ```
/// use futures::{executor::block_on, join};
/// use step03_timer_future::TimerFuture;
/// use std::time::{Duration, Instant};
///
/// let start = Instant::now();
/// let nap = || TimerFuture::new(Duration::from_millis(20));
/// block_on(async { join!(nap(), nap()) });
/// assert!(start.elapsed() >= Duration::from_millis(20));
/// ```
pub use timer_future::TimerFuture;
