//! The last waker of task A is dropped, so A is dropped, and with it the last waker of task B. switchyard 0.3 drops A under
//! the lock that the drop of a waker takes.

use std::{future::poll_fn, sync::mpsc, task::Poll, task::Waker, thread, time::Duration};

use switchyard::{Switchyard, threads};

/// Waits forever, holds `other`, and returns its only waker.
fn waits(yard: &Switchyard<()>, other: Option<Waker>) -> Waker {
    let (give, given) = mpsc::channel();
    let mut give = Some(give);
    drop(yard.spawn(0, async move {
        let _other = other;
        poll_fn(|cx| {
            if let Some(give) = give.take() {
                give.send(cx.waker().clone()).unwrap();
            }
            Poll::<()>::Pending
        })
        .await
    }));
    given.recv().unwrap()
}

fn main() {
    let threads = threads::one_to_one(threads::thread_info(), None);
    let yard = Switchyard::new(threads.take(1), || ()).unwrap();
    let b = waits(&yard, None);
    let a = waits(&yard, Some(b));
    thread::sleep(Duration::from_millis(50)); // until the poll has returned
    println!("dropping");
    drop(a);
    println!("dropped");
}
