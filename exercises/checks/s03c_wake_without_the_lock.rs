use super::*;
use probe::{CountingWaker, in_gap, watch, within};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Wake;
use std::time::Duration;

mod wait;

const LIMIT: Duration = Duration::from_secs(2);

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An executor that polls its task inside `wake`.
struct PollsWithinWake {
    task: std::sync::Mutex<Task>,
    polls: AtomicUsize,
    ready: AtomicUsize,
}

impl PollsWithinWake {
    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut task = self.task.lock().unwrap();
        self.polls.fetch_add(1, SeqCst);
        if task
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            self.ready.fetch_add(1, SeqCst);
        }
    }
}

impl Wake for PollsWithinWake {
    fn wake(self: Arc<Self>) {
        self.poll();
    }
}

#[test]
fn a_woken_task_may_be_polled_at_once() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let polled = Arc::clone(&signal);
        let future = watch(
            "waits for the signal",
            poll_fn(move |cx| polled.poll_fired(cx)),
        );
        let executor = Arc::new(PollsWithinWake {
            task: std::sync::Mutex::new(Box::pin(future)),
            polls: AtomicUsize::new(0),
            ready: AtomicUsize::new(0),
        });
        executor.poll();
        signal.fire();
        let (polls, ready) = (executor.polls.load(SeqCst), executor.ready.load(SeqCst));
        assert!(
            polls > 1,
            "The signal was fired, and the task that waits for it was not woken.\n\
             Expected: one wake."
        );
        assert!(
            ready == 1,
            "The task was woken and polled, and did not see that the signal had been fired.\n\
             Expected: a task that is woken finds the new state.\n\
             Look at: what comes first in `fire`, the flag or the wake?"
        );
    });
}

#[test]
fn its_own_task_is_woken_once() {
    let (signals, wakers) = (
        [(); 2].map(|()| Signal::default()),
        [(); 2].map(|()| CountingWaker::new()),
    );
    for (signal, waker) in signals.iter().zip(&wakers) {
        let polled = signal.poll_fired(&mut Context::from_waker(&waker.waker()));
        assert!(polled.is_pending(), "ready before `fire`");
    }
    let clones = wakers[0].clones();
    within(LIMIT, || (0..2).for_each(|_| signals[0].fire()));
    let wakes = wakers.each_ref().map(|waker| waker.wakes());
    assert!(
        wakes == [1, 0],
        "There are two signals, with a task at each, and the first signal was fired twice. The tasks were woken {wakes:?} times.\n\
         Expected: [1, 0]."
    );
    let (clones, live) = (wakers[0].clones() - clones, wakers[0].live());
    assert!(
        (clones, live) == (0, 0),
        "`fire` made {clones} clones of the waker, and {live} are left in a signal that is fired.\n\
         Expected: it takes the waker out. A waker holds its task, and its clone is code that `fire` does not control."
    );
}

#[test]
fn a_poll_may_come_between_two_locks() {
    for gap in 0.. {
        let signal = Arc::new(Signal::default());
        let (first, second) = (CountingWaker::new(), CountingWaker::new());
        let poll = |waker: Waker| signal.poll_fired(&mut Context::from_waker(&waker));
        assert!(poll(first.waker()).is_pending(), "ready before `fire`");
        let polled = Arc::new(std::sync::Mutex::new(None));
        let polls = {
            let (signal, polled, waker) = (signal.clone(), polled.clone(), second.waker());
            move || {
                let poll = signal.poll_fired(&mut Context::from_waker(&waker));
                *polled.lock().unwrap() = Some(poll);
            }
        };
        let ((), gaps) = within(LIMIT, || in_gap(gap, polls, || signal.fire()));
        if gap >= gaps {
            break;
        }
        let was_pending = *polled.lock().unwrap() == Some(Poll::Pending);
        assert!(
            !was_pending || second.wakes() > 0,
            "`fire` released the lock, a task polled before `fire` had ended, was told Pending, and was never woken.\n\
             Expected: one critical section, which sets the flag and takes the waker out. Then a poll comes before it and \
             is woken, or after it and is ready.\n\
             Look at: how often does `fire` take the lock?"
        );
    }
}

#[test]
fn a_fire_may_come_between_two_locks_of_a_poll() {
    for gap in 0.. {
        let signal = Arc::new(Signal::default());
        let fires = signal.clone();
        let waker = CountingWaker::new();
        let act = || signal.poll_fired(&mut Context::from_waker(&waker.waker()));
        let (poll, gaps) = within(LIMIT, || in_gap(gap, move || fires.fire(), act));
        if gap >= gaps {
            break;
        }
        assert!(
            poll.is_ready() || waker.wakes() > 0,
            "The signal was fired between two locks of a poll, and this poll returned Pending and was never woken."
        );
    }
}

#[test]
fn a_fire_waits_for_the_lock() {
    let signal = Arc::new(Signal::default());
    let fires = Arc::clone(&signal);
    wait::for_the_lock(signal.state.lock().unwrap(), move || fires.fire());
    let polled = signal.poll_fired(&mut Context::from_waker(Waker::noop()));
    assert!(
        polled.is_ready(),
        "A poll held the lock while `fire` was called, and the signal is not fired."
    );
}
