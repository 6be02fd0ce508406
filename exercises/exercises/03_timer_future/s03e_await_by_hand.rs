//! s03e · complete · 20 minutes · chapter 03, "A timer as a future"
//!
//! `async { a.await + b.await }` is a state machine with one state per `.await`. Write it by hand: fill in the two arms.
//! It must poll a and b exactly when the async block would. `Nap` in `step03-timer-future/src/nap.rs` has one `.await`.
//!
//! `Pin::new(a).poll(cx)` polls a child, and `ready!(…)` returns from `poll` if the child is pending.
//!
//! You will probably meet the compiler error E0499 or E0507. `a` and `b` are borrowed from `*self`, so finish with them
//! before you write to `*self`, and take `b` out of its `Option` instead of moving it.
//!
//! Run: `cargo test --bin s03e_await_by_hand`
//! Red: the watchdog, or how your polls differ from those of the async block. The watchdog asks for a clone of
//! `cx.waker()`. You need not make it yourself, because a child that you poll and that is pending keeps one. The usual cause
//! is a `poll` that changes the state and then returns `Pending`, before it has polled the child of the new state.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

enum Sum<A, B> {
    /// At `a.await`. `b` is taken out when the state changes.
    First {
        a: A,
        b: Option<B>,
    },
    /// At `b.await`. Keeps the output of a.
    Second {
        from_a: u32,
        b: B,
    },
    Done,
}

impl<A, B> Future for Sum<A, B>
where
    A: Future<Output = u32> + Unpin,
    B: Future<Output = u32> + Unpin,
{
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        loop {
            match &mut *self {
                // TODO: poll a. When it is ready, change to `Second`.
                Sum::First { a, b } => return Poll::Pending,
                // TODO: poll b. When it is ready, change to `Done`, and return the sum.
                Sum::Second { from_a, b } => return Poll::Pending,
                Sum::Done => panic!("polled after it was ready"),
            }
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03e_await_by_hand.rs"]
mod tests;
