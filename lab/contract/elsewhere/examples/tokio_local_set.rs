//! A thread whose thread-local holds a waker wakes a task of a `LocalSet` as it ends. tokio 1.54 aborts the process.

use std::{cell::RefCell, future::poll_fn, task::Poll, task::Waker, thread, time::Duration};

struct WakesWhenDropped(Waker);

impl Drop for WakesWhenDropped {
    fn drop(&mut self) {
        self.0.wake_by_ref();
    }
}

thread_local! {
    static LAST: RefCell<Option<WakesWhenDropped>> = const { RefCell::new(None) };
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let mut polls = 0;
    let task = poll_fn(move |cx| {
        polls += 1;
        if polls == 1 {
            let waker = cx.waker().clone();
            thread::spawn(move || {
                LAST.set(Some(WakesWhenDropped(waker.clone())));
                thread::sleep(Duration::from_millis(50));
                waker.wake(); // the second poll
                thread::sleep(Duration::from_millis(50));
            }); // the third poll
        }
        if polls < 3 {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    });
    let local_set = tokio::task::LocalSet::new();
    local_set.spawn_local(task);
    runtime.unwrap().block_on(local_set);
    println!("polled three times");
}
