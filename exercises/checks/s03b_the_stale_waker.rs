use super::*;
use futures::executor::block_on;
use futures::future::join;
use probe::{CountingWaker, watch, within};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::Wake;
use std::time::Duration;

/// A task that looks at the door when it is woken. Whether it could.
struct Looks(Arc<Mutex<State>>, AtomicBool);

impl Wake for Looks {
    fn wake(self: Arc<Self>) {
        self.1
            .store(self.0.try_lock().is_ok_and(|state| state.open), SeqCst);
    }
}

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
        let [front, back] = [(); 2].map(|()| Arc::<Mutex<State>>::default());
        let looks = Arc::new(Looks(Arc::clone(&front), AtomicBool::new(false)));
        let waits = CountingWaker::new();
        for (state, waker) in [
            (&front, Waker::from(Arc::clone(&looks))),
            (&back, waits.waker()),
        ] {
            let polled = pin!(Door(Arc::clone(state))).poll(&mut Context::from_waker(&waker));
            assert!(
                polled.is_pending(),
                "The door is closed, and poll was not Pending."
            );
        }
        open(&front);
        assert!(
            looks.1.load(SeqCst) && waits.wakes() == 0,
            "There are two doors, and the front door was opened.\n\
             Expected: only the task at this door is woken, once the door is open and its lock is free, because the waker may poll \
             at once."
        );
    });
}
