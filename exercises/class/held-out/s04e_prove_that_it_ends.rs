#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use futures::future::join_all;
    use std::panic::{self, AssertUnwindSafe};
    use std::task::{Context, Wake};
    use step04_channel_executor::{Executor as Stage04, Spawner, executor_on_std_wake};

    struct Unpark(thread::Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    /// Polls every task at every wake, and returns when all are finished and all their wakers are gone.
    fn until_no_waker_is_left(mut tasks: Vec<BoxFuture>) {
        let unpark = Arc::new(Unpark(thread::current()));
        while !tasks.is_empty() || Arc::strong_count(&unpark) > 1 {
            let waker = Waker::from(Arc::clone(&unpark));
            tasks.retain_mut(|task| {
                task.as_mut()
                    .poll(&mut Context::from_waker(&waker))
                    .is_pending()
            });
            drop(waker);
            thread::park_timeout(Duration::from_millis(1));
        }
    }

    #[derive(Default)]
    struct Joins {
        tasks: Mutex<Vec<BoxFuture>>,
        at_end: Option<fn(Vec<BoxFuture>)>,
    }

    impl Executor for Joins {
        fn spawn(&self, future: BoxFuture) {
            self.tasks.lock().unwrap().push(future);
        }

        fn run(self: Box<Self>) {
            let tasks = self.tasks.into_inner().unwrap();
            self.at_end.unwrap()(tasks);
        }
    }

    struct Twin(Stage04, Spawner);

    impl Executor for Twin {
        fn spawn(&self, future: BoxFuture) {
            self.1.spawn(future);
        }

        fn run(self: Box<Self>) {
            drop(self.1);
            self.0.run();
        }
    }

    fn twin() -> Box<dyn Executor> {
        let (executor, spawner) = executor_on_std_wake();
        Box::new(Twin(executor, spawner))
    }

    fn joins(at_end: fn(Vec<BoxFuture>)) -> Box<dyn Executor> {
        let at_end = Some(at_end);
        Box::new(Joins {
            at_end,
            ..Joins::default()
        })
    }

    fn passes(make: fn() -> Box<dyn Executor>) -> bool {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| test_run(make)));
        panic::set_hook(hook);
        result.is_ok()
    }

    #[test]
    fn other_executors() {
        probe::within(Duration::from_secs(4), || {
            assert!(passes(twin), "it refused stage 04 on std's wakers");
            let right = || joins(|tasks| drop(block_on(join_all(tasks))));
            assert!(passes(right), "it refused a join of all tasks");
            let sleeps = || {
                joins(|tasks| {
                    block_on(join_all(tasks));
                    loop {
                        thread::park();
                    }
                })
            };
            assert!(!passes(sleeps), "not caught: never returns");
            let one_poll = || {
                joins(|tasks| {
                    for mut task in tasks {
                        let mut cx = Context::from_waker(Waker::noop());
                        let _ = task.as_mut().poll(&mut cx);
                    }
                })
            };
            assert!(!passes(one_poll), "not caught: returns early");
            assert!(passes(twin), "it refused a good executor later on");
            let wakers = || joins(until_no_waker_is_left);
            assert!(!passes(wakers), "not caught: waits for the last waker");
            assert!(passes(right), "it refused a good executor at the end");
        });
    }
}
