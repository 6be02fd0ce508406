//! The last waker of a task is dropped on another thread. monoio 0.2.4 drops the task's future there, which is not `Send`.

use std::{
    future::poll_fn,
    marker::PhantomData,
    rc::Rc,
    sync::mpsc,
    task::Poll,
    thread::{self, ThreadId},
};

/// What must not leave its thread: an `Rc` cannot be sent.
struct StaysAtHome(ThreadId, PhantomData<Rc<()>>);

impl Drop for StaysAtHome {
    fn drop(&mut self) {
        let at_home = thread::current().id() == self.0;
        println!("dropped on its own thread: {at_home}");
    }
}

fn main() {
    let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().build();
    let (give, given) = mpsc::channel();
    runtime.unwrap().block_on(async move {
        let stays = StaysAtHome(thread::current().id(), PhantomData);
        drop(monoio::spawn(poll_fn(move |cx| {
            let _stays = &stays;
            give.send(cx.waker().clone()).unwrap();
            Poll::<()>::Pending
        })));
        monoio::spawn(async {}).await; // until the task has been polled
        let waker = given.recv().unwrap();
        thread::spawn(move || drop(waker)).join().unwrap();
    });
}
