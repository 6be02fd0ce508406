//! Aborting a task of a runtime: who drops its future, and what comes first.

use std::{
    future::{pending, poll_fn},
    sync::{Arc, Mutex, mpsc},
    task::Poll,
    thread::{self, ThreadId},
    time::Duration,
};

use futures::executor::block_on;
use probe::{Counted, within};

const LIMIT: Duration = Duration::from_secs(10);

/// Sends the thread that drops it.
struct WhoDrops(mpsc::Sender<ThreadId>);

impl Drop for WhoDrops {
    fn drop(&mut self) {
        self.0.send(thread::current().id()).unwrap();
    }
}

fn who_drops() -> (mpsc::Receiver<ThreadId>, WhoDrops) {
    let (send, who) = mpsc::channel();
    (who, WhoDrops(send))
}

/// Calls a function when it is dropped.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0.take().unwrap()();
    }
}

/// The same tests for versions 2 and 3. Version 1 has no abort.
macro_rules! tests {
    ($name:ident, $version:ident) => {
        mod $name {
            use super::*;
            use step08_join_handle::$version::{JoinHandle, Runtime};

            fn worker_of(runtime: &Runtime) -> ThreadId {
                block_on(runtime.spawn(async { thread::current().id() })).unwrap()
            }

            #[test]
            fn an_idle_task_is_dropped_by_a_worker() {
                within(LIMIT, || {
                    let runtime = Runtime::new(1);
                    let (who, owned) = who_drops();
                    let task = Counted::new(async move {
                        let _owned = owned;
                        pending::<()>().await;
                    });
                    let counts = task.counts();
                    let task = runtime.spawn(task);
                    let worker = worker_of(&runtime);
                    assert_eq!((counts.polls(), counts.drops()), (1, 0));
                    task.abort();
                    assert_eq!(who.recv().unwrap(), worker);
                    task.abort();
                    assert!(block_on(task).unwrap_err().is_cancelled());
                    assert_eq!((counts.polls(), counts.drops()), (1, 1));
                });
            }

            #[test]
            fn a_task_in_the_queue_is_never_polled() {
                within(LIMIT, || {
                    let runtime = Runtime::new(1);
                    let (release, released) = mpsc::channel::<()>();
                    let (begins, begun) = mpsc::channel();
                    let before = runtime.spawn(async move {
                        begins.send(()).unwrap();
                        released.recv().unwrap();
                        thread::current().id()
                    });
                    begun.recv().unwrap();
                    let (who, owned) = who_drops();
                    let task = Counted::new(async move { drop(owned) });
                    let counts = task.counts();
                    let task = runtime.spawn(task);
                    task.abort();
                    assert!(!task.is_finished());
                    release.send(()).unwrap();
                    assert_eq!(who.recv().unwrap(), block_on(before).unwrap());
                    assert!(block_on(task).unwrap_err().is_cancelled());
                    assert_eq!((counts.polls(), counts.drops()), (0, 1));
                });
            }

            /// Aborts a task during its poll, which then returns what is given.
            fn during_a_poll(answer: Poll<i32>) -> Result<i32, bool> {
                let runtime = Runtime::new(1);
                let (begins, begun) = mpsc::channel();
                let (let_go, goes) = mpsc::channel::<Poll<i32>>();
                let task = Counted::new(poll_fn(move |_| {
                    begins.send(()).unwrap();
                    goes.recv().unwrap()
                }));
                let counts = task.counts();
                let task = runtime.spawn(task);
                begun.recv().unwrap();
                task.abort();
                assert!(!task.is_finished());
                assert_eq!(counts.drops(), 0);
                let_go.send(answer).unwrap();
                let result = block_on(task);
                assert_eq!((counts.polls(), counts.drops()), (1, 1));
                result.map_err(|error| error.is_cancelled())
            }

            #[test]
            fn a_task_that_is_polled_is_dropped_after_the_poll_unless_it_is_ready() {
                within(LIMIT, || {
                    assert_eq!(during_a_poll(Poll::Pending), Err(true));
                    assert_eq!(during_a_poll(Poll::Ready(7)), Ok(7));
                });
            }

            #[test]
            fn a_finished_task_keeps_its_output() {
                within(LIMIT, || {
                    let runtime = Runtime::new(1);
                    let task = runtime.spawn(async { 7 });
                    while !task.is_finished() {
                        thread::yield_now();
                    }
                    task.abort();
                    worker_of(&runtime);
                    assert_eq!(block_on(task).unwrap(), 7);
                });
            }

            #[test]
            fn a_task_may_abort_itself() {
                within(LIMIT, || {
                    let runtime = Runtime::new(2);
                    let (send, receive) = mpsc::channel::<Arc<JoinHandle<()>>>();
                    let task = Counted::new(async move {
                        receive.recv().unwrap().abort();
                        pending::<()>().await;
                    });
                    let counts = task.counts();
                    let handle = Arc::new(runtime.spawn(task));
                    send.send(Arc::clone(&handle)).unwrap();
                    while !handle.is_finished() || counts.drops() == 0 {
                        thread::yield_now();
                    }
                    assert_eq!((counts.polls(), counts.drops()), (1, 1));
                });
            }

            #[test]
            fn a_destructor_finds_its_own_task_in_the_list() {
                within(LIMIT, || {
                    let runtime = Runtime::new(1);
                    let handle = runtime.handle();
                    let (prints, printed) = mpsc::channel();
                    let spawn = || {
                        let (handle, prints) = (handle.clone(), prints.clone());
                        let act = move || prints.send(format!("{handle:?}")).unwrap();
                        let acts = OnDrop(Some(act));
                        runtime.spawn(async move {
                            let _acts = acts;
                            pending::<()>().await;
                        })
                    };
                    let aborted = spawn();
                    worker_of(&runtime);
                    aborted.abort();
                    assert!(block_on(aborted).unwrap_err().is_cancelled());
                    let while_aborted = printed.recv().unwrap();
                    let afterwards = format!("{handle:?}");
                    let shut_down = spawn();
                    worker_of(&runtime);
                    drop(runtime);
                    assert!(block_on(shut_down).unwrap_err().is_cancelled());
                    let seen = [while_aborted, afterwards, printed.recv().unwrap()];
                    for (seen, tasks) in seen.into_iter().zip([1, 0, 1]) {
                        let listed = format!("{tasks} unfinished tasks");
                        assert!(seen.contains(&listed), "{seen}");
                    }
                });
            }

            #[test]
            fn during_the_shutdown_a_destructor_may_abort_another_task() {
                within(LIMIT, || {
                    let runtime = Runtime::new(2);
                    let neighbour = Counted::new(pending::<()>());
                    let counts = neighbour.counts();
                    let handle = Arc::new(runtime.spawn(neighbour));
                    for _ in 0..2 {
                        let aborts = Aborts(Mutex::new(Arc::clone(&handle)));
                        runtime.spawn(async move {
                            let _aborts = aborts;
                            pending::<()>().await;
                        });
                    }
                    drop(runtime);
                    handle.abort();
                    assert_eq!(counts.drops(), 1);
                    let handle = Arc::into_inner(handle).unwrap();
                    assert!(block_on(handle).unwrap_err().is_cancelled());
                });
            }

            struct Aborts(Mutex<Arc<JoinHandle<()>>>);

            impl Drop for Aborts {
                fn drop(&mut self) {
                    self.0.lock().unwrap().abort();
                }
            }
        }
    };
}

tests!(version_2, v2_state_bits);
tests!(version_3, v3_async_task);
