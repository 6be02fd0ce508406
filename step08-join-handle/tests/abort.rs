//! Aborting a task of a runtime: who drops its future, and what comes first. The states are all in `task/table.rs`.

use std::{
    future::pending,
    sync::mpsc,
    task::Poll,
    thread::{self, ThreadId},
    time::Duration,
};

use futures::executor::block_on;
use probe::{Counted, OnDrop, within};

const LIMIT: Duration = Duration::from_secs(10);

/// The same tests for versions 2 and 3. Version 1 has no abort.
macro_rules! tests {
    ($name:ident, $version:ident) => {
        mod $name {
            use super::*;
            use step08_join_handle::$version::Runtime;

            fn worker_of(runtime: &Runtime) -> ThreadId {
                block_on(runtime.handle().spawn(async { thread::current().id() })).unwrap()
            }

            #[test]
            fn an_idle_task_and_one_in_the_queue_are_dropped_by_a_worker() {
                within(LIMIT, || {
                    let runtime = Runtime::new(1);
                    let worker = worker_of(&runtime);
                    for is_idle in [true, false] {
                        let (send, who) = mpsc::channel();
                        let says = OnDrop(move || send.send(thread::current().id()).unwrap());
                        let task = Counted::new(async move {
                            let _says = says;
                            pending::<()>().await;
                        });
                        let counts = task.counts();
                        let (release, released) = mpsc::channel::<()>();
                        if !is_idle {
                            runtime.handle().spawn(async move { released.recv() });
                        }
                        let task = runtime.handle().spawn(task);
                        if is_idle {
                            worker_of(&runtime);
                        }
                        task.abort();
                        assert!(is_idle || !task.is_finished());
                        drop(release);
                        assert_eq!(who.recv().unwrap(), worker);
                        probe::wait_until(|| task.is_finished());
                        task.abort();
                        assert!(block_on(task).unwrap_err().is_cancelled());
                        assert_eq!((counts.polls(), counts.drops()), (usize::from(is_idle), 1));
                    }
                });
            }

            #[test]
            fn aborted_in_its_poll_a_task_is_dropped_unless_it_is_ready() {
                within(LIMIT, || {
                    for answer in [Poll::Pending, Poll::Ready(7)] {
                        let runtime = Runtime::new(1);
                        let (begins, begun) = mpsc::channel();
                        let (let_go, goes) = mpsc::channel::<()>();
                        let task = runtime.handle().spawn(std::future::poll_fn(move |_| {
                            begins.send(()).unwrap();
                            goes.recv().unwrap();
                            answer
                        }));
                        begun.recv().unwrap();
                        task.abort();
                        assert!(!task.is_finished());
                        let_go.send(()).unwrap();
                        let result = block_on(task);
                        assert_eq!(result.is_ok(), answer.is_ready());
                        assert_eq!(begun.iter().count(), 0, "it is polled again");
                    }
                });
            }
        }
    };
}

tests!(version_2, v2_state_bits);
tests!(version_3, v3_async_task);
