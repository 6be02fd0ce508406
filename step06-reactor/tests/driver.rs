//! The drivers alone, on this thread. The tests send the events by hand, in orders that they could not wait for.

use std::{
    future::poll_fn,
    sync::{
        Arc, Mutex,
        mpsc::{self, Sender},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::executor::block_on;
use probe::within;
use step06_reactor::{
    Event, Timers,
    driver::{v1_thread_per_timer, v2_one_thread},
};

const LIMIT: Duration = Duration::from_secs(10);

fn is_over(timers: &Timers, id: u64) -> bool {
    let mut cx = Context::from_waker(Waker::noop());
    timers.poll(id, &mut cx) == Poll::Ready(Ok(()))
}

/// Sends `Close` when it is woken.
struct Closes(Mutex<Sender<Event>>);

impl Wake for Closes {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().send(Event::Close).unwrap();
    }
}

#[test]
fn a_driver_ends_when_closed_and_when_every_sender_is_gone() {
    for drive in [v1_thread_per_timer::drive, v2_one_thread::drive] {
        within(LIMIT, || {
            let (events, received) = mpsc::channel();
            let timers = Arc::new(Timers::default());
            events.send(Event::Close).unwrap();
            drive(&received, &timers);
            // Once with no timer to wait for, and once with one.
            for started in [0, 1] {
                let (events, received) = mpsc::channel();
                let deadline = Instant::now() + Duration::from_secs(3_600);
                for id in 0..started {
                    events.send(Event::Start { id, deadline }).unwrap();
                }
                drop(events);
                drive(&received, &timers);
            }
        });
    }
}

#[test]
fn a_due_timer_does_not_wait_for_the_last_event() {
    let (events, received) = mpsc::channel();
    let timers = Arc::new(Timers::default());
    let id = timers.register(Waker::noop()).unwrap();
    let deadline = Instant::now();
    events.send(Event::Start { id, deadline }).unwrap();
    events.send(Event::Close).unwrap();
    // Until `Close` there is always one more event, so this driver never gets to a timeout.
    v2_one_thread::drive(&received, &timers);
    assert!(is_over(&timers, id));
}

#[test]
fn all_timers_that_are_due_end_before_the_next_event() {
    within(LIMIT, || {
        let (events, received) = mpsc::channel();
        let timers = Arc::new(Timers::default());
        let closes = Waker::from(Arc::new(Closes(Mutex::new(events.clone()))));
        let deadline = Instant::now() + Duration::from_millis(20);
        let ids: Vec<_> = (0..10)
            .map(|_| {
                let id = timers.register(&closes).unwrap();
                events.send(Event::Start { id, deadline }).unwrap();
                id
            })
            .collect();
        // The first that ends has the driver closed. The nine others are due by then.
        v2_one_thread::drive(&received, &timers);
        let over = ids.iter().filter(|id| is_over(&timers, **id)).count();
        assert_eq!(over, 10);
    });
}

#[test]
fn a_forgotten_deadline_is_cleared() {
    within(LIMIT, || {
        let (events, received) = mpsc::channel();
        let timers = Arc::new(Timers::default());
        let start = |id, after| {
            let deadline = Instant::now() + after;
            events.send(Event::Start { id, deadline }).unwrap();
        };
        let driving = thread::spawn({
            let timers = Arc::clone(&timers);
            move || v2_one_thread::drive(&received, &timers)
        });
        let run = |after| {
            let id = timers.register(Waker::noop()).unwrap();
            start(id, after);
            assert_eq!(block_on(poll_fn(|cx| timers.poll(id, cx))), Ok(()));
        };
        // No timer has number 1 yet. When one has, it will end if the deadline is still there.
        start(1, Duration::from_millis(30));
        events.send(Event::Forget(1)).unwrap();
        run(Duration::ZERO); // number 0: by now the driver has received all of the above
        assert_eq!(timers.register(Waker::noop()), Ok(1));
        run(Duration::from_millis(40));
        assert!(!is_over(&timers, 1));
        events.send(Event::Close).unwrap();
        driving.join().unwrap();
    });
}
