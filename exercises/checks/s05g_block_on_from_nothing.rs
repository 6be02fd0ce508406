use super::*;
use probe::{before_sleep, in_gap, instead_of_sleep, watch, within};
use std::{
    cell::RefCell,
    future::poll_fn,
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    thread,
    time::Duration,
};
use step05_parker_block_on::Signal;

mod wait;

contract::count_allocations!();

fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
    within(Duration::from_secs(2), || block_on(watch(name, future)))
}

/// Pending once. At that poll, `act` gets the waker.
async fn pending_once(act: impl FnOnce(&Waker)) {
    let mut act = Some(act);
    poll_fn(|cx| match act.take() {
        Some(act) => {
            act(cx.waker());
            Poll::Pending
        }
        None => Poll::Ready(()),
    })
    .await;
}

fn is_polled_twice(name: &str, future: impl Future<Output = ()>) {
    is_polled(2, name, future);
}

/// Sees to it that `future` is polled no more often: once more than there are moments at which it is woken.
fn is_polled(wanted: usize, name: &str, future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    let mut polls = 0;
    let counted = poll_fn(|cx| {
        polls += 1;
        assert!(
            polls <= wanted,
            "{name}: this is poll {polls}, and only {wanted} polls have a reason: the start, and a wake for each of the \
             others.\n\
             Look at: what ended the sleep before this poll? What is left of a wake when the poll begins that it has led to?"
        );
        future.as_mut().poll(cx)
    });
    run(name, counted);
}

/// What comes at a known moment is tried first, so that a mistake fails in the same way each time.
#[test]
fn it_runs_each_future_and_polls_it_when_it_was_woken() {
    let shared = Rc::new(RefCell::new(vec![1, 2]));
    let text = String::from("borrowed");
    let borrows = async {
        shared.borrow_mut().push(text.len());
        shared.borrow().iter().sum::<usize>()
    };
    assert_eq!(run("neither Send nor 'static", borrows), 11);

    is_polled_twice("woken in its poll", pending_once(Waker::wake_by_ref));
    it_sleeps();
    a_sleep_may_end_without_a_reason();
    a_wake_may_come_at_any_moment();
    several_wakes_before_a_poll_count_as_one();
    each_call_has_its_own_wakes();
    a_late_waker_wakes_nothing();
    no_waker_is_left();

    let from_a_thread = pending_once(|waker| {
        let waker = waker.clone();
        thread::spawn(move || waker.wake());
    });
    is_polled_twice("woken by another thread", from_a_thread);
}

/// Where a future leaves its waker.
#[derive(Clone, Default)]
struct Kept(Arc<std::sync::Mutex<Option<Waker>>>);

impl Kept {
    /// Pending once, and leaves its waker.
    fn waits(&self) -> impl Future<Output = ()> + use<> {
        let kept = self.clone();
        pending_once(move |waker| *kept.0.lock().unwrap() = Some(waker.clone()))
    }

    /// Whether there was a waker, which has been called now.
    fn wake(&self) -> bool {
        let waker = self.0.lock().unwrap().take();
        waker.map(Waker::wake).is_some()
    }
}

/// The wake comes when this thread would sleep. If it sleeps elsewhere than in `wait`, the wake comes after a while.
fn it_sleeps() {
    let kept = Kept::default();
    let sleeps = Arc::new(AtomicBool::new(false));
    let (wakes, would_sleep) = (kept.clone(), Arc::clone(&sleeps));
    let late = thread::spawn(move || {
        let is_late = !wait::comes_true(|| sleeps.load(SeqCst));
        wakes.wake();
        is_late
    });
    let waits = kept.waits();
    let instead = move || {
        would_sleep.store(true, SeqCst);
        kept.wake();
    };
    instead_of_sleep(instead, || {
        is_polled_twice("woken when its thread sleeps", waits)
    });
    let is_late = late.join().unwrap();
    assert!(
        !is_late,
        "`block_on` did not call `wait` of `probe::Condvar` while its future waited for another thread. It should sleep there, \
         until the waker is called."
    );
}

/// `wait` returns twice without a notification, and then the wake comes.
fn a_sleep_may_end_without_a_reason() {
    let kept = Arc::<std::sync::Mutex<Option<Waker>>>::default();
    let polled = Arc::clone(&kept);
    let mut is_first = true;
    let waits = poll_fn(move |cx| {
        let mut kept = polled.lock().unwrap();
        if !std::mem::take(&mut is_first) && kept.is_none() {
            return Poll::Ready(());
        }
        *kept = Some(cx.waker().clone());
        Poll::Pending
    });
    let mut returns = 0;
    let returns_early = move || {
        returns += 1;
        if returns == 3 {
            kept.lock()
                .unwrap()
                .take()
                .into_iter()
                .for_each(Waker::wake);
        }
    };
    let name = "Its `wait` returned twice without a notification, as it may";
    instead_of_sleep(returns_early, || is_polled(2, name, waits));
}

