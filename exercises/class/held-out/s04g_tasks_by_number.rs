#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::rc::Rc;
    use std::time::Duration;
    use step04_channel_executor::{TimerFuture, yield_now};

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn fifty_tasks_nap_and_yield() {
        within(LIMIT, || {
            let executor = Executor::new();
            let counts: Vec<_> = (0..50)
                .map(|i| {
                    let task = Counted::new(watch(format!("task {i}"), async move {
                        TimerFuture::new(Duration::from_millis(1 + i % 5)).await;
                        yield_now().await;
                    }));
                    let counts = task.counts();
                    executor.spawn(task);
                    counts
                })
                .collect();
            executor.run();
            for counts in counts {
                let seen = (counts.polls(), counts.completions(), counts.drops());
                assert_eq!(seen, (3, 1, 1), "polls, completions, drops");
            }
        });
    }

    #[test]
    fn a_chain_of_tasks_that_each_spawn_the_next() {
        fn chain(executor: Rc<Executor>, left: Rc<Cell<u32>>) -> LocalFuture {
            Box::pin(watch("a task of the chain", async move {
                if left.get() > 0 {
                    left.set(left.get() - 1);
                    executor.spawn(chain(Rc::clone(&executor), left));
                }
            }))
        }
        within(LIMIT, || {
            let (executor, left) = (Rc::new(Executor::new()), Rc::new(Cell::new(30)));
            executor.spawn(chain(Rc::clone(&executor), Rc::clone(&left)));
            executor.run();
            assert_eq!(left.get(), 0, "tasks of the chain that were not spawned");
        });
    }

    #[test]
    fn woken_ten_times_and_then_finished() {
        within(LIMIT, || {
            let executor = Executor::new();
            let mut polled = false;
            let woken_often = std::future::poll_fn(move |cx| {
                if polled {
                    return std::task::Poll::Ready(());
                }
                polled = true;
                (0..10).for_each(|_| cx.waker().wake_by_ref());
                std::task::Poll::Pending
            });
            executor.spawn(watch("wakes itself ten times", woken_often));
            let timer = TimerFuture::new(Duration::from_millis(5));
            executor.spawn(watch("timer of 5 ms", timer));
            executor.run();
        });
    }
}
