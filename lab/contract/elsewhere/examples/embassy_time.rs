//! The waker of a timer starts another timer, as a `block_on` inside a `wake` would. embassy-time 0.5 wakes under its lock.

use std::{future::Future, pin::pin, sync::Arc, task::Context, task::Wake, task::Waker, thread};

use embassy_time::{Duration, Timer};

struct StartsAnother;

impl Wake for StartsAnother {
    fn wake(self: Arc<Self>) {
        println!("starting another");
        let mut cx = Context::from_waker(Waker::noop());
        let _ = pin!(Timer::after(Duration::from_secs(60))).poll(&mut cx);
        println!("started");
    }
}

fn main() {
    let waker = Waker::from(Arc::new(StartsAnother));
    let mut timer = pin!(Timer::after(Duration::from_millis(10)));
    let _ = timer.as_mut().poll(&mut Context::from_waker(&waker));
    thread::sleep(std::time::Duration::from_millis(100));
    // Another thread may not start a timer either.
    let _ = pin!(Timer::after(Duration::from_millis(10))).poll(&mut Context::from_waker(&waker));
    println!("the second timer is started");
}
