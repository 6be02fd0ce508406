//! Waits in async code for an answer that a library gives by calling a function.
//!
//! The library is a scale. It calls back once the weight on it is steady, and it drops the callback if it is unplugged.

use std::{
    future::poll_fn,
    mem,
    pin::pin,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use tokio::{
    join,
    sync::oneshot::{self, error::RecvError},
    time::{pause, timeout},
};

const UNPOISONED: &str = "no code panics while it holds this lock";
const HOUR: Duration = Duration::from_secs(3600);

// ANCHOR: poll_fn
/// What the task and the scale's thread share.
#[derive(Default)]
struct Slot {
    weight: Option<u32>,
    waker: Option<Waker>,
}

async fn weigh(scale: &Scale) -> u32 {
    let slot = Arc::new(Mutex::new(Slot::default()));
    let filled = Arc::clone(&slot);
    scale.when_steady(move |weight| {
        let mut slot = filled.lock().expect(UNPOISONED);
        slot.weight = Some(weight);
        let waker = slot.waker.take();
        drop(slot);
        if let Some(waker) = waker {
            waker.wake();
        }
    });
    poll_fn(|cx| {
        // Cloning, dropping and waking a waker all run the executor's code. As that code might
        // use this slot, none of it may run under the lock.
        let waker = cx.waker().clone();
        let mut slot = slot.lock().expect(UNPOISONED);
        if let Some(weight) = slot.weight {
            return Poll::Ready(weight);
        }
        let replaced = slot.waker.replace(waker);
        drop(slot);
        drop(replaced);
        Poll::Pending
    })
    .await
}
// ANCHOR_END: poll_fn

// ANCHOR: oneshot
async fn weigh_by_oneshot(scale: &Scale) -> Result<u32, RecvError> {
    let (answer, weight) = oneshot::channel();
    scale.when_steady(move |weight| {
        let _ = answer.send(weight); // fails if the task no longer waits
    });
    weight.await
}
// ANCHOR_END: oneshot

type Callback = Box<dyn FnOnce(u32) + Send>;

/// The library, whose code is not ours to change.
#[derive(Default)]
struct Scale {
    callbacks: Mutex<Vec<Callback>>,
}

impl Scale {
    /// Calls `callback` once, with the next steady weight.
    fn when_steady(&self, callback: impl FnOnce(u32) + Send + 'static) {
        let mut callbacks = self.callbacks.lock().expect(UNPOISONED);
        callbacks.push(Box::new(callback));
    }

    fn put_on(&self, weight: u32) {
        for callback in self.take_callbacks() {
            callback(weight);
        }
    }

    fn unplug(&self) {
        drop(self.take_callbacks());
    }

    fn take_callbacks(&self) -> Vec<Callback> {
        mem::take(&mut self.callbacks.lock().expect(UNPOISONED))
    }
}

/// The output of a future, and how many polls it took.
async fn counted<F: Future>(future: F) -> (F::Output, usize) {
    let mut future = pin!(future);
    let mut polls = 0;
    let output = poll_fn(|cx| {
        polls += 1;
        future.as_mut().poll(cx)
    });
    (output.await, polls)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    println!("A scale calls a function once the weight is steady. A task awaits that weight.");
    let scale = Arc::new(Scale::default());
    let put_on = async || {
        let scale = Arc::clone(&scale);
        thread::spawn(move || scale.put_on(72));
    };

    println!("1. The scale calls back, on a thread of its own");
    let ((weight, polls), ()) = join!(counted(weigh(&scale)), put_on());
    println!("   by poll_fn: {weight} kg, polls: {polls}");
    let ((weight, polls), ()) = join!(counted(weigh_by_oneshot(&scale)), put_on());
    let weight = weight.expect("the scale has called back");
    println!("   by oneshot: {weight} kg, polls: {polls}");

    println!("2. The scale is unplugged, and drops the function without calling it");
    pause(); // from here on, the clock jumps to the next timer whenever no task can run
    let (weight, ()) = join!(timeout(HOUR, weigh(&scale)), async { scale.unplug() });
    let hangs = weight.is_err();
    println!("   by poll_fn: still pending after an hour: {hangs}");
    let (weight, ()) = join!(weigh_by_oneshot(&scale), async { scale.unplug() });
    println!("   by oneshot: {weight:?}");
}

// The clock is paused, so an hour passes only if no future can be polled any more: a hang fails a test at once.
#[cfg(test)]
mod tests {
    use probe::hostile::{Hostile, Moment, elsewhere};
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn each_is_polled_once_before_the_callback_and_once_after() {
        let (scale, start) = (Scale::default(), Instant::now());
        let by_poll_fn = timeout(HOUR, counted(weigh(&scale)));
        let (by_poll_fn, ()) = join!(by_poll_fn, async { scale.put_on(72) });
        assert_eq!(by_poll_fn, Ok((72, 2)));
        let by_oneshot = timeout(HOUR, counted(weigh_by_oneshot(&scale)));
        let (by_oneshot, ()) = join!(by_oneshot, async { scale.put_on(72) });
        assert_eq!(by_oneshot, Ok((Ok(72), 2)));
        // The second poll came by a wake, and not because the hour was over.
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_asked_of_the_scale_before_the_first_poll() {
        let scale = Scale::default();
        let (_by_poll_fn, _by_oneshot) = (weigh(&scale), weigh_by_oneshot(&scale));
        assert_eq!(scale.take_callbacks().len(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_callback_wakes_only_the_oneshot() {
        let (scale, start) = (Scale::default(), Instant::now());
        let by_oneshot = timeout(HOUR, weigh_by_oneshot(&scale));
        let (by_oneshot, ()) = join!(by_oneshot, async { scale.unplug() });
        assert!(matches!(by_oneshot, Ok(Err(_))));
        assert_eq!(start.elapsed(), Duration::ZERO);
        let by_poll_fn = timeout(HOUR, weigh(&scale));
        let (by_poll_fn, ()) = join!(by_poll_fn, async { scale.unplug() });
        assert!(by_poll_fn.is_err());
    }

    #[test]
    fn the_scale_may_call_back_while_the_waker_is_cloned() {
        let weight = probe::within(Duration::from_secs(10), || {
            let (scale, hostile) = (Arc::new(Scale::default()), Hostile::new());
            let called_back = Arc::clone(&scale);
            hostile.arm(Moment::Clone, move || elsewhere(|| called_back.put_on(72)));
            probe::poll(&mut pin!(weigh(&scale)), &hostile.waker())
        });
        assert_eq!(weight, Poll::Ready(72));
    }

    #[test]
    fn the_scale_may_call_back_while_an_earlier_waker_is_dropped() {
        let weight = probe::within(Duration::from_secs(10), || {
            let (scale, hostile) = (Arc::new(Scale::default()), Hostile::new());
            let mut weighing = pin!(weigh(&scale));
            assert!(probe::poll(&mut weighing, &hostile.waker()).is_pending());
            let called_back = Arc::clone(&scale);
            hostile.arm(Moment::Drop, move || elsewhere(|| called_back.put_on(72)));
            assert!(probe::poll(&mut weighing, Waker::noop()).is_pending());
            probe::poll(&mut weighing, Waker::noop())
        });
        assert_eq!(weight, Poll::Ready(72));
    }
}
