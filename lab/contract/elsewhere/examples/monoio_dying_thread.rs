//! A thread whose thread-local holds a waker wakes a task as it ends. monoio 0.2.4 loses that wake.

use std::{cell::RefCell, future::poll_fn, task::Poll, task::Waker, thread, time::Duration};

struct WakesWhenDropped(Waker);

impl Drop for WakesWhenDropped {
    fn drop(&mut self) {
        self.0.wake_by_ref();
        println!("woken");
    }
}

thread_local! {
    static LAST: RefCell<Option<WakesWhenDropped>> = const { RefCell::new(None) };
}

fn main() {
    let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().build();
    let mut polls = 0;
    runtime.unwrap().block_on(poll_fn(move |cx| {
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
    }));
    println!("polled three times");
}
