//! A waker by hand, so that it can be seen when it is cloned and dropped, which [`std::task::Wake`] hides behind its `Arc`.
//!
//! This and `stack.rs` are the only files with `unsafe` in them.
#![allow(unsafe_code)]

use std::{
    mem::ManuallyDrop,
    sync::Arc,
    task::{RawWaker, RawWakerVTable, Waker},
};

use crate::see::{event::Act, own_waker::OwnWaker, tally::Tally};

/// The data behind each waker. All wakers of one `Observed` would wake the same.
#[derive(Debug)]
pub(crate) enum Observed {
    /// Without an allocation of its own, since each watched future has one.
    Watched(OwnWaker),
    Counted(Arc<Tally>),
}

impl Observed {
    /// `in_child`: it happened to the waker of a watched future inside this one.
    pub(crate) fn act(&self, act: Act, in_child: bool) {
        match self {
            Self::Watched(own) => own.note(act, in_child),
            Self::Counted(tally) => tally.note(act),
        }
    }

    pub(crate) fn own(&self) -> Option<&OwnWaker> {
        match self {
            Self::Watched(own) => Some(own),
            Self::Counted(_) => None,
        }
    }
}

/// What is behind this waker, if it was made here. That is no clone of the waker, and is not observed.
pub(crate) fn observed(waker: &Waker) -> Option<Arc<Observed>> {
    if !std::ptr::eq(waker.vtable(), &raw const VTABLE) {
        return None;
    }
    let data = waker.data().cast::<Observed>();
    // SAFETY: a waker with this table has a pointer from `Arc::into_raw` or `Arc::as_ptr`, and the `Arc` is alive as long as
    // the waker can be borrowed. The count that is added here belongs to the `Arc` that is returned.
    unsafe {
        Arc::increment_strong_count(data);
        Some(Arc::from_raw(data))
    }
}

/// A waker that the caller owns. Its drop is observed.
pub(crate) fn owned(observed: Arc<Observed>) -> Waker {
    // SAFETY: the pointer comes from `Arc::into_raw` and carries one count, as `VTABLE`'s functions expect.
    unsafe { Waker::new(Arc::into_raw(observed).cast(), &VTABLE) }
}

/// Lends a waker to `f`. Its clones are observed, the loan itself is not.
pub(crate) fn lend<R>(observed: &Arc<Observed>, f: impl FnOnce(&Waker) -> R) -> R {
    // SAFETY: this waker carries no count of its own, and is never dropped. `observed` keeps the
    // data alive until `f` has returned, and `f` cannot move the waker out of the reference.
    let waker = ManuallyDrop::new(unsafe { Waker::new(Arc::as_ptr(observed).cast(), &VTABLE) });
    f(&waker)
}

// A `static`: `Waker::will_wake` compares addresses, and a constant may have several.
static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: `data` points into a live `Arc<Observed>`, since the waker being cloned is alive.
    unsafe { &*data.cast::<Observed>() }.act(Act::Clone, false);
    // SAFETY: as above; the count added here belongs to the new waker.
    unsafe { Arc::increment_strong_count(data.cast::<Observed>()) };
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: the waker is consumed, and its count with it.
    let observed = unsafe { Arc::from_raw(data.cast::<Observed>()) };
    observed.act(Act::WakeByValue, false);
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: `data` points into a live `Arc<Observed>`, since the waker is only borrowed.
    unsafe { &*data.cast::<Observed>() }.act(Act::WakeByRef, false);
}

unsafe fn drop(data: *const ()) {
    // SAFETY: the waker is dropped, and its count with it.
    let observed = unsafe { Arc::from_raw(data.cast::<Observed>()) };
    observed.act(Act::Drop, false);
}
