use super::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    task::Waker,
    time::Duration,
};
use step05_parker_block_on::block_on;

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
    // A check may wait for a wake that never comes.
    let checked = probe::within(Duration::from_secs(2), || {
        let check = async { catch_unwind(AssertUnwindSafe(|| check(future, event))) };
        block_on(probe::watch("check", check))
    });
    let payload = checked.err()?;
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
