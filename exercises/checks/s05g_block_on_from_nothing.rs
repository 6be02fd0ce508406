use super::*;
use probe::{Counted, in_gap, instead_of_sleep, thread_cpu_time, thread_switches, watch, within};
use std::{cell::RefCell, future::poll_fn, rc::Rc, sync::mpsc, thread, time::Duration};
use step05_parker_block_on::Signal;

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

/// Sees to it that `future` is polled so often: once more than there are moments at which it is woken.
fn is_polled(wanted: usize, name: &str, future: impl Future<Output = ()>) {
    let future = Counted::new(future);
    let counts = future.counts();
    run(name, future);
    let polls = counts.polls();
    assert!(
        polls == wanted,
        "{name}: {polls} polls, and {wanted} of them had a reason: the start, and a wake for each of the others."
    );
}

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
    is_polled_twice(
        "woken three times in its poll",
        pending_once(|waker| (0..3).for_each(|_| waker.wake_by_ref())),
    );
    let from_a_thread = pending_once(|waker| {
        let waker = waker.clone();
        thread::spawn(move || waker.wake());
    });
    is_polled_twice("woken by another thread", from_a_thread);
    let twice = async {
        pending_once(Waker::wake_by_ref).await;
        let signal = Arc::new(Signal::default());
        let firing = Arc::clone(&signal);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            firing.fire();
        });
        poll_fn(|cx| signal.poll_fired(cx)).await;
    };
    is_polled(3, "woken in its poll, and later by another thread", twice);
    a_sleep_may_end_without_a_reason();
    it_sleeps();
    a_late_waker_wakes_nothing();
    a_wake_may_come_at_any_moment();
}

/// `wait` returns twice without a notification, and then the wake comes.
fn a_sleep_may_end_without_a_reason() {
    let kept: Arc<std::sync::Mutex<Option<Waker>>> = Arc::default();
    let wake = {
        let kept = Arc::clone(&kept);
        move || {
            kept.lock()
                .unwrap()
                .take()
                .into_iter()
                .for_each(Waker::wake)
        }
    };
    // If it sleeps elsewhere, this thread wakes it.
    let late = wake.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        late();
    });
    let mut is_first = true;
    let waits = poll_fn(move |cx| {
        let mut kept = kept.lock().unwrap();
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
            wake();
        }
    };
    let name = "Its `wait` returned twice without a notification, as it may";
    instead_of_sleep(returns_early, || is_polled(2, name, waits));
}

/// The wake comes when this thread would sleep. If it sleeps elsewhere than in `wait`, the wake comes after a while.
fn it_sleeps() {
    let kept: Arc<std::sync::Mutex<Option<Waker>>> = Arc::default();
    let (would_sleep, sleeps) = mpsc::channel();
    let wake = {
        let kept = Arc::clone(&kept);
        move || {
            kept.lock()
                .unwrap()
                .take()
                .into_iter()
                .for_each(Waker::wake)
        }
    };
    let wake_late = wake.clone();
    let late = thread::spawn(move || {
        let is_late = sleeps.recv_timeout(Duration::from_millis(300)).is_err();
        wake_late();
        is_late
    });
    let (used, switches) = (thread_cpu_time(), thread_switches());
    let waits = pending_once(|waker| *kept.lock().unwrap() = Some(waker.clone()));
    let instead = move || {
        let _ = would_sleep.send(());
        wake();
    };
    instead_of_sleep(instead, || {
        is_polled_twice("woken when its thread sleeps", waits)
    });
    let used = thread_cpu_time() - used;
    let switches = thread_switches().unwrap_or(0) - switches.unwrap_or(0);
    let is_late = late.join().unwrap();
    assert!(
        !is_late || used < Duration::from_millis(20) && switches < 10,
        "`block_on` did not call `wait` while its future waited for another thread. It used {used:?} of CPU time and left its \
         processor {switches} times. It should sleep once, until the waker is called."
    );
}

fn a_late_waker_wakes_nothing() {
    let (tell, told) = mpsc::channel();
    run("leaves a waker behind", async {
        let kept = tell.clone();
        poll_fn(move |cx| {
            kept.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        })
        .await;
    });
    let late = told.recv().unwrap();
    is_polled_twice(
        "woken late by the waker of an earlier call",
        pending_once(|waker| {
            late.wake();
            let waker = waker.clone();
            thread::spawn(move || waker.wake());
        }),
    );
}

/// In each gap of `block_on`, another thread wakes.
fn a_wake_may_come_at_any_moment() {
    for gap in 0..4 {
        let kept: Arc<std::sync::Mutex<Option<Waker>>> = Arc::default();
        let wakes = Arc::clone(&kept);
        let from_outside = Arc::clone(&kept);
        let (over, is_over) = mpsc::channel::<()>();
        // If there is no such gap before it sleeps, this thread wakes it.
        thread::spawn(move || {
            let _ = is_over.recv_timeout(Duration::from_millis(20));
            from_outside
                .lock()
                .unwrap()
                .take()
                .into_iter()
                .for_each(Waker::wake);
        });
        let waits = pending_once(|waker| *kept.lock().unwrap() = Some(waker.clone()));
        let wake = move || {
            wakes
                .lock()
                .unwrap()
                .take()
                .into_iter()
                .for_each(Waker::wake)
        };
        in_gap(gap, wake, || {
            run("woken between two locks of `block_on`", waits)
        });
        drop(over);
    }
}
