use super::*;
use probe::Mutex;
use std::cell::Cell;
use std::task::Waker;
use std::time::Duration;

mod says;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// One lock in each function.
    Good,
    /// Leaves the waker under one lock, and then checks under another.
    RegistersFirst,
    /// Checks under each of two locks, and once more under a third, where it leaves the waker.
    ChecksAgain,
    /// Sets the flag under one lock, and then takes the waker out under another.
    SetsFirst,
    /// Checks under one lock, and then leaves the waker under another.
    ChecksFirst,
    /// The same, after a lock that does nothing.
    ChecksSecond,
    /// Takes the waker out under one lock, and then sets the flag under another.
    TakesFirst,
}
use Kind::*;

struct Subject {
    kind: Kind,
    /// Whether it was fired, and the waker of the latest poll.
    state: Mutex<(bool, Option<Waker>)>,
}

thread_local! {
    /// How often the signal that was made last has been polled and fired.
    static LAST: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

impl Signal for Subject {
    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        let (polls, fires) = LAST.get();
        LAST.set((polls + 1, fires));
        let lock = || self.state.lock().unwrap();
        match self.kind {
            RegistersFirst => lock().1 = Some(cx.waker().clone()),
            ChecksSecond => drop(lock()),
            ChecksAgain if lock().0 || lock().0 => return Poll::Ready(()),
            _ => {}
        }
        let mut state = lock();
        if state.0 {
            return Poll::Ready(());
        }
        if let ChecksFirst | ChecksSecond = self.kind {
            drop(state);
            state = lock();
        }
        state.1 = Some(cx.waker().clone());
        Poll::Pending
    }

    fn fire(&self) {
        let (polls, fires) = LAST.get();
        LAST.set((polls, fires + 1));
        let mut state = self.state.lock().unwrap();
        state.0 |= self.kind != TakesFirst;
        let mut waker = state.1.take_if(|_| self.kind != SetsFirst);
        drop(state);
        if let TakesFirst | SetsFirst = self.kind {
            let mut state = self.state.lock().unwrap();
            state.0 = true;
            if self.kind == SetsFirst {
                waker = state.1.take();
            }
        }
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn new<const KIND: usize>() -> Arc<dyn Signal> {
    LAST.set((0, 0));
    let kinds = [
        Good,
        RegistersFirst,
        SetsFirst,
        ChecksAgain,
        ChecksFirst,
        ChecksSecond,
        TakesFirst,
    ];
    Arc::new(Subject {
        kind: kinds[KIND],
        state: Mutex::default(),
    })
}

/// What your test says about this signal: nothing, or the message of its panic.
fn says(new_signal: fn() -> Arc<dyn Signal>) -> Result<(), String> {
    says::says(|| test_signal(new_signal))
}

#[test]
fn it_accepts_the_good_signals_and_catches_the_broken_ones() {
    probe::within(Duration::from_secs(2), || {
        let test = async { verdict() };
        futures::executor::block_on(probe::watch("test_signal", test));
    });
}

fn accepts_the_good_ones() {
    for (new_signal, which) in [
        (new::<0> as fn() -> _, "has one lock in each function"),
        (
            new::<1>,
            "leaves its waker first, and then checks whether it was fired",
        ),
        (
            new::<2>,
            "sets its flag first, and then takes the waker out",
        ),
        (
            new::<3>,
            "checks under each of its three locks, and leaves its waker under the last one",
        ),
    ] {
        if let Err(message) = says(new_signal) {
            let (polls, fires) = LAST.get();
            let look_at = match (polls, fires) {
                (_, 0) => {
                    "who fires it if there is no such gap? A signal that was not fired owes no wake"
                }
                (0, _) => {
                    "who polls it if there is no such gap? A task that was not polled does not wait"
                }
                _ => {
                    "what does your assertion ask for? A good signal was Ready in this poll, or it has called the waker"
                }
            };
            panic!(
                "Your test refused the good signal that {which}, with the message {message:?}. By then this signal had been \
                 polled {polls} times and fired {fires} times.\n\
                 Look at: {look_at}."
            );
        }
    }
}

fn verdict() {
    accepts_the_good_ones();
    for (new_signal, which, how) in [
        (
            new::<4> as fn() -> _,
            "checks in one lock whether it was fired, and leaves its waker in another",
            "Fire it in the gap between the two, and see whether the task waits.",
        ),
        (
            new::<5>,
            "loses the wake in the second gap of its poll",
            "How many gaps are there? `in_gap` returns their number.",
        ),
        (
            new::<6>,
            "takes the waker out in one lock of `fire`, and sets the flag in another",
            "Which two threads have changed places? Here a poll comes in a gap of `fire`.",
        ),
    ] {
        assert!(
            says(new_signal).is_err(),
            "Your test did not catch the signal that {which}.\n\
             Look at: {how}"
        );
        // Once more, because what a test says must not depend on how many times it has run.
        accepts_the_good_ones();
    }
}
