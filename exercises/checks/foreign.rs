//! A waker is code of another author: when it is cloned, called or dropped, it may use what keeps it, so no lock may be held
//! then. And what is finished or dropped keeps no waker.

use probe::hostile::{Hostile, Moment};
use std::{
    cell::{Cell, RefCell},
    sync::{Arc, Mutex},
    task::Waker,
};

/// The steps in which a waker found the lock held.
type Steps = Arc<Mutex<Vec<&'static str>>>;

/// The tasks of a play, and what happens in it.
pub struct Tasks {
    arm: Box<dyn Fn(&Hostile)>,
    tasks: RefCell<Vec<Hostile>>,
    step: Arc<Mutex<&'static str>>,
    wakers: Cell<usize>,
}

impl Tasks {
    /// A waker of another task than all before it.
    pub fn waker(&self) -> Waker {
        let task = Hostile::new();
        (self.arm)(&task);
        let waker = task.waker();
        self.tasks.borrow_mut().push(task);
        self.wakers.set(self.wakers.get() + 1);
        waker
    }

    /// Says what is done next.
    pub fn step(&self, what: &'static str) {
        *self.step.lock().unwrap() = what;
    }
}

/// Plays a scenario three times: with wakers that look, whenever one of them is cloned, called or dropped, whether the lock of
/// the subject is free. At the end of the play, whatever has kept a waker of it must have finished or been dropped.
pub fn wakers_find_the_lock_free<S: Clone + Send + Sync + 'static>(
    subject: impl Fn() -> S,
    is_free: fn(&S) -> bool,
    play: impl Fn(&S, &Tasks),
) {
    for (moment, what) in [
        (Moment::Clone, "cloned"),
        (Moment::Wake, "called"),
        (Moment::Drop, "dropped"),
    ] {
        let (subject, step) = (subject(), Arc::new(Mutex::new("it begins")));
        let (looked_at, now, steps) = (subject.clone(), Arc::clone(&step), Steps::default());
        let held_in = Arc::clone(&steps);
        let arm = move |task: &Hostile| {
            let (looked_at, now, held_in) =
                (looked_at.clone(), Arc::clone(&now), Arc::clone(&steps));
            task.arm(moment, move || {
                if !is_free(&looked_at) {
                    held_in.lock().unwrap().push(*now.lock().unwrap());
                }
            });
        };
        let tasks = Tasks {
            arm: Box::new(arm),
            tasks: RefCell::default(),
            step,
            wakers: Cell::new(0),
        };
        play(&subject, &tasks);
        let kept: usize = tasks.tasks.borrow().iter().map(|task| task.live()).sum();
        tasks.tasks.borrow().iter().for_each(Hostile::disarm);
        if let Some(step) = held_in.lock().unwrap().first() {
            panic!(
                "A waker was {what} while the lock was held. This was the step: {step}.\n\
                 Wanted: the lock is free then. The code of a waker is not yours, and it may use the same lock.\n\
                 Look at: in which line is a waker {what} here, visibly or not, and up to which line is the lock held?"
            );
        }
        let wakers = tasks.wakers.get();
        assert!(
            kept == 0,
            "Every future has finished or been dropped, and of {wakers} tasks that waited, wakers are kept: {kept}.\n\
             Wanted: none. A waker that is kept keeps its task alive.\n\
             Look at: who drops the waker in each way in which a future can end?"
        );
    }
}
