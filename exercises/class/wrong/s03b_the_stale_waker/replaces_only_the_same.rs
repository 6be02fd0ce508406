use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    open: bool,
    waker: Option<Waker>,
}

/// Ready once the door is open.
struct Door(Arc<Mutex<State>>);

impl Future for Door {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap();
        if state.open {
            return Poll::Ready(());
        }
        // ANCHOR: slip
        let same = |kept: &Waker| kept.will_wake(cx.waker());
        if state.waker.as_ref().is_none_or(same) {
            // ANCHOR_END: slip
            state.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

fn open(door: &Mutex<State>) {
    let mut state = door.lock().unwrap();
    state.open = true;
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

fn main() {}
