//! The injector, beside threads that only ask whether it is empty.

use loom::{sync::Arc, thread};

use crate::{Version, injector::Injector, task::Task};

use super::{interrupted, runtime};

/// If the number were stored after the lock is free, it could say forever that there is a task, or that there is none.
#[test]
fn the_number_of_tasks_is_right_whoever_comes_last() {
    loom::model(|| {
        let (handle, _) = runtime(1, Version::SharedQueue);
        drop([(); 2].map(|()| handle.spawn(async {})));
        let [first, second] = [(); 2].map(|()| handle.0.injector.pop().unwrap());
        let injector = Arc::new(Injector::default());
        injector.push(first);
        let other = {
            let injector = injector.clone();
            thread::spawn(move || injector.push(second))
        };
        let popped = [(); 2].map(|()| injector.pop());
        other.join().unwrap();
        assert_eq!(injector.is_empty(), popped.iter().all(Option::is_some));
        drop(injector.close());
        assert!(injector.is_empty());
        handle.0.close();
    });
}

/// One, and of the others the part of one worker, and no more than 128 of them.
#[test]
fn a_worker_takes_its_share() {
    let cases = [
        (1, 2, 1),
        (2, 2, 1),
        (3, 2, 2),
        (10, 4, 3),
        (256, 2, 128),
        (258, 2, 129),
        (300, 1, 129),
    ];
    for (tasks, workers, taken) in cases {
        // There is one thread, so nothing can interrupt it. Loom's locks need a model around them.
        interrupted(0, move || {
            let (handle, _) = runtime(1, Version::SharedQueue);
            (0..tasks).for_each(|_| drop(handle.spawn(async {})));
            let mut share = Vec::new();
            let first = handle.0.injector.pop_share(workers, &mut share);
            assert_eq!(first.iter().chain(&share).count(), taken, "of {tasks}");
            first.into_iter().chain(share).for_each(Task::shut_down);
            handle.0.close();
        });
    }
}
