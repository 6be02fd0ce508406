//! What a wake-up of a worker costs, and whom it helps: who is woken for a push, what a worker takes that has looked again, in which order
//! it polls what the driver wakes, where a thief begins, and how often a worker looks after the others. The workers have no threads: the test makes their steps, and
//! decides what happens when.

// One thread steals here, and the queues are crossbeam's: Miri has them with several threads, in the other tests.
#![cfg(not(miri))]

use std::{
    collections::BTreeSet,
    future::poll_fn,
    rc::Rc,
    sync::{Arc, Mutex},
    task::{Poll, Wake, Waker},
    time::{Duration, Instant},
};

use crossbeam_deque::Worker as Deque;
use probe::within;

use crate::{
    Park, Version,
    budget::Budget,
    context::{self, RunQueue},
    driver::TimeDriver,
    idle::BeforeSleep,
    shared::Shared,
    task::{self, Task, Why},
};

use super::{Local, watch::Watch};

/// A driver that never sleeps: it runs this code, and hands back these wakers.
#[derive(Default)]
struct Driver {
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    due: Mutex<Vec<Waker>>,
}

impl Park for Driver {
    fn park(&self, _limit: Option<Duration>, due: &mut Vec<Waker>) {
        if let Some(code) = self.meanwhile.lock().unwrap().take() {
            code();
        }
        due.append(&mut self.due.lock().unwrap());
    }

    fn unpark(&self) {}
}

/// A runtime whose workers have no threads.
struct Stage {
    shared: Arc<Shared>,
    driver: Arc<Driver>,
    workers: Vec<Rc<Local>>,
}

impl Stage {
    fn new(workers: usize, version: Version) -> Stage {
        let driver = Arc::new(Driver::default());
        let deques: Vec<_> = (0..workers).map(|_| Deque::new_fifo()).collect();
        let stealers = deques.iter().map(Deque::stealer);
        let time_driver = TimeDriver::new(Arc::clone(&driver));
        let shared = Arc::new(Shared::new(
            version,
            Budget::Limited,
            stealers,
            time_driver,
            None,
        ));
        let local = |(number, deque)| Rc::new(Local::new(Arc::clone(&shared), number, deque));
        Stage {
            driver,
            workers: deques.into_iter().enumerate().map(local).collect(),
            shared,
        }
    }

    /// A task that is in no queue yet.
    fn task(&self) -> Task {
        task::spawn(async {}, Arc::clone(&self.shared)).0
    }

    /// From now on, this worker counts as asleep. Returns whether it will check on the others.
    fn falls_asleep(&self, worker: usize) -> bool {
        self.shared.idle.fall_asleep(worker, BeforeSleep::default())
    }

