use super::*;
use probe::{CountingWaker, MutexGuard, in_gap, watch, within};
use std::{
    cell::RefCell,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Wake, Waker},
    time::Duration,
};
use step05_parker_block_on::block_on;

/// A task that waits until all are closed.
struct Waiter {
    future: Pin<Box<dyn Future<Output = ()>>>,
    waker: CountingWaker,
    /// How often it was woken before its latest poll began.
    wakes: usize,
    polls: usize,
}

fn connections(open: usize) -> Arc<Connections> {
    let connections = Arc::new(Connections::default());
    (0..open).for_each(|_| connections.opened());
    let count: MutexGuard<'_, usize> = connections.open.lock().unwrap();
    assert_eq!(*count, open, "the count is in `open`");
    drop(count);
    connections
}

impl Waiter {
    fn new(connections: &Arc<Connections>) -> Waiter {
        let connections = Arc::clone(connections);
        let future = Box::pin(async move { connections.all_closed().await });
        let (waker, wakes, polls) = (CountingWaker::new(), 0, 0);
        Waiter {
            future,
            waker,
            wakes,
            polls,
        }
    }

    /// A task that has been polled once, while a connection was open.
    fn waits(connections: &Arc<Connections>) -> Waiter {
        let mut waiter = Waiter::new(connections);
        waiter.stays("A connection is open, and it was polled for the first time.");
        waiter
    }

    /// Whether it is ready.
    fn poll(&mut self) -> bool {
        self.wakes = self.waker.wakes();
        self.polls += 1;
        let waker = self.waker.waker();
        self.future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
    }

    /// Sees to it that a poll leaves it waiting.
    fn stays(&mut self, what: &str) {
        assert!(
            !self.poll(),
            "{what}\n`all_closed` has returned, although a connection is open."
        );
        assert!(
            self.waker.wakes() == self.wakes,
            "{what}\nIt was woken in its own poll, and nothing had happened. Who wakes it when it can go on?"
        );
    }

    /// Sees to it that it was woken since its latest poll, and that it is ready now.
    fn goes_on(&mut self, what: &str) {
        assert!(
            self.waker.wakes() > self.wakes,
            "{what}\nNo connection is open, and the task that waits in `all_closed` was not woken. Nobody will ever wake it.\n\
             Look at: whom does this notification reach, and from which line of `all_closed` on is this task one of them?"
        );
        assert!(
            self.poll(),
            "{what}\nNo connection is open. The task that waits in `all_closed` was woken and polled, and it still waits."
        );
    }
}

fn run(test: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch("a task that waits until all are closed", async {
            test()
        }));
    });
}

#[test]
fn it_returns_when_the_last_one_is_closed() {
    run(|| {
        let connections = connections(2);
        let mut waiter = Waiter::waits(&connections);
        connections.closed();
        waiter.stays("Two connections were open, and one of them was closed.");
        connections.closed();
        waiter.goes_on("Two connections were open, and both were closed, one after the other.");
        let late = Waiter::new(&connections).poll();
        assert!(
            late,
            "No connection was open when `all_closed` was called, and its first poll was Pending."
        );
        // Made, and not yet polled.
        connections.opened();
        let mut waiter = Waiter::new(&connections);
        connections.closed();
        assert!(
            waiter.poll(),
            "The connection was closed before the first poll, and that was Pending."
        );
    });
}

#[test]
fn it_sleeps_while_nothing_happens() {
    run(|| {
        let connections = connections(1);
        let mut waiter = Waiter::waits(&connections);
        for _ in 0..100 {
            waiter.stays("A connection is open, and a `join!` polls all its futures.");
        }
        connections.closed();
        waiter.goes_on("It was polled a hundred times. Then the last connection was closed.");
    });
}

#[test]
fn all_that_wait_are_woken() {
    run(|| {
        // A notification that an earlier round has left behind wakes none of them too soon.
        let connections = connections(1);
        connections.closed();
        connections.opened();
        let mut waiters = [(); 4].map(|()| Waiter::waits(&connections));
        let [first, second, third, fourth] = &mut waiters;
        // In a timeout, for example.
        *second = Waiter::new(&connections);
        connections.closed();
        let what = "Three tasks waited. The last connection was closed.";
        // One that is woken by another is polled in its turn.
        first.goes_on(what);
        third.goes_on(what);
        fourth.goes_on(what);
    });
}

