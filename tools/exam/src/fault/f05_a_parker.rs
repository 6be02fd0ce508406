//! A parker that checks its token under one lock, and sleeps under another.

use std::{cell::Cell, rc::Rc, sync::Arc};

use probe::{Condvar, Mutex};

// ANCHOR: program
#[derive(Default)]
struct Parker {
    token: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    fn park(&self) {
        while !self.take_token() {
            let token = self.token.lock().unwrap();
            drop(self.changed.wait(token).unwrap());
        }
    }

    fn take_token(&self) -> bool {
        std::mem::take(&mut *self.token.lock().unwrap())
    }

    fn unpark(&self) {
        *self.token.lock().unwrap() = true;
        self.changed.notify_one();
    }
}
// ANCHOR_END: program

impl Parker {
    // ANCHOR: repair
    fn park_under_one_lock(&self) {
        let mut token = self.token.lock().unwrap();
        while !*token {
            token = self.changed.wait(token).unwrap();
        }
        *token = false;
    }
    // ANCHOR_END: repair
}

#[test]
fn an_unpark_between_the_check_and_the_sleep_is_lost() {
    /// Whether the thread sleeps although it has its token, if another thread unparks it in the first gap.
    fn sleeps_with_its_token(park: fn(&Parker)) -> bool {
        let (parker, sleeps) = (Arc::<Parker>::default(), Rc::new(Cell::new(false)));
        let (asleep, sleeper, other) =
            (Rc::clone(&sleeps), Arc::clone(&parker), Arc::clone(&parker));
        let instead = move || {
            asleep.set(*sleeper.token.lock().unwrap());
            sleeper.unpark();
        };
        probe::instead_of_sleep(instead, || {
            probe::in_gap(0, move || other.unpark(), || park(&parker));
        });
        sleeps.get()
    }
    assert!(sleeps_with_its_token(Parker::park));
    assert!(!sleeps_with_its_token(Parker::park_under_one_lock));
}
