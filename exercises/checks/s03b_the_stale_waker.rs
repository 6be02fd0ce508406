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
