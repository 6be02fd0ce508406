//! s03b, solved: the latest waker replaces the earlier one.

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
        // At every poll. (`Signal` of stage 03 uses `clone_from`, which saves the clone for a waker of the same task.)
        state.waker = Some(cx.waker().clone());
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use futures::future::join;
    use probe::{CountingWaker, watch, within};
    use std::pin::pin;
    use std::time::Duration;

    #[test]
    fn it_wakes_the_task_that_polled_last() {
        within(Duration::from_secs(2), || {
            let state = Arc::default();
            let mut door = pin!(watch("Door", Door(Arc::clone(&state))));
            let first = CountingWaker::new();
            let polled = door.as_mut().poll(&mut Context::from_waker(&first.waker()));
            assert!(
                polled.is_pending(),
                "The door is closed, and poll was not Pending."
            );
            // The second task is `block_on`. It polls the door, and then opens it.
            block_on(join(door.as_mut(), async { open(&state) }));
            assert!(
                first.wakes() == 0,
                "The task that polled first was woken, although it has given the door away.\n\
                 The contract allows that, but this exercise doesn't, because that task would poll for nothing.\n\
                 Expected: the waker of the latest poll replaces the earlier one, which is dropped."
            );
        });
    }
}
