//! The leaf future that is bound to its thread: it waits for a flag.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use futures::executor::block_on;
use runtime_contract::{Leaf, LeafFault, Local, LocalBoxFuture, LocalTrigger};

pub(super) fn leaf(fault: LeafFault) -> &'static dyn Leaf {
    static SOUND: Local = Local::pending(block_on, || flag(false));
    static BORROWS: Local = Local::pending(block_on, || flag(true));
    match fault {
        LeafFault::WakesWhileBorrowed => &BORROWS,
        _ => &SOUND,
    }
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

fn flag(wakes_while_borrowed: bool) -> (LocalBoxFuture, LocalTrigger) {
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
    (Box::pin(future), Box::new(trigger))
}
