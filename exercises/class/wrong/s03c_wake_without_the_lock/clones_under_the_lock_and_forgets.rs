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
        let mut state = self.state.lock().unwrap();
        state.fired = true;
        let waker = state.waker.take();
        drop(state);
        // ANCHOR_END: slip
    }
}

fn main() {}
