//! The leaf future that is bound to its thread: it waits for a flag.

use std::{
    cell::RefCell,
    future::Future,
    mem,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use super::leaf_fault::LeafFault;
use crate::{
    Answer, Leaf, Local, LocalBoxFuture, LocalLeaf, LocalTrigger, wake_counter::WakeCounter,
};

struct Flag(LeafFault);

pub(super) fn leaf(fault: LeafFault) -> &'static dyn Leaf {
    Box::leak(Box::new(Local::new(Box::leak(Box::new(Flag(fault))))))
}

impl LocalLeaf for Flag {
    fn block_on(&self, mut future: LocalBoxFuture) {
        WakeCounter::new().finish(&mut future);
    }

    fn pending(&self) -> Answer<(LocalBoxFuture, LocalTrigger)> {
        let shared = Rc::new(RefCell::new(Shared::default()));
        let waits = Box::pin(Waits(shared.clone()));
        let keeps = self.0 == LeafFault::WakesWhileBorrowed;
        let trigger = move || {
            let mut shared = shared.borrow_mut();
            shared.is_set = true;
            let waker = shared.waker.take();
            let kept = keeps.then_some(shared);
            waker.into_iter().for_each(Waker::wake);
            drop(kept);
        };
        Ok((waits, Box::new(trigger)))
    }
}

#[derive(Default)]
struct Shared {
    is_set: bool,
    waker: Option<Waker>,
}

struct Waits(Rc<RefCell<Shared>>);

impl Waits {
    /// What was there is dropped when nothing is borrowed any more.
    fn keep(&self, waker: Option<Waker>) {
        let earlier = mem::replace(&mut self.0.borrow_mut().waker, waker);
        drop(earlier);
    }
}

impl Future for Waits {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.keep(Some(cx.waker().clone()));
        match self.0.borrow().is_set {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.keep(None);
    }
}
