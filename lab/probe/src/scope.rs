//! Who watches the code that runs here.
//!
//! `within` and `record` hold for the thread that calls them. What is made inside a watched
//! future's poll belongs where that future belongs, on whichever thread it is polled; [`carry`]
//! takes them along to any other thread.

use crate::recorder::Recorder;
use crate::task::{self, Task};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, Weak};

const UNPOISONED: &str = "no code of a user runs under the probe's own locks";

#[derive(Clone, Debug)]
pub(crate) enum Scope {
    Roll(Weak<Roll>),
    Recorder(Arc<Recorder>),
}

/// The tasks that one `within` watches, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Roll(Mutex<Vec<Arc<Task>>>);

impl Roll {
    pub(crate) fn add(&self, task: Arc<Task>) {
        self.0.lock().expect(UNPOISONED).push(task);
    }

    pub(crate) fn tasks(&self) -> Vec<Arc<Task>> {
        self.0.lock().expect(UNPOISONED).clone()
    }
}

thread_local! {
    static SCOPES: RefCell<Vec<Scope>> = const { RefCell::new(Vec::new()) };
}

/// Every `within` that runs now. They share what nobody can place.
static ROLLS: Mutex<Vec<Weak<Roll>>> = Mutex::new(Vec::new());

pub(crate) fn here() -> Vec<Scope> {
    let mut scopes = SCOPES
        .try_with(|scopes| scopes.borrow().clone())
        .unwrap_or_default();
    if scopes.is_empty() {
        scopes = task::innermost()
            .map(|task| task.scopes())
            .unwrap_or_default();
    }
    if scopes.is_empty() {
        scopes = ROLLS
            .lock()
            .expect(UNPOISONED)
            .iter()
            .cloned()
            .map(Scope::Roll)
            .collect();
    }
    scopes
}

/// Runs `f` with these scopes in force on this thread, besides those that are.
pub(crate) fn inside<T>(scopes: Vec<Scope>, f: impl FnOnce() -> T) -> T {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            SCOPES.with(|scopes| scopes.borrow_mut().truncate(self.0));
        }
    }
    let _restore = SCOPES.with(|current| {
        let mut current = current.borrow_mut();
        let before = current.len();
        current.extend(scopes);
        Restore(before)
    });
    f()
}

/// Runs `f` with a roll of its own, which others see as long as `f` runs.
pub(crate) fn with_roll<T>(roll: &Arc<Roll>, f: impl FnOnce() -> T) -> T {
    struct Forget(Weak<Roll>);
    impl Drop for Forget {
        fn drop(&mut self) {
            ROLLS
                .lock()
                .expect(UNPOISONED)
                .retain(|roll| !roll.ptr_eq(&self.0));
        }
    }
    let roll = Arc::downgrade(roll);
    ROLLS.lock().expect(UNPOISONED).push(roll.clone());
    let _forget = Forget(roll.clone());
    inside(vec![Scope::Roll(roll)], f)
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
    let scopes = here();
    move || inside(scopes, f)
}
