//! A waker by hand, so that it can be seen when it is cloned and dropped, which [`std::task::Wake`] hides behind its `Arc`.
//!
//! This and `stack.rs` are the only files with `unsafe` in them.
#![allow(unsafe_code)]

use std::{
    mem::ManuallyDrop,
    sync::Arc,
    task::{RawWaker, RawWakerVTable, Waker},
};

use crate::see::{
    event::Act,
    own_waker::{Lent, OwnWaker},
    tally::Tally,
};

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

/// What is behind a waker. To look is not observed.
pub(crate) enum Behind<'a> {
    Observed(&'a Arc<Observed>),
    Lent(&'a Lent<'a>),
    /// It was not made here.
    Foreign,
}

/// Shows `f` what is behind this waker.
pub(crate) fn behind<T>(waker: &Waker, f: impl FnOnce(Behind<'_>) -> T) -> T {
    if std::ptr::eq(waker.vtable(), &raw const VTABLE) {
        // SAFETY: a waker with this table has a pointer from `Arc::into_raw` or `Arc::as_ptr`, and the `Arc` is alive as long as
        // the waker can be borrowed. The count that this one seems to carry is not given back.
        let observed = ManuallyDrop::new(unsafe { Arc::from_raw(waker.data().cast::<Observed>()) });
        f(Behind::Observed(&observed))
    } else if std::ptr::eq(waker.vtable(), &raw const LENT) {
        // SAFETY: as `lend` says, the data is alive as long as the waker can be borrowed.
        f(Behind::Lent(unsafe { &*waker.data().cast::<Lent<'_>>() }))
    } else {
        f(Behind::Foreign)
    }
}

/// A waker that the caller owns. Its drop is observed.
pub(crate) fn owned(observed: Arc<Observed>) -> Waker {
    // SAFETY: the pointer comes from `Arc::into_raw` and carries one count, as `VTABLE`'s functions expect.
    unsafe { Waker::new(Arc::into_raw(observed).cast(), &VTABLE) }
}

/// Lends a waker to `f`. Its clones are observed, the loan itself is not.
pub(crate) fn lend<R>(lent: &Lent<'_>, f: impl FnOnce(&Waker) -> R) -> R {
    let waker = match lent.made() {
        // SAFETY: this waker carries no count of its own, and is never dropped. `lent` keeps the `Arc` alive until `f` has returned,
        // and `f` cannot move the waker out of the reference.
        Some(observed) => unsafe { Waker::new(Arc::as_ptr(observed).cast(), &VTABLE) },
        // SAFETY: as above: `lent` is borrowed until `f` has returned.
        None => unsafe { Waker::new((&raw const *lent).cast(), &LENT) },
    };
    f(&ManuallyDrop::new(waker))
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

/// Of a waker that is only borrowed. The first clone gives its data a place to live in, which all clones share.
static LENT: RawWakerVTable = RawWakerVTable::new(clone_lent, wake_lent, wake_lent, |_| ());

unsafe fn clone_lent(data: *const ()) -> RawWaker {
    // SAFETY: the waker that is cloned is borrowed from `lend`, which keeps its data alive.
    let observed = unsafe { &*data.cast::<Lent<'_>>() }.observed();
    observed.act(Act::Clone, false);
    RawWaker::new(Arc::into_raw(observed.clone()).cast(), &VTABLE)
}

/// Nobody can wake it by value, because nobody owns it.
unsafe fn wake_lent(data: *const ()) {
    // SAFETY: as in `clone_lent`.
    unsafe { &*data.cast::<Lent<'_>>() }.wake(false);
}
