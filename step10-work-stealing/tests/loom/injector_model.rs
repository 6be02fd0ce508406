//! The queue of all workers, beside threads that only ask whether it is empty.

use loom::{
    sync::{Arc, atomic::AtomicBool},
    thread,
};

use crate::{Version, injector::Injector, shared};

/// If the number were stored after the lock is free, it could say forever that there is a task, or that there is none.
#[test]
fn the_number_of_tasks_is_right_whoever_comes_last() {
    loom::model(|| {
        let (handle, _) = shared(1, Version::SharedQueue);
        drop([(); 2].map(|()| handle.spawn(async {})));
        let [first, second] = [(); 2].map(|()| handle.0.injector.pop().unwrap());
        let injector = Arc::new((Injector::new(), AtomicBool::new(false)));
        injector.0.push(first, &injector.1);
        let other = {
            let injector = injector.clone();
            thread::spawn(move || injector.0.push(second, &injector.1))
        };
        let popped = injector.0.pop();
        other.join().unwrap();
        assert!(popped.is_some() && !injector.0.is_empty());
        assert!(injector.0.pop().is_some() && injector.0.is_empty());
        handle.0.close();
    });
}
