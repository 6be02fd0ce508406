//! A timeout: which of the two is first, what is dropped and when, and what stays if the future was only borrowed.

use std::{
    future::{Future, pending, poll_fn, ready},
    pin::{Pin, pin},
    sync::{Arc, Mutex, mpsc},
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use futures::executor::block_on;
use probe::{Counted, CountingWaker, within};
use step06_reactor::{Reactor, Timer, TimerError, timeout};

const LIMIT: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_secs(3_600);

#[test]
fn a_future_that_is_ready_in_time_gives_its_output() {
    within(LIMIT, || {
        let reactor = Reactor::new();
        let seven = async {
            Timer::new(&reactor, SHORT).await?;
            Ok::<_, TimerError>(7)
        };
        assert_eq!(block_on(timeout(&reactor, LONG, seven)), Ok(Some(Ok(7))));
        assert_eq!(reactor.waiting(), 0);
    });
}

#[test]
fn when_the_time_is_up_the_future_is_dropped_unfinished() {
    within(LIMIT, || {
        let reactor = Reactor::new();
        let never = Counted::new(pending::<()>());
        let counts = never.counts();
        block_on(async {
            assert_eq!(timeout(&reactor, SHORT, never).await, Ok(None));
            assert_eq!((counts.polls(), counts.drops()), (2, 1));
        });
        assert_eq!(reactor.waiting(), 0);
    });
}

#[test]
fn a_future_that_is_ready_at_the_last_moment_is_in_time() {
    within(LIMIT, || {
        let reactor = Reactor::new();
        let zero = Duration::ZERO;
        assert_eq!(block_on(timeout(&reactor, zero, ready(7))), Ok(Some(7)));
        assert_eq!(block_on(timeout(&reactor, zero, pending::<()>())), Ok(None));
    });
}

#[test]
fn the_time_runs_from_the_first_poll_and_ends_with_the_drop() {
    let reactor = Reactor::new();
    let waker = CountingWaker::new();
    let mut limited = Box::pin(timeout(&reactor, LONG, pending::<()>()));
    assert_eq!(reactor.waiting(), 0);
    let polled = limited
        .as_mut()
        .poll(&mut Context::from_waker(&waker.waker()));
    assert_eq!(
        (polled, reactor.waiting(), waker.live()),
        (Poll::Pending, 1, 1)
    );
    drop(limited);
    assert_eq!((reactor.waiting(), waker.live(), waker.wakes()), (0, 0, 0));
}

#[test]
fn the_first_poll_of_the_future_is_not_part_of_its_time() {
    let reactor = Reactor::new();
    let first = poll_fn(|_| {
        assert_eq!(reactor.waiting(), 0, "the timer runs already");
        Poll::<()>::Pending
    });
    let mut limited = pin!(timeout(&reactor, LONG, first));
    let polled = limited
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!((polled, reactor.waiting()), (Poll::Pending, 1));
}

#[test]
fn without_its_reactor_a_timeout_ends_with_an_error() {
    within(LIMIT, || {
        let reactor = Reactor::new();
        let limited = timeout(&reactor, LONG, pending::<()>());
        drop(reactor);
        assert_eq!(block_on(limited), Err(TimerError::ReactorGone));
    });
}

#[test]
fn a_timeout_does_not_interrupt_a_poll() {
    within(LIMIT, || {
        let reactor = Reactor::new();
        let mut polls = 0;
        let computes = poll_fn(|cx| {
            polls += 1;
            if polls == 1 {
                // When this poll has returned, the timer starts.
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            thread::sleep(3 * SHORT);
            Poll::Ready(7)
        });
        assert_eq!(block_on(timeout(&reactor, SHORT, computes)), Ok(Some(7)));
        assert_eq!(polls, 2);
    });
}

type Log = Arc<Mutex<Vec<&'static str>>>;

/// Writes down that it is polled and that it is dropped.
struct Work(Log);

impl Future for Work {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0.lock().unwrap().push("work is polled");
        Poll::Pending
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.lock().unwrap().push("work is dropped");
    }
}

/// Writes down that it is called.
struct WritesDown(Log, mpsc::Sender<()>);

impl Wake for WritesDown {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().push("the waker is called");
        self.1.send(()).unwrap();
    }
}

#[test]
fn what_happens_when_the_time_is_up_in_order() {
    within(LIMIT, || {
        let log = Log::default();
        let reactor = Reactor::new();
        let mut task = pin!(async {
            assert_eq!(timeout(&reactor, SHORT, Work(log.clone())).await, Ok(None));
            log.lock().unwrap().push("the next statement runs");
        });
        let (woken, wakes) = mpsc::channel();
        let waker = Waker::from(Arc::new(WritesDown(log.clone(), woken)));
        while task
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
        {
            wakes.recv().unwrap();
        }
        let expected = [
            "work is polled",
            "the waker is called",
            "work is polled",
            "work is dropped",
            "the next statement runs",
        ];
        assert_eq!(*log.lock().unwrap(), expected);
    });
}

/// The setup of a futurelock. It is not run to its end here, because it has none; the exhibit in the museum is.
#[test]
fn a_borrowed_future_keeps_its_lock_when_its_time_is_up() {
    within(LIMIT, || {
        let reactor = Reactor::new();
        let lock = futures::lock::Mutex::new(());
        let work = || {
            Counted::new(async {
                let _guard = lock.lock().await;
                pending::<()>().await;
            })
        };
        block_on(async {
            assert_eq!(timeout(&reactor, SHORT, work()).await, Ok(None));
            assert!(lock.try_lock().is_some(), "dropped, and still locked");

            let work = work();
            let counts = work.counts();
            let mut work = pin!(work);
            assert_eq!(timeout(&reactor, SHORT, work.as_mut()).await, Ok(None));
            assert!(lock.try_lock().is_none(), "not dropped, and not locked");

            let waited = timeout(&reactor, SHORT, lock.lock()).await.unwrap();
            assert!(waited.is_none(), "locked, and still locked by another");
            assert_eq!((counts.polls(), counts.drops()), (2, 0));
        });
    });
}
