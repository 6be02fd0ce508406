//! Two workers, of which one or both fall asleep while others push tasks: what they announce, and whom they wake. All of a
//! worker would be too much for loom, so here is what a worker does with [`Idle`] and its place to sleep, around a number
//! that stands for the queue of what comes from outside.

use loom::{
    sync::{
        Arc,
        atomic::{
            AtomicUsize,
            Ordering::{AcqRel, Acquire, SeqCst},
            fence,
        },
    },
    thread,
};

use crate::{idle::Idle, parking::Parking, workers_model::interrupted};

struct Workers {
    idle: Idle,
    places: Vec<Parking>,
    queued: AtomicUsize,
}

impl Workers {
    fn new(workers: usize) -> Arc<Workers> {
        Arc::new(Workers {
            idle: Idle::new(workers),
            places: (0..workers).map(|_| Parking::default()).collect(),
            queued: AtomicUsize::new(0),
        })
    }

    /// As `Shared::inject`.
    fn push(&self) {
        self.queued.fetch_add(1, AcqRel);
        fence(SeqCst);
        self.wake_one();
    }

    fn wake_one(&self) {
        if let Some(worker) = self.idle.worker_to_wake() {
            assert!(!self.places[worker].unpark(), "nobody is in the driver");
        }
    }

    fn take(&self) -> bool {
        self.queued
            .fetch_update(AcqRel, Acquire, |queued| queued.checked_sub(1))
            .is_ok()
    }

    /// Looks for a task until it has one, which it then polls without end. As `Local::work`.
    fn work(&self, number: usize) {
        let mut searching = false;
        loop {
            if self.take() {
                if searching && self.idle.stop_searching() && self.queued.load(Acquire) > 0 {
                    self.wake_one();
                }
                return;
            }
            searching = searching || self.idle.start_searching();
            let all = !self.idle.fall_asleep(number, searching, true);
            let found = self.queued.load(Acquire) > 0;
            if !found {
                self.places[number].park(None);
            }
            let woken = self.idle.wake_up(number, !all);
            searching = woken || found && searching && self.idle.start_searching();
        }
    }
}

/// Each worker gets one, or else it is a deadlock, and loom reports it.
#[test]
fn two_tasks_that_are_pushed_as_two_workers_fall_asleep_get_a_worker_each() {
    interrupted(2, || {
        let workers = Workers::new(2);
        let threads = [0, 1].map(|number| {
            let workers = workers.clone();
            thread::spawn(move || workers.work(number))
        });
        workers.push();
        workers.push();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(format!("{:?}", workers.idle), "0 searching, 0 sleeping");
    });
}

#[test]
fn a_task_that_is_pushed_as_the_only_worker_falls_asleep_is_taken() {
    loom::model(|| {
        let workers = Workers::new(1);
        let pushes = workers.clone();
        let other = thread::spawn(move || pushes.push());
        workers.work(0);
        other.join().unwrap();
        assert_eq!(format!("{:?}", workers.idle), "0 searching, 0 sleeping");
    });
}

/// The last to fall asleep sleeps without a limit, and then nobody looks.
#[test]
fn of_two_workers_that_fall_asleep_at_once_one_looks_until_the_other_sleeps() {
    loom::model(|| {
        let idle = Arc::new(Idle::new(2));
        let other = {
            let idle = idle.clone();
            thread::spawn(move || !idle.fall_asleep(1, false, true))
        };
        let all = !idle.fall_asleep(0, false, true);
        assert_ne!(other.join().unwrap(), all);
        assert!(!idle.nobody_looks(), "one of them sleeps with a limit");
        assert!(!idle.wake_up(usize::from(all), true));
        assert!(idle.nobody_looks());
        assert!(!idle.wake_up(usize::from(!all), false));
        assert!(!idle.nobody_looks(), "nobody sleeps");
    });
}
