//! Timers, on the executor of `futures` (stages 03 and 06) and on our own (stages 05 and 07).

use std::{mem::ManuallyDrop, sync::Arc};

use futures::{executor, try_join};
use probe::{Recording, record, watch};
use step06_reactor::{Reactor, Timer};
use step07_mini_tokio::{MiniTokio, hand_over, sleep};

use crate::{LONG, SHORT};

pub fn block_on() -> Recording {
    record(|| _ = executor::block_on(watch("nap", step03_timer_future::nap(SHORT))))
}

pub fn parker() -> Recording {
    use step05_parker_block_on::{TimerFuture, block_on};
    record(|| block_on(watch("future", async { TimerFuture::new(SHORT).await })))
}

/// Never dropped, because its end, for which two threads take the lock, might come in the next recording.
fn thread() -> ManuallyDrop<Arc<Reactor>> {
    ManuallyDrop::new(Reactor::new())
}

pub fn reactor() -> Recording {
    record(|| {
        let thread = thread();
        let one = watch("one", Timer::new(&thread, SHORT));
        let two = watch("two", Timer::new(&thread, LONG));
        let both = executor::block_on(async { try_join!(one, two) });
        both.expect("the reactor is there");
    })
}

pub fn handed_over() -> Recording {
    record(|| {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        mini_tokio.spawn(watch("first", async move {
            let sleep = hand_over(Box::pin(sleep(LONG))).await;
            handle.spawn(watch("second", sleep));
        }));
        mini_tokio.run();
    })
}
