//! Who watches the code that runs here: `within` and `record` on the thread that calls them. What is made inside of the poll of a
//! watched future, on whichever thread, belongs where that future belongs.

use std::{
    cell::RefCell,
    sync::{Arc, LazyLock, Mutex, Weak},
};

use crate::{
    mutex::own,
    task::{self, Roll, Watchers},
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
pub(crate) fn watchers() -> Option<Watchers> {
    let here = WATCHERS.try_with(|watchers| watchers.borrow().clone());
    let outer = || task::of_here(|it| it.watchers().clone());
    here.ok().flatten().or_else(outer)
}

/// Those who may watch what is known to belong to none of them.
pub(crate) fn all() -> Watchers {
    own(&ROLLS).clone()
}

/// The roll on which is what the code that calls this watches.
pub(crate) fn roll() -> Arc<Roll> {
    let known = watchers().and_then(|it| it.iter().find_map(Weak::upgrade));
    known.unwrap_or_else(|| REST.clone())
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
        Arc::make_mut(&mut own(&ROLLS)).retain(|it| !it.ptr_eq(&self.0));
    }
}

/// Runs `f` with a roll of its own, which others see as long as `f` runs.
pub(crate) fn with_roll<T>(roll: &Arc<Roll>, f: impl FnOnce() -> T) -> T {
    let _open = Open::new(roll);
    inside(Arc::downgrade(roll), f)
}
