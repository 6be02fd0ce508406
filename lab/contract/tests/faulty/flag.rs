//! The leaf future that is bound to its thread: it waits for a flag.

use std::{
    cell::{Cell, RefCell},
    future::{Future, poll_fn},
    rc::Rc,
    task::{Poll, Waker},
};

use futures::executor::block_on;
use runtime_contract::{Leaf, LeafFault, Local};

use crate::subjects::leaf_of;

pub(super) fn leaf(fault: LeafFault) -> &'static dyn Leaf {
    let borrows = fault == LeafFault::WakesWhileBorrowed;
    leaf_of(Local::on(block_on).once("a flag", move || flag(borrows)))
}

#[derive(Default)]
struct Flag {
    is_set: Cell<bool>,
    waker: Cell<Option<Waker>>,
    borrowed: RefCell<()>,
}

struct Waits(Rc<Flag>);

impl Drop for Waits {
    fn drop(&mut self) {
        let _flag = self.0.borrowed.borrow_mut();
        self.0.waker.take();
    }
}

fn flag(wakes_while_borrowed: bool) -> (impl Future<Output = ()>, impl FnOnce()) {
    let flag = Rc::new(Flag::default());
    let waits = Waits(flag.clone());
    let future = poll_fn(move |cx| {
        waits.0.waker.set(Some(cx.waker().clone()));
        if waits.0.is_set.get() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    });
    let trigger = move || {
        flag.is_set.set(true);
        let _borrowed = wakes_while_borrowed.then(|| flag.borrowed.borrow_mut());
        flag.waker.take().into_iter().for_each(Waker::wake);
    };
    (future, trigger)
}
