//! A waker that does something of its own while it is cloned, woken or dropped: to a future, a waker is code that it does
//! not control.
//!
//! `std::task::Wake` hides clones and drops behind its `Arc`, so this is a table of functions, and the one file with
//! `unsafe` in it.
#![allow(unsafe_code)]

use std::{
    mem,
    panic::resume_unwind,
    sync::{Arc, Mutex},
    task::{RawWaker, RawWakerVTable, Waker},
    thread,
};

use crate::{fixtures::Number, lock::lock};

/// When in the life of a waker something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Clone,
    Wake,
    /// Dropped without being woken.
    Drop,
}

/// Makes wakers that count, and that do a chosen thing at a chosen moment. Clones of it share both.
#[derive(Clone, Default)]
pub(crate) struct Hostile(Arc<Shared>);

type Action = Arc<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct Shared {
    armed: Mutex<Option<(Moment, Action)>>,
    wakes: Number,
    live: Number,
}

impl Hostile {
    pub(crate) fn waker(&self) -> Waker {
        self.0.live.add_one();
        let data = Arc::into_raw(Arc::clone(&self.0));
        // SAFETY: the pointer comes from `Arc::into_raw` and carries one count, as the functions of `VTABLE` expect.
        unsafe { Waker::new(data.cast(), &VTABLE) }
    }

    /// From now on, each of its wakers does this at that moment.
    pub(crate) fn arm(&self, moment: Moment, action: impl Fn() + Send + Sync + 'static) {
        self.put(Some((moment, Arc::new(action))));
    }

    /// Drops what it was armed with, which may own one of these wakers.
    pub(crate) fn disarm(&self) {
        self.put(None);
    }

    fn put(&self, armed: Option<(Moment, Action)>) {
        let earlier = mem::replace(&mut *lock(&self.0.armed), armed);
        drop(earlier); // when the lock is free, which the drop of a waker takes
    }

    pub(crate) fn wakes(&self) -> usize {
        self.0.wakes.get()
    }

    /// How many of its wakers exist.
    pub(crate) fn live(&self) -> usize {
        self.0.live.get()
    }
}

impl Shared {
    fn act(&self, moment: Moment) {
        let armed = lock(&self.armed).clone();
        if let Some((_, action)) = armed.filter(|(at, _)| *at == moment) {
            action();
        }
    }
}

/// A wake or a drop that panics is over all the same, and so is the waker.
struct AtTheEnd<'a, F: Fn(&Shared)>(&'a Shared, F);

impl<F: Fn(&Shared)> Drop for AtTheEnd<'_, F> {
    fn drop(&mut self) {
        (self.1)(self.0);
    }
}

// A `static`: `Waker::will_wake` compares addresses, and a constant may have several.
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the waker that is cloned is alive, and so is what it points to.
    let shared = unsafe { &*data.cast::<Shared>() };
    shared.act(Moment::Clone);
    shared.live.add_one();
    // SAFETY: as above. The count that is added belongs to the new waker.
    unsafe { Arc::increment_strong_count(data.cast::<Shared>()) };
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: the waker is used up, and its count with it.
    let shared = unsafe { Arc::from_raw(data.cast::<Shared>()) };
    let _counts = AtTheEnd(&shared, |shared| {
        shared.wakes.add_one();
        shared.live.take_one();
    });
    shared.act(Moment::Wake);
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: the waker is only borrowed, so it is alive.
    let shared = unsafe { &*data.cast::<Shared>() };
    let _counts = AtTheEnd(shared, |shared| {
        shared.wakes.add_one();
    });
    shared.act(Moment::Wake);
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: the waker is dropped, and its count with it.
    let shared = unsafe { Arc::from_raw(data.cast::<Shared>()) };
    let _counts = AtTheEnd(&shared, |shared| shared.live.take_one());
    shared.act(Moment::Drop);
}

/// Runs `f` on another thread, and waits for it: for that thread, a lock that may be taken twice by one is not free.
pub(crate) fn elsewhere<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(f).join()).unwrap_or_else(|payload| resume_unwind(payload))
}
