//! The leaf future that is bound to its thread: it waits for a flag.

use std::{
    cell::RefCell,
    future::Future,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use crate::{
    Answer, Leaf, Local, LocalBoxFuture, LocalLeaf, LocalTrigger, wake_counter::WakeCounter,
};

pub(super) struct Flag {
    pub(super) wakes_while_borrowed: bool,
}

impl Flag {
    pub(super) fn leaf(self) -> &'static dyn Leaf {
        Box::leak(Box::new(Local::new(Box::leak(Box::new(self)))))
    }
}

impl LocalLeaf for Flag {
    fn block_on(&self, mut future: LocalBoxFuture) {
        WakeCounter::new().finish(&mut future);
    }

    fn pending(&self) -> Answer<(LocalBoxFuture, LocalTrigger)> {
        let shared = Rc::new(RefCell::new(Shared::default()));
        let waits = Box::pin(Waits(shared.clone()));
        let keeps = self.wakes_while_borrowed;
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
    fn is_set(&self) -> bool {
        self.0.borrow().is_set
    }

    /// What it returns is dropped when nothing is borrowed.
    fn replace(&self, waker: Option<Waker>) -> Option<Waker> {
        std::mem::replace(&mut self.0.borrow_mut().waker, waker)
    }
}

impl Future for Waits {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_set() {
            return Poll::Ready(());
        }
        drop(self.replace(Some(cx.waker().clone())));
        Poll::Pending
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        drop(self.replace(None));
    }
}
