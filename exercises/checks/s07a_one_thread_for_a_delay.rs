use super::*;
mod blocks;
mod wait;
use futures::future::join_all;
use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    watch, within,
};
use std::{
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    task::Waker,
    thread,
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(2);

type Boxed = Pin<Box<dyn Future<Output = ()>>>;

fn delay(when: u64, time: &Time) -> Boxed {
    Box::pin(watch("a delay", Delay::until(when, time)))
}

fn poll(delay: &mut Boxed, waker: &Waker) -> Poll<()> {
    delay.as_mut().poll(&mut Context::from_waker(waker))
}

/// Polls a delay of an hour a hundred times, and returns how many threads it has started.
fn threads_of_a_hundred_polls(mut waker: impl FnMut() -> Waker) -> usize {
    let time = Time::default();
    let mut delay = delay(3_600, &time);
    assert_eq!(
        time.started(),
        0,
        "threads that were started before the first poll"
    );
    within(LIMIT, || {
        for _ in 0..100 {
            let answer = poll(&mut delay, &waker());
            assert!(answer.is_pending(), "the delay was ready before its time");
        }
    });
    time.started()
}

#[test]
fn a_hundred_polls_start_one_thread() {
    let waker = CountingWaker::new();
    let threads = threads_of_a_hundred_polls(|| waker.waker());
    assert!(
        threads == 1,
        "a hundred polls started {threads} threads. The first poll has to start one. What do the others need?"
    );
}

#[test]
fn a_hundred_polls_from_a_hundred_tasks_start_one_thread() {
    let threads = threads_of_a_hundred_polls(|| CountingWaker::new().waker());
    assert!(
        threads == 1,
        "a hundred polls, each with a different waker, started {threads} threads. One thread can wake the task that \
         polled last, if it finds out at the end which task that is."
    );
}

#[test]
fn the_latest_waker_is_woken() {
    within(LIMIT, || {
        let time = Time::default();
        let (first, second) = (CountingWaker::new(), CountingWaker::new());
        let mut delay = delay(10, &time);
        for waker in [&first, &second] {
            let answer = poll(&mut delay, &waker.waker());
            assert!(answer.is_pending(), "the delay was ready before its time");
        }
        assert_eq!(
            (first.wakes(), second.wakes()),
            (0, 0),
            "the wakes of two tasks whose time has not come. What is there to poll for?"
        );
        time.pass_and_act(10);
        assert!(
            second.wakes() > 0,
            "two tasks polled the delay, one after the other. When the time came, the first was woken {} times, and \
             the second, which waits for it now, was not.",
            first.wakes()
        );
        assert!(
            poll(&mut delay, &second.waker()).is_ready(),
            "the task was woken because the time had come, and its next poll was Pending"
        );
    });
}

/// Polls once, and later again with this waker. During that second poll the time comes.
fn is_woken_or_ready(
    time: &Time,
    delay: &mut Boxed,
    second: &Waker,
    wakes: impl Fn() -> usize,
    moment: &str,
) {
    let answer = poll(delay, second);
    // If that moment did not occur in the poll, it is now.
    time.pass_and_act(10);
    assert!(
        answer.is_ready() || wakes() > 0,
        "the latest poll was Pending, and its waker was never called. During that poll the time came, {moment}. The \
         thread called the waker that it found at that moment, and ended. The poll went on, and left its own waker \
         where no thread would look for it. Which waker had the thread called?"
    );
}

#[test]
fn the_time_may_come_right_after_a_look_at_the_clock() {
    within(LIMIT, || {
        // In the second poll of two tasks, and in the very first.
        for polls_before in [1, 0] {
            let time = Time::default();
            let (first, second) = (CountingWaker::new(), CountingWaker::new());
            let mut delay = delay(10, &time);
            for _ in 0..polls_before {
                assert!(poll(&mut delay, &first.waker()).is_pending());
            }
            time.lock().after_look = Some(10);
            let moment = "right after a look at the clock, which had said \"too early\"";
            is_woken_or_ready(
                &time,
                &mut delay,
                &second.waker(),
                || second.wakes(),
                moment,
            );
        }
    });
}

#[test]
fn the_time_may_come_while_a_waker_is_cloned_or_dropped() {
    within(LIMIT, || {
        for (moment, how) in [
            (Moment::Clone, "cloned the latest"),
            (Moment::Drop, "dropped the earlier"),
        ] {
            let time = Time::default();
            let wakers = [Hostile::new(), Hostile::new()];
            // Not watched, because `watch` clones the waker by itself.
            let mut delay: Boxed = Box::pin(Delay::until(10, &time));
            assert!(poll(&mut delay, &wakers[0].waker()).is_pending());
            let (passes, kept_out) = (time.clone(), Arc::new(AtomicBool::new(false)));
            let seen = Arc::clone(&kept_out);
            let act = move || {
                passes.pass(10);
                seen.store(!passes.lock().asleep.is_empty(), SeqCst);
            };
            let second = wakers[1].waker();
            wakers[usize::from(moment == Moment::Clone)].arm(moment, act);
            let happened = format!("while it {how} waker");
            is_woken_or_ready(&time, &mut delay, &second, || wakers[1].wakes(), &happened);
            assert!(
                !kept_out.load(SeqCst),
                "While a poll {how} waker, the time came, and the thread could not act before that was over: `poll` held a \
                 lock that the thread needs. The code of a waker is not yours, so it must not run under your lock."
            );
        }
    });
}

#[test]
fn a_task_may_be_polled_while_its_waker_is_called() {
    within(2 * LIMIT, || {
        let (time, hostile) = (Time::default(), Hostile::new());
        let mut delay: Boxed = Box::pin(Delay::until(10, &time));
        let waker = hostile.waker();
        assert!(poll(&mut delay, &waker).is_pending());
        let [called, polled, kept_out] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
        let (calls, is_polled, locks) = (
            Arc::clone(&called),
            Arc::clone(&polled),
            Arc::clone(&kept_out),
        );
        hostile.arm(Moment::Wake, move || {
            calls.store(true, SeqCst);
            locks.store(!wait::comes_true(|| is_polled.load(SeqCst)), SeqCst);
        });
        let passes = time.clone();
        thread::spawn(move || passes.pass(10));
        wait::until("the time came, and the waker was not called", || {
            called.load(SeqCst)
        });
        let _ = poll(&mut delay, &Waker::noop().clone());
        polled.store(true, SeqCst);
        assert!(
            !kept_out.load(SeqCst),
            "The thread called the waker, another thread polled the task at once, and that poll did not return before the call \
             was over. The code of a waker is not yours, so it must not run under your lock."
        );
    });
}

#[test]
fn a_poll_does_not_wait_for_the_time_and_no_waker_is_left() {
    let (time, waker) = (Time::default(), CountingWaker::new());
    let mut delay: Boxed = Box::pin(Delay::until(10, &time));
    assert!(poll(&mut delay, &waker.waker()).is_pending());
    blocks::assert_never("A delay whose time has not come", || {
        let _ = poll(&mut delay, &waker.waker());
    });
    time.pass_and_act(10);
    drop(delay);
    let kept = waker.live();
    assert!(
        kept == 0,
        "The time has come, the delay was dropped, and wakers of its task that are kept: {kept}. Who still has one?"
    );
}

#[test]
fn twenty_joined_start_twenty() {
    within(LIMIT, || {
        let time = Time::default();
        let waker = CountingWaker::new();
        let mut twenty = Box::pin(join_all((1..=20).map(|when| delay(when, &time))));
        for now in 0..=20 {
            time.pass_and_act(now);
            let answer = twenty
                .as_mut()
                .poll(&mut Context::from_waker(&waker.waker()));
            assert_eq!(answer.is_ready(), now == 20, "ready at {now} of 20");
        }
        let started = time.started();
        assert!(
            started == 20,
            "twenty delays joined in one task started {started} threads. Whenever one of them wakes the task, all the \
             others are polled too."
        );
    });
}
