//! s07d · prove · 15 minutes · chapter 07, "A small tokio"
//!
//! In s03f you tested *whose* waker is called. Here you also test *when*. *Async in depth* (004) has a sample of a future that
//! moves from one task to another. It proves nothing, because its stub never wakes and the program ends first (D49). The
//! function `check` below is that sample. Turn it into a test.
//!
//! `check` gets a future that has not been polled yet, and a function `event`, which causes the event that the future waits
//! for. It must panic if the event does not wake the task that polled last. A wake that came before the event does not count.
//! It must also panic if the future is not ready after the event. It must not panic for a correct future.
//!
//! Run: `cargo test --bin s07d_catch_the_mover`, or save this file while `rustlings` runs.
//! Red: a test says which future your check did not catch, or that it refused a correct one.

use probe::CountingWaker;
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

type BoxedFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Panics if this future does not survive a move from one task to another.
fn check(mut future: BoxedFuture, event: impl FnOnce()) {
    let (first, second) = (CountingWaker::new(), CountingWaker::new());
    assert!(poll_in(&first, &mut future).is_pending());
    assert!(poll_in(&second, &mut future).is_pending());
    // TODO: as printed, this is all. The event has not happened yet.
    let _ = event;
}

/// Polls the future in the task that this waker wakes.
fn poll_in(task: &CountingWaker, future: &mut BoxedFuture) -> Poll<()> {
    future
        .as_mut()
        .poll(&mut Context::from_waker(&task.waker()))
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::{Arc, Mutex},
        task::Waker,
    };

    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        /// Keeps the latest waker.
        Good,
        /// Keeps all wakers and calls them all. Wasteful, but correct.
        WakesBoth,
        KeepsTheFirst,
        WakesInPollOnly,
        NeverReady,
    }

    /// What the future and its event share.
    #[derive(Default)]
    struct State {
        over: bool,
        wakers: Vec<Waker>,
    }

    struct Subject(Kind, Arc<Mutex<State>>);

    impl Future for Subject {
        type Output = ();

        fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
            let Subject(kind, state) = &*self;
            let mut state = state.lock().unwrap();
            if state.over && *kind != Kind::NeverReady {
                return Poll::Ready(());
            }
            match kind {
                Kind::KeepsTheFirst if !state.wakers.is_empty() => {}
                Kind::WakesInPollOnly => cx.waker().wake_by_ref(),
                Kind::WakesBoth | Kind::KeepsTheFirst => state.wakers.push(cx.waker().clone()),
                Kind::Good | Kind::NeverReady => state.wakers = vec![cx.waker().clone()],
            }
            Poll::Pending
        }
    }

    /// What the check says by its panic, if it panics.
    fn complaint(kind: Kind) -> Option<String> {
        let state = Arc::new(Mutex::new(State::default()));
        let future = Box::pin(Subject(kind, Arc::clone(&state)));
        let event = || {
            let wakers = {
                let mut state = state.lock().unwrap();
                state.over = true;
                std::mem::take(&mut state.wakers)
            };
            wakers.into_iter().for_each(Waker::wake);
        };
        let payload = catch_unwind(AssertUnwindSafe(|| check(future, event))).err()?;
        let text = payload.downcast_ref::<String>().cloned();
        Some(text.unwrap_or_else(|| {
            payload
                .downcast_ref::<&str>()
                .unwrap_or(&"a panic")
                .to_string()
        }))
    }

    fn passes(kind: Kind, which: &str) {
        if let Some(complaint) = complaint(kind) {
            panic!(
                "your check refused the correct future{which}, with: {complaint}. Test only which task the event wakes, \
                 and whether the future is ready then."
            );
        }
    }

    fn is_caught(kind: Kind, which: &str, how: &str) {
        passes(Kind::Good, "");
        let caught = complaint(kind).is_some();
        // Once more, because the answer of a check must not depend on how often it was called.
        passes(Kind::Good, "");
        assert!(
            caught,
            "your check did not catch the future that {which}. {how}"
        );
    }

    #[test]
    fn the_good_one_passes() {
        passes(Kind::Good, "");
    }

    #[test]
    fn the_one_that_wakes_both_passes() {
        passes(Kind::WakesBoth, " that wakes both tasks");
    }

    #[test]
    fn the_one_that_keeps_its_first_waker_is_caught() {
        is_caught(
            Kind::KeepsTheFirst,
            "keeps its first waker",
            "It wakes the task that polled it first. Cause the event, and see whether the task that polled last was \
             woken.",
        );
    }

    #[test]
    fn the_one_that_wakes_in_its_poll_only_is_caught() {
        is_caught(
            Kind::WakesInPollOnly,
            "wakes in its poll and not at the event",
            "Only a wake that comes with the event counts.",
        );
    }

    #[test]
    fn the_one_that_is_never_ready_is_caught() {
        is_caught(
            Kind::NeverReady,
            "is woken and never ready",
            "What does the woken task do next, and what should it get?",
        );
    }
}
