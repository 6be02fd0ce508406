use probe::Mutex;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    fired: bool,
    waker: Option<Waker>,
}

#[derive(Default)]
struct Signal {
    state: Mutex<State>,
}

impl Signal {
    fn poll_fired(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap();
        if state.fired {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn fire(&self) {
        // ANCHOR: slip
        let waker = self.state.lock().unwrap().waker.take();
        if let Some(waker) = waker {
            waker.wake();
        }
        self.state.lock().unwrap().fired = true;
        // ANCHOR_END: slip
    }
}

fn main() {}
