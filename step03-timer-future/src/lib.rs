//! # Stage 03: a timer as a future
//!
//! The standard library's [`Future`] differs from ours of stages 01 and 02 in two places. `fn()` has become
//! [`Context`](std::task::Context), which carries a [`Waker`](std::task::Waker): a handle that knows *whom* it
//! wakes. And `&mut self` has become [`Pin<&mut Self>`](std::pin::Pin): a promise not to move the future, so that
//! it may point into itself.
//!
//! For that, `.await` and every library work with it:
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
//! Read in this order:
//!
//! 1. `signal.rs`: [`Signal`], a flag and a waker under one lock. `TimerFuture` here and `Delay` in stage 07 are
//!    made of it.
//! 2. `timer_future.rs`: [`TimerFuture`], a `Signal` and a thread that fires it.
//! 3. `my_future.rs`: [`my_future`] and [`MyFuture`], an `async fn` and a state machine that is often said to be
//!    the same.
//! 4. `nap.rs`: [`nap`] and [`Nap`], an `async fn` and the state machine that *is* the same.
//! 5. `note.rs`: [`Note`], what would go wrong if a future were moved, and [`PinnedNote`], which cannot be.
//! 6. `polls.rs`: [`Polls`] counts the polls of any future.
//!
//! Two words: a *task* is a future that an executor runs, together with what the executor knows of it (stage 04). A
//! type is [`Unpin`] if it may be moved even after it was pinned. The compiler takes a type for that unless one of its
//! fields says no, as [`PhantomPinned`](std::marker::PhantomPinned) and every `async` block do. All futures written by
//! hand here are `Unpin`, and rightly: they hold no pointer into themselves. So `Pin` lets their `poll` write through it.
//!
//! What this stage cannot do: run anything. It borrows `futures::executor::block_on`; stages 04 and 05 write their
//! own.
//!
//! After the documents *Future and scheduling* (000: `TimeFuture`), *Inside async* (002: `SleepFuture`,
//! `MyFuture`, `AsyncBlockFuture`) and *Async in depth* (004: the latest waker).

mod my_future;
mod nap;
mod note;
mod polls;
mod signal;
mod sync;
mod timer_future;

pub use my_future::{MyFuture, my_future};
pub use nap::{Nap, nap};
pub use note::{Note, PinnedNote};
// Some files are carried to later stages as they are, so examples that name this crate stand here.
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
/// What two sides share: one waits, the other fires.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::Signal;
/// use std::{future::poll_fn, sync::Arc, thread};
///
/// let signal = Arc::new(Signal::default());
/// let other_end = Arc::clone(&signal);
/// thread::spawn(move || other_end.fire());
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
