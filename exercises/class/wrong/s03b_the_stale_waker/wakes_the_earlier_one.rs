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
        if let Some(earlier) = state.waker.replace(cx.waker().clone()) {
            earlier.wake();
        }
        // ANCHOR_END: slip
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
