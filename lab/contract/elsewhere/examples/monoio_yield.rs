//! One task yields until another has run. monoio 0.2.4 polls the first one forever.

use std::{cell::Cell, future::poll_fn, rc::Rc, task::Poll};

fn main() {
    let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().build();
    runtime.unwrap().block_on(async {
        let ran = Rc::new(Cell::new(false));
        let seen = ran.clone();
        let yields = monoio::spawn(poll_fn(move |cx| {
            if seen.get() {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        }));
        monoio::spawn(async move { ran.set(true) });
        println!("waiting");
        yields.await;
        println!("both have run");
    });
}