#[test]
fn the_last_one_may_be_closed_at_any_moment_of_a_poll() {
    run(|| {
        // In the first poll, and in one after another notification.
        for earlier in [0, 1] {
            for gap in 0.. {
                let connections = connections(1 + earlier);
                let mut another = Waiter::waits(&connections);
                let mut waiter = Waiter::new(&connections);
                let mut polled = "polled for the first time";
                if earlier == 1 {
                    waiter.stays("Two connections are open, and it was polled for the first time.");
                    connections.closed();
                    polled = "polled once more, because another one had been closed";
                }
                let closes = Arc::clone(&connections);
                let (ready, gaps) = in_gap(gap, move || closes.closed(), || waiter.poll());
                assert!(
                    gaps > 0 || earlier == 1,
                    "`all_closed` was polled, and has not looked at the count: the lock of `open` was not taken."
                );
                if gap >= gaps {
                    break;
                }
                another.goes_on("Two tasks waited. The last connection was closed while one of them was polled.");
                if !ready {
                    waiter.goes_on(&format!(
                        "`all_closed` was {polled}. When it had released the lock of `open`, and before it was pending, the last \
                         connection was closed."
                    ));
                }
            }
        }
    });
}

/// Two threads poll two tasks, and both are at the same moment when a third one closes the last connection.
#[test]
fn two_may_be_about_to_wait_when_the_last_one_is_closed() {
    run(|| {
        for gap in 0.. {
            let connections = connections(1);
            let [mut one, mut two] = [(); 2].map(|()| Waiter::new(&connections));
            let closes = Arc::clone(&connections);
            let polled = Rc::new(RefCell::new(None));
            let tell = Rc::clone(&polled);
            let both = move || {
                let (ready, gaps) = in_gap(gap, move || closes.closed(), || two.poll());
                assert!(
                    gap < gaps,
                    "the first poll of a task takes other steps than that of another"
                );
                *tell.borrow_mut() = Some((two, ready));
            };
            let (one_is_ready, gaps) = in_gap(gap, both, || one.poll());
            if gap >= gaps {
                break;
            }
            let (mut two, two_is_ready) = polled.take().expect("it was polled");
            let what = "Two tasks were polled on two threads. Each had released the lock of `open` and was not yet pending when the \
                        last connection was closed.";
            if !two_is_ready {
                two.goes_on(what);
            }
            if !one_is_ready {
                one.goes_on(what);
            }
        }
    });
}

thread_local! {
    /// What another thread does when a task is woken.
    static AT_A_WAKE: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

struct Acts;

impl Wake for Acts {
    fn wake(self: Arc<Self>) {
        if let Some(act) = AT_A_WAKE.take() {
            act();
        }
    }
}

/// The thread that polls the task may be faster than the one that wakes it.
#[test]
fn it_may_be_polled_as_soon_as_it_is_woken() {
    run(|| {
        let connections = connections(1);
        let polled = Rc::new(RefCell::new((Waiter::new(&connections), false)));
        let (polls, count) = (Rc::clone(&polled), Arc::clone(&connections));
        let acts = Waker::from(Arc::new(Acts));
        let first = polled
            .borrow_mut()
            .0
            .future
            .as_mut()
            .poll(&mut Context::from_waker(&acts));
        assert!(
            first.is_pending(),
            "A connection is open, and `all_closed` was ready in its first poll."
        );
        AT_A_WAKE.set(Some(Box::new(move || {
            // If the lock is taken, that thread has to wait for it.
            if count.open.try_lock().is_ok() {
                let (waiter, ready) = &mut *polls.borrow_mut();
                *ready = waiter.poll();
            }
        })));
        connections.closed();
        let (waiter, ready) = &mut *polled.borrow_mut();
        let what = "The last connection was closed. As soon as the waiting task was woken, another thread polled it.";
        if waiter.polls == 0 {
            assert!(
                waiter.poll(),
                "{what}\n`all_closed` was Pending, although no connection is open."
            );
        } else if !*ready {
            waiter.goes_on(what);
        }
    });
}

#[test]
fn it_may_be_polled_at_any_moment_of_closed() {
    run(|| {
        for gap in 0.. {
            let connections = connections(1);
            let polled = Rc::new(RefCell::new((Waiter::new(&connections), false)));
            let polls = Rc::clone(&polled);
            let poll = move || {
                let (waiter, ready) = &mut *polls.borrow_mut();
                *ready = waiter.poll();
            };
            let ((), gaps) = in_gap(gap, poll, || connections.closed());
            if gap >= gaps {
                break;
            }
            let (waiter, ready) = &mut *polled.borrow_mut();
            if !*ready {
                waiter.goes_on("While the last connection was closed, between two steps of `closed`, `all_closed` was polled.");
            }
        }
    });
}
