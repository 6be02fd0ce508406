//! The executor and its timers, on a place to sleep that records how it is used. No kernel is needed, so Miri runs it too.

mod interval;
mod park;
mod recorded;
mod runtime;
mod shutdown;
mod timeout;
mod timers;

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    task::{Poll, Waker},
    time::Duration,
};

use step09_epoll_reactor::{Parker, Runtime};

const LIMIT: Duration = Duration::from_secs(if cfg!(miri) { 120 } else { 10 });

/// No test lasts so long.
const HOUR: Duration = Duration::from_secs(3_600);

/// A short time. Miri has a clock of its own, on which every step of the program takes long, so there it is a hundred.
const MILLISECOND: Duration = Duration::from_millis(if cfg!(miri) { 100 } else { 1 });

/// Of version 0, so it makes no system call that Miri does not know.
fn runtime() -> Runtime {
    Runtime::with_park(Parker::default())
}

/// Pending so many times, and woken by itself each time.
async fn yields(times: usize) {
    let mut left = times;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Yields until `is_so`, so that the executor looks at its timers again and again.
async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        yields(1).await;
    }
}

/// The waker of the task that awaits this.
async fn this_waker() -> Waker {
    poll_fn(|cx| Poll::Ready(cx.waker().clone())).await
}

/// The message of the panic in which this must end.
fn panic_of<T>(code: impl FnOnce() -> T) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(code)) else {
        panic!("it has not panicked");
    };
    let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .expect("a message")
}