/// Calls `test` with a signal, which is fired when this thread would sleep.
fn fired_in_sleep(test: impl FnOnce(&Signal)) {
    let signal = Arc::new(Signal::default());
    let fires = Arc::clone(&signal);
    instead_of_sleep(move || fires.fire(), || test(&signal));
}

fn several_wakes_before_a_poll_count_as_one() {
    fired_in_sleep(|signal| {
        let twice = async {
            pending_once(|waker| (0..3).for_each(|_| waker.wake_by_ref())).await;
            poll_fn(|cx| signal.poll_fired(cx)).await;
        };
        is_polled(
            3,
            "woken three times in its first poll, and once when its thread sleeps",
            twice,
        );
    });
}

/// Wakes itself, and then calls `block_on` in the same poll. Only the inner call has a reason to sleep.
fn each_call_has_its_own_wakes() {
    let inner = Arc::new(Signal::default());
    let fires = Arc::clone(&inner);
    let mut sleeps = 0;
    let instead = move || {
        sleeps += 1;
        assert!(
            sleeps == 1,
            "A future woke itself in its poll, and in the same poll it called `block_on` for another future. This inner call \
             has returned, and now the outer one calls `wait`. It would sleep forever, although its future was woken.\n\
             Look at: where did the outer future's wake leave its mark, and which call has used it up?"
        );
        fires.fire();
    };
    let outer = pending_once(|waker| {
        waker.wake_by_ref();
        block_on(watch("the inner one", poll_fn(|cx| inner.poll_fired(cx))));
    });
    instead_of_sleep(instead, || {
        is_polled_twice(
            "woken in its poll, which then calls `block_on` itself",
            outer,
        )
    });
}

fn a_late_waker_wakes_nothing() {
    let late = Kept::default();
    let kept = late.clone();
    run(
        "leaves a waker behind",
        poll_fn(move |cx| {
            *kept.0.lock().unwrap() = Some(cx.waker().clone());
            Poll::Ready(())
        }),
    );
    fired_in_sleep(|signal| {
        let waits = poll_fn(|cx| {
            late.wake();
            signal.poll_fired(cx)
        });
        is_polled_twice(
            "the waker of an earlier call is called in its poll, and its own waker when its thread sleeps",
            waits,
        );
    });
}

/// Another thread wakes in each gap of `block_on`, and just before its sleep.
fn a_wake_may_come_at_any_moment() {
    let lost = Arc::new(AtomicBool::new(false));
    for gap in 0..4 {
        let kept = Kept::default();
        let (wakes, lost_here, waits) = (kept.clone(), Arc::clone(&lost), kept.waits());
        let instead = move || {
            if !kept.wake() {
                lost_here.store(true, SeqCst);
            }
        };
        let wake = move || {
            wakes.wake();
        };
        instead_of_sleep(instead, || {
            in_gap(gap, wake, || run("woken between two locks", waits));
        });
        assert!(
            !lost.load(SeqCst),
            "The waker was called after `block_on` had released a lock, and then `block_on` called `wait`. It would sleep \
             forever: the notification came before the sleep.\n\
             Look at: what has `block_on` checked, and which lock has it held since then?"
        );
    }
    let kept = Kept::default();
    let waits = kept.waits();
    let wake = move || {
        kept.wake();
    };
    before_sleep(wake, || {
        run("woken just before its thread sleeps", waits);
    });
}

/// A waker that is never dropped keeps what it points to, which is an allocation.
fn no_waker_is_left() {
    for wakes in [0, 1] {
        let before = contract::live_allocations();
        for _ in 0..1_000 {
            block_on(async {
                for _ in 0..wakes {
                    pending_once(Waker::wake_by_ref).await;
                }
            });
        }
        let left = contract::live_allocations() - before;
        // Another thread of the process may have allocated a little meanwhile.
        assert!(
            left < 500,
            "`block_on` was called a thousand times, for futures that were woken {wakes} times each. It has returned, no code has kept \
             a waker, and allocations that are left from these calls: {left}.\n\
             Wanted: none. Each waker that `block_on` makes or clones is dropped, so that what it points to is freed.\n\
             Look at: how many wakers does a call make, and what becomes of each?"
        );
    }
}
