use std::{thread, time::Duration};

use super::*;

#[test]
fn no_task_is_in_the_queue_once_a_spawn_is_refused() {
    probe::within(Duration::from_secs(10), || {
        let handle = Handle(Arc::default());
        let runtime = Runtime {
            handle: handle.clone(),
            workers: Workers::default(),
        };
        let _queued = runtime.spawn(async {});
        let not_refused = handle.0.tasks.hold();
        let end = thread::spawn(|| drop(runtime));
        // This ends when the queue is closed, so the queue must be closed before the list is needed.
        while handle.0.queue.pop().is_some() {}
        drop(not_refused);
        end.join().unwrap();
    });
}
