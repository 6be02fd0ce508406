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
    task::{self, Roll, Task, Watcher, Watchers},
};

thread_local! {
    static WATCHERS: RefCell<Option<Watchers>> = const { RefCell::new(None) };
}

/// What is watched outside of all of them.
static REST: LazyLock<Arc<Roll>> = LazyLock::new(Arc::default);

/// Every `within` that runs now, and the rest. They share what cannot be assigned to one of them.
static ROLLS: LazyLock<Mutex<Watchers>> =
    LazyLock::new(|| Mutex::new(Arc::new(vec![Watcher::Roll(Arc::downgrade(&REST))])));

/// Shows a task that has just been made, or is polled for the first time, to those who watch the code that does that.
pub(crate) fn show(task: &Arc<Task>) {
    let show_to = |watchers: &Option<Watchers>| watchers.as_ref().map(|it| task.show_to(it, true));
    let is_shown = WATCHERS.try_with(|watchers| show_to(&watchers.borrow()));
    let outer = || task::innermost().and_then(|outer| show_to(&outer.watchers()));
    if is_shown.ok().flatten().or_else(outer).is_none() {
        task.show_to(&own(&ROLLS).clone(), false);
    }
}

/// The roll on which is what the code that calls this watches.
pub(crate) fn roll() -> Arc<Roll> {
    let here = WATCHERS.try_with(|watchers| watchers.borrow().clone());
    let outer = task::innermost().and_then(|outer| outer.watchers());
    let known = [here.ok().flatten(), outer].into_iter().flatten();
    let roll = known.flat_map(|it| it.to_vec()).find_map(|it| match it {
        Watcher::Roll(roll) => roll.upgrade(),
        Watcher::Recorder(_) => None,
    });
    roll.unwrap_or_else(|| REST.clone())
}

/// Runs `f` with this watcher in force on this thread, besides those that are in force already.
pub(crate) fn inside<T>(watcher: Watcher, f: impl FnOnce() -> T) -> T {
    struct Restore(Option<Watchers>);
    impl Drop for Restore {
        fn drop(&mut self) {
            WATCHERS.set(self.0.take());
        }
    }
    let before = WATCHERS.take();
    let mut all = before.clone().unwrap_or_default();
    Arc::make_mut(&mut all).push(watcher);
    WATCHERS.set(Some(all));
    let _restore = Restore(before);
    f()
}

/// A roll that others see until this is dropped.
#[derive(Debug)]
pub(crate) struct Open(Weak<Roll>);

impl Open {
    pub(crate) fn new(roll: &Arc<Roll>) -> Open {
        let roll = Arc::downgrade(roll);
        Arc::make_mut(&mut own(&ROLLS)).push(Watcher::Roll(roll.clone()));
        Open(roll)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let is_other = |it: &Watcher| !matches!(it, Watcher::Roll(roll) if roll.ptr_eq(&self.0));
        Arc::make_mut(&mut own(&ROLLS)).retain(is_other);
    }
}

/// Runs `f` with a roll of its own, which others see as long as `f` runs.
pub(crate) fn with_roll<T>(roll: &Arc<Roll>, f: impl FnOnce() -> T) -> T {
    let _open = Open::new(roll);
    inside(Watcher::Roll(Arc::downgrade(roll)), f)
}