    fn asleep(&self) -> usize {
        self.shared.idle.counts().sleeping
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// Its owner polls it soon, and a wake-up costs as much as many polls.
#[test]
fn one_task_in_a_queue_wakes_no_thief_and_a_second_one_does() {
    for version in [Version::Stealing, Version::LifoSlot] {
        let stage = Stage::new(2, version);
        stage.falls_asleep(1);
        stage.workers[0].schedule(stage.task(), Why::Yielded);
        assert_eq!(stage.asleep(), 1, "{version:?}");
        stage.workers[0].schedule(stage.task(), Why::Yielded);
        assert_eq!(stage.asleep(), 0, "{version:?}");
    }
}

#[test]
fn what_goes_into_the_slot_wakes_no_thief() {
    let stage = Stage::new(2, Version::LifoSlot);
    stage.falls_asleep(1);
    // The first is in the queue by now, and the second in the slot.
    for _ in 0..2 {
        stage.workers[0].schedule(stage.task(), Why::Woken);
    }
    assert_eq!(stage.asleep(), 1);
    stage.workers[0].schedule(stage.task(), Why::Woken);
    assert_eq!(stage.asleep(), 0);
}

#[test]
fn where_nobody_steals_no_thief_is_woken() {
    let stage = Stage::new(2, Version::LocalQueues);
    stage.falls_asleep(1);
    for _ in 0..10 {
        stage.workers[0].schedule(stage.task(), Why::Woken);
    }
    assert_eq!(stage.asleep(), 1);
}

/// Otherwise it could not steal, and would go back to sleep and look again, until the searcher has taken the task.
#[test]
fn a_worker_takes_what_its_last_look_has_found_although_half_of_them_search() {
    let stage = Stage::new(2, Version::Stealing);
    stage.shared.idle.count_as_searching();
    stage.workers[0].local_queue.push(stage.task());
    let worker = &stage.workers[1];
    worker.sleep();
    worker.next().unwrap().shut_down();
}

/// Rule 3 of `src/worker/sleep.rs`. The push comes after the last look of a worker, which it does not wake. And the worker that has pushed
/// the task never looks for one again, because the poll in which it did so blocks.
#[test]
fn a_task_behind_a_blocked_poll_is_found_by_a_sleeper_after_its_check() {
    within(Duration::from_secs(20), || {
        let stage = Stage::new(2, Version::Stealing);
        let [blocked, sleeper] = &stage.workers[..] else {
            unreachable!("there are two");
        };
        let _entered = context::enter(RunQueue::Local(Rc::clone(blocked)));
        let (task, shared) = (stage.task(), Arc::clone(&stage.shared));
        *stage.driver.meanwhile.lock().unwrap() = Some(Box::new(move || {
            assert_eq!(shared.idle.counts().checking, 1);
            task.schedule(Why::Woken);
            assert_eq!(shared.idle.counts().sleeping, 1, "nobody is woken");
        }));
        sleeper.sleep();
        sleeper.next().unwrap().shut_down();
    });
}

/// With the slot, the one that was woken last would be the first. And a thief that is woken for the second would be awake before the
/// others are in the queue.
#[test]
fn what_the_driver_wakes_is_polled_in_this_order_and_wakes_a_thief_at_the_end() {
    /// Notes how many workers are asleep when it is woken.
    struct Notes(Arc<Shared>, Arc<Mutex<Option<usize>>>);
    impl Wake for Notes {
        fn wake(self: Arc<Self>) {
            *self.1.lock().unwrap() = Some(self.0.idle.counts().sleeping);
        }
    }
    let stage = Stage::new(3, Version::LifoSlot);
    let worker = &stage.workers[0];
    let _entered = context::enter(RunQueue::Local(Rc::clone(worker)));
    assert!(stage.falls_asleep(1) && stage.falls_asleep(2));
    let order = Arc::new(Mutex::new(Vec::new()));
    for number in 1..=3 {
        let (order, driver) = (Arc::clone(&order), Arc::clone(&stage.driver));
        let mut has_waited = false;
        let future = poll_fn(move |cx| {
            if has_waited {
                order.lock().unwrap().push(number);
                return Poll::Ready(());
            }
            has_waited = true;
            driver.due.lock().unwrap().push(cx.waker().clone());
            Poll::Pending
        });
        task::spawn(future, Arc::clone(&stage.shared)).0.run();
    }
    let asleep_while_driving = Arc::new(Mutex::new(None));
    let notes = Notes(Arc::clone(&stage.shared), Arc::clone(&asleep_while_driving));
    let last = Waker::from(Arc::new(notes));
    stage.driver.due.lock().unwrap().push(last);

    worker.sleep();
    assert_eq!(*asleep_while_driving.lock().unwrap(), Some(2));
    assert_eq!(stage.asleep(), 1, "one thief is enough");
    for _ in 1..=3 {
        worker.run(worker.next().unwrap());
    }
    assert_eq!(*order.lock().unwrap(), [1, 2, 3]);
}

/// If one sleeper checked and no other, the one that a timer wakes would often be that one, and would have to wake another each time.
#[test]
fn a_timer_wakes_one_worker_and_not_each_time_a_second_one() {
    let stage = Stage::new(2, Version::LifoSlot);
    let worker = &stage.workers[0];
    for _ in 0..100 {
        // The other worker falls asleep while this one is in the driver, which then reports a timer.
        let (shared, checks) = (Arc::clone(&stage.shared), Arc::new(Mutex::new(None)));
        let its_checks = Arc::clone(&checks);
        *stage.driver.meanwhile.lock().unwrap() = Some(Box::new(move || {
            let checks = shared.idle.fall_asleep(1, BeforeSleep::default());
            *its_checks.lock().unwrap() = Some(checks);
        }));
        *stage.driver.due.lock().unwrap() = vec![Waker::noop().clone()];
        worker.sleep();
        let checks = checks.lock().unwrap().expect("it fell asleep");
        assert!(!stage.shared.idle.wake_up(1, checks), "it was woken");
    }
}

/// Otherwise thieves would follow each other from victim to victim.
#[test]
fn a_thief_begins_with_any_of_the_others() {
    let mut victims = BTreeSet::new();
    for seed in 0..32 {
        let stage = Stage::new(4, Version::Stealing);
        let [victims_of_it @ .., thief] = &stage.workers[..] else {
            unreachable!("there are four");
        };
        for victim in victims_of_it {
            victim.local_queue.push(stage.task());
        }
        fastrand::seed(seed);
        thief
            .local_queue
            .steal(&stage.shared.workers)
            .unwrap()
            .shut_down();
        let robbed = victims_of_it
            .iter()
            .position(|victim| victim.local_queue.len() == 0);
        victims.extend(robbed);
    }
    assert_eq!(victims, BTreeSet::from([0, 1, 2]));
}

/// To look more often would cost a look at all the others at each sleep. And it takes two looks to see that a worker is stuck.
#[test]
fn a_worker_looks_after_the_others_after_20_ms_and_not_before() {
    let stage = Stage::new(2, Version::LifoSlot);
    let [helper, stuck] = &stage.workers[..] else {
        unreachable!("there are two");
    };
    let start = Instant::now();
    let watch = Watch::new(2, start);
    let is_helped = |milliseconds| {
        let now = start + Duration::from_millis(milliseconds);
        watch.rescue(&stage.shared.workers, &helper.local_queue, now);
        helper.local_queue.pop().map(Task::shut_down).is_some()
    };
    stuck.remote.counts.polls.add(1);
    stuck.local_queue.put_in_slot(stage.task());
    assert!(!is_helped(20), "it has begun a poll since");
    assert!(!is_helped(39), "a moment after the last look");
    assert!(is_helped(40));
    stuck.local_queue.put_in_slot(stage.task());
    assert!(!is_helped(59), "a moment after the last look");
    stuck.remote.counts.polls.add(1);
    assert!(!is_helped(60), "it has begun a poll since");
    assert!(is_helped(80));
}
