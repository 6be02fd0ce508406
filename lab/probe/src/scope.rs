//! Who watches the code that runs here.
//!
//! `within` and `record` hold for the thread that calls them. What is made inside a watched
//! future's poll belongs where that future belongs, on whichever thread it is polled; [`carry`]
//! takes them along to any other thread.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, Weak},
};

use crate::{
    mutex::own,
    task::{self, Roll, Watcher},
};

thread_local! {
    static WATCHERS: RefCell<Vec<Watcher>> = const { RefCell::new(Vec::new()) };
}

/// Every `within` that runs now. They share what cannot be assigned to one of them.
static ROLLS: Mutex<Vec<Weak<Roll>>> = Mutex::new(Vec::new());

/// The watchers of the code that calls this.
pub(crate) fn here() -> Vec<Watcher> {
    let mut watchers = WATCHERS
        .try_with(|watchers| watchers.borrow().clone())
        .unwrap_or_default();
    if watchers.is_empty() {
        watchers = task::innermost()
            .map(|task| task.watchers())
            .unwrap_or_default();
    }
    if watchers.is_empty() {
        watchers = own(&ROLLS).iter().cloned().map(Watcher::Roll).collect();
    }
    watchers
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

/// Runs `f` with a roll of its own, which others see as long as `f` runs.
pub(crate) fn with_roll<T>(roll: &Arc<Roll>, f: impl FnOnce() -> T) -> T {
    struct Forget(Weak<Roll>);
    impl Drop for Forget {
        fn drop(&mut self) {
            own(&ROLLS).retain(|roll| !roll.ptr_eq(&self.0));
        }
    }
    let roll = Arc::downgrade(roll);
    own(&ROLLS).push(roll.clone());
    let _forget = Forget(roll.clone());
    inside(vec![Watcher::Roll(roll)], f)
}

/// Takes the `within` and `record` that hold here along to another thread.
///
/// Needed only for futures that are made on a thread of your own. Those that are made here, or by a
/// watched future, are known wherever they are polled.
///
/// ```
/// use std::{future::ready, thread};
///
/// let recording = probe::record(|| {
///     let maker = probe::carry(|| drop(probe::watch("made elsewhere", ready(1))));
///     thread::spawn(maker).join().unwrap();
/// });
/// assert_eq!(recording.tasks[0].name, "made elsewhere");
/// ```
pub fn carry<T>(f: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let watchers = here();
    move || inside(watchers, f)
}
