use std::{future::pending, thread, time::Duration};

use super::*;

#[test]
fn every_task_is_aborted_before_a_spawn_is_refused() {
    probe::within(Duration::from_secs(10), || {
        let shared = Arc::<Shared>::default();
        let runtime = Runtime {
            handle: Handle(Arc::clone(&shared)),
            workers: Workers::default(),
        };
        let task = runtime.spawn(pending::<()>());
        shared.queue.pop().unwrap().run();
        let queue = shared.queue.hold();
        let end = thread::spawn(|| drop(runtime));
        // The abort wakes the task, and waits for the queue now.
        while !task.abort.is_aborted() {
            thread::yield_now();
        }
        assert!(shared.tasks.is_held(), "a spawn may be refused already");
        drop(queue);
        shared.work();
        end.join().unwrap();
    });
}
