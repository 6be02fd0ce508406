//! One thread fires a signal while another polls it, in every order that loom distinguishes.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step03-timer-future --test loom --target-dir target/loom`
#![cfg(loom)]

use std::{
    future::poll_fn,
    sync::Arc as StdArc,
    task::{Context, Poll, Wake, Waker},
};

use loom::{
    future::block_on,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use step03_timer_future::Signal;

struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: StdArc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counting() -> (StdArc<Wakes>, Waker) {
    let wakes = StdArc::new(Wakes(AtomicUsize::new(0)));
    (StdArc::clone(&wakes), Waker::from(wakes))
}

#[test]
fn a_task_that_waits_is_woken() {
    loom::model(|| {
        let signal = Arc::new(Signal::default());
        let to_fire = Arc::clone(&signal);
        let firing = thread::spawn(move || to_fire.fire());
        // A lost wake-up is a deadlock here, and loom reports it.
        block_on(poll_fn(|cx| signal.poll_fired(cx)));
        firing.join().unwrap();
    });
}

#[test]
fn the_waker_of_the_latest_pending_poll_is_woken_once() {
    loom::model(|| {
        let signal = Arc::new(Signal::default());
        let to_fire = Arc::clone(&signal);
        let firing = thread::spawn(move || to_fire.fire());
        let ((_, first), (second_wakes, second)) = (counting(), counting());
        let _ = signal.poll_fired(&mut Context::from_waker(&first));
        let answer = signal.poll_fired(&mut Context::from_waker(&second));
        firing.join().unwrap();
        let woken = second_wakes.0.load(Ordering::SeqCst);
        assert_eq!(woken, usize::from(answer == Poll::Pending));
    });
}
