//! Who watches the code that runs here: `within` and `record` on the thread that calls them. What is made inside of the poll of a
//! watched future, on whichever thread, belongs where that future belongs.

use std::{
    cell::RefCell,
    sync::{Arc, LazyLock, Mutex, Weak},
};

use crate::see::{
    lock::own,
    roll::{Roll, Watchers},
    task::{self, Task},
};

thread_local! {
    static WATCHERS: RefCell<Option<Watchers>> = const { RefCell::new(None) };
}

/// What is watched outside of all of them.
static REST: LazyLock<Arc<Roll>> = LazyLock::new(Arc::default);

/// Every `within` that runs now, and the rest. They share what cannot be assigned to one of them.
static ROLLS: LazyLock<Mutex<Watchers>> =
    LazyLock::new(|| Mutex::new(Arc::new(vec![Arc::downgrade(&REST)])));

/// Those who watch the code that calls this, if they are known.
fn known() -> Option<Watchers> {
    let here = WATCHERS.try_with(|watchers| watchers.borrow().clone());
    let outer = || task::of_here(|task| task.watchers().clone());
    here.ok().flatten().or_else(outer)
}

/// Those who watch the code that calls this, and whether they are sure to. If nobody is known to, each may be the one.
pub(crate) fn watchers() -> (Watchers, bool) {
    match known() {
        Some(watchers) => (watchers, true),
        None => (own(&ROLLS).clone(), false),
    }
}

/// The task is polled for the first time, by the code that calls this. Those who watch that code watch it too.
pub(crate) fn begin_here(task: &Arc<Task>) {
    match known() {
        Some(here) => task.add_watchers(&here, true),
        None if task.is_assigned() => {}
        None => task.add_watchers(&own(&ROLLS).clone(), false),
    }
}

/// The roll on which is what the code that calls this watches.
pub(crate) fn roll() -> Arc<Roll> {
    let roll = known().and_then(|watchers| watchers.iter().find_map(Weak::upgrade));
    roll.unwrap_or_else(|| REST.clone())
}

/// Runs `f` with this roll in force on this thread, besides those that are in force already.
pub(crate) fn inside<T>(roll: Weak<Roll>, f: impl FnOnce() -> T) -> T {
    struct Restore(Option<Watchers>);
    impl Drop for Restore {
        fn drop(&mut self) {
            WATCHERS.set(self.0.take());
        }
    }
    let before = WATCHERS.take();
    let mut all = before.clone().unwrap_or_default();
    Arc::make_mut(&mut all).push(roll);
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
        Arc::make_mut(&mut own(&ROLLS)).push(roll.clone());
        Open(roll)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        Arc::make_mut(&mut own(&ROLLS)).retain(|roll| !roll.ptr_eq(&self.0));
    }
}

/// Runs `f` with a roll of its own, which others see as long as `f` runs.
pub(crate) fn with_roll<T>(roll: &Arc<Roll>, f: impl FnOnce() -> T) -> T {
    let _open = Open::new(roll);
    inside(Arc::downgrade(roll), f)
}
