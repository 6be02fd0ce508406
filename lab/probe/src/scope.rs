//! Who watches the code that runs here.
//!
//! `within` and `record` hold for the thread that calls them. What is made inside a watched
//! future's poll belongs where that future belongs, on whichever thread it is polled.

use std::{
    cell::RefCell,
    sync::{Arc, LazyLock, Mutex, Weak},
};

use crate::{
    mutex::own,
    task::{self, Roll, Task, Watcher},
};

thread_local! {
    static WATCHERS: RefCell<Vec<Watcher>> = const { RefCell::new(Vec::new()) };
}

/// Every `within` that runs now. They share what cannot be assigned to one of them.
static ROLLS: Mutex<Vec<Weak<Roll>>> = Mutex::new(Vec::new());

/// What is watched outside of all of them.
static REST: LazyLock<Arc<Roll>> = LazyLock::new(Arc::default);

/// All that there are now.
fn anyone() -> Vec<Watcher> {
    let rolls = own(&ROLLS).clone();
    let rest = Arc::downgrade(&REST);
    rolls.into_iter().chain([rest]).map(Watcher::Roll).collect()
}

/// Shows a task that has just been made, or is polled for the first time, to those who watch the code that does that.
pub(crate) fn show(task: &Arc<Task>) {
    let show_to = |watchers: &[Watcher]| {
        if !watchers.is_empty() {
            task.assign();
            task.show_to(watchers);
        }
        !watchers.is_empty()
    };
    let is_shown = WATCHERS.try_with(|watchers| show_to(&watchers.borrow()));
    let outer = || task::innermost().is_some_and(|outer| show_to(&outer.watchers()));
    if !is_shown.unwrap_or_default() && !outer() && !task.is_assigned() {
        task.show_to(&anyone());
    }
}

/// The roll on which is what the code that calls this watches.
pub(crate) fn roll() -> Arc<Roll> {
    let here = WATCHERS.try_with(|watchers| watchers.borrow().clone());
    let outer = task::innermost().map(|outer| outer.watchers());
    let known = here.into_iter().chain(outer).flatten();
    let mut rolls = known.filter_map(|watcher| match watcher {
        Watcher::Roll(roll) => roll.upgrade(),
        Watcher::Recorder(_) => None,
    });
    rolls.next().unwrap_or_else(|| REST.clone())
}

/// Runs `f` with these watchers in force on this thread, besides those that are in force already.
pub(crate) fn inside<T>(watchers: Vec<Watcher>, f: impl FnOnce() -> T) -> T {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            WATCHERS.with(|watchers| watchers.borrow_mut().truncate(self.0));
        }
    }
    let _restore = WATCHERS.with(|current| {
        let mut current = current.borrow_mut();
        let before = current.len();
        current.extend(watchers);
        Restore(before)
    });
    f()
}

/// A roll that others see until this is dropped.
#[derive(Debug)]
pub(crate) struct Open(Weak<Roll>);

impl Open {
    pub(crate) fn new(roll: &Arc<Roll>) -> Open {
        let roll = Arc::downgrade(roll);
        own(&ROLLS).push(roll.clone());
        Open(roll)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        own(&ROLLS).retain(|roll| !roll.ptr_eq(&self.0));
    }
}

/// Runs `f` with a roll of its own, which others see as long as `f` runs.
pub(crate) fn with_roll<T>(roll: &Arc<Roll>, f: impl FnOnce() -> T) -> T {
    let _open = Open::new(roll);
    inside(vec![Watcher::Roll(Arc::downgrade(roll))], f)
}
