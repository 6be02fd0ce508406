#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{
        cell::Cell,
        collections::BTreeSet,
        sync::{Arc, Condvar, mpsc},
        thread,
        time::Duration,
    };

    const LIMIT: Duration = Duration::from_secs(2);

    /// What a thread does next, with the queue between the steps.
    #[derive(Clone)]
    struct Run {
        queue: Queue,
        asleep: bool,
        at: usize,
        token: bool,
        calls: usize,
        sleeps: usize,
        /// The tasks that each of three threads will still push, and whether it has to call `notify` first.
        left: [(Vec<Task>, bool); 3],
        polled: BTreeSet<Task>,
    }

    impl Run {
        /// All that may happen next.
        fn next(&self) -> Vec<Run> {
            let mut all = Vec::new();
            for thread in 0..3 {
                let mut run = self.clone();
                let (tasks, owes) = &mut run.left[thread];
                if std::mem::take(owes) {
                    run.token = true;
                    run.calls += 1;
                } else if let Some(task) = tasks.pop() {
                    *owes = run.queue.push(task);
                } else {
                    continue;
                }
                all.push(run);
            }
            let mut run = self.clone();
            match self.at {
                0 => match run.queue.pop() {
                    Some(task) => assert!(run.polled.insert(task), "task {task} comes twice"),
                    None => run.at = 1,
                },
                1 => {
                    let empty = run.queue.tasks.is_empty();
                    run.asleep = run.queue.fall_asleep();
                    assert!(run.asleep || !empty, "it does not sleep");
                    run.sleeps += usize::from(run.asleep);
                    run.at = if run.asleep { 2 } else { 0 };
                }
                2 if run.token => (run.token, run.at) = (false, 3),
                2 => return all,
                _ => {
                    run.queue.wake_up();
                    run.at = 0;
                }
            }
            all.push(run);
            all
        }
    }

    #[test]
    fn no_order_loses_a_task_or_calls_twice_in_one_sleep() {
        within(LIMIT, || {
            let mut open = vec![Run {
                queue: Queue::default(),
                asleep: false,
                at: 0,
                token: false,
                calls: 0,
                sleeps: 0,
                left: [(vec![1, 2], false), (vec![3], false), (vec![], false)],
                polled: BTreeSet::new(),
            }];
            while let Some(run) = open.pop() {
                let next = run.next();
                assert!(
                    !next.is_empty() || run.polled.len() == 3,
                    "only {:?} of the tasks 1 to 3 were polled",
                    run.polled
                );
                assert!(run.calls <= run.sleeps, "{} calls", run.calls);
                open.extend(next);
            }
        });
    }

    #[derive(Default)]
    struct Quiet {
        calls: Cell<usize>,
    }

    impl Kernel for Quiet {
        fn wait(&self) {}

        fn notify(&self) {
            self.calls.set(self.calls.get() + 1);
        }
    }

    #[test]
    fn a_thousand_own_wakes_are_free_also_after_a_socket() {
        within(LIMIT, || {
            let (queue, kernel) = (Mutex::new(Queue::default()), Quiet::default());
            for _ in 0..10 {
                round(&queue, &kernel, |_| ());
                // The socket that ended the sleep has a task, and so has another one.
                wake(&queue, &kernel, 0);
                wake(&queue, &kernel, 1_000);
                for _ in 0..2 {
                    round(&queue, &kernel, |n| {
                        if n < 100 {
                            wake(&queue, &kernel, n + 1);
                        }
                    });
                }
                // A task comes just before the sleep, and so there is none.
                wake(&queue, &kernel, 2_000);
                assert!(!queue.lock().unwrap().fall_asleep());
                wake(&queue, &kernel, 2_001);
            }
            assert_eq!(kernel.calls.get(), 0);
        });
    }

    #[test]
    fn first_in_first_out() {
        let mut queue = Queue::default();
        for n in 0..10 {
            let _ = (queue.push(2 * n), queue.push(2 * n + 1));
            assert_eq!(queue.pop(), Some(n));
        }
    }

    /// A kernel for threads.
    #[derive(Clone, Default)]
    struct Real(Arc<(Mutex<bool>, Condvar)>);

    impl Kernel for Real {
        fn wait(&self) {
            let (token, changed) = &*self.0;
            let mut token = changed
                .wait_while(token.lock().unwrap(), |it| !*it)
                .unwrap();
            *token = false;
        }

        fn notify(&self) {
            *self.0.0.lock().unwrap() = true;
            self.0.1.notify_one();
        }
    }

    #[test]
    fn with_threads_each_task_is_polled() {
        within(LIMIT, || {
            let (queue, kernel) = (Arc::new(Mutex::new(Queue::default())), Real::default());
            let (polled, is_polled) = mpsc::channel();
            let (of_thread, kernel_of_thread) = (Arc::clone(&queue), kernel.clone());
            let executor = thread::spawn(move || {
                let mut left = 300;
                while left > 0 {
                    round(&of_thread, &kernel_of_thread, |task| {
                        left -= 1;
                        polled.send(task).unwrap();
                    });
                    if left == 0 {
                        break;
                    }
                }
            });
            for task in 0..300 {
                wake(&queue, &kernel, task);
                assert_eq!(is_polled.recv_timeout(LIMIT), Ok(task));
            }
            kernel.notify();
            executor.join().unwrap();
        });
    }
}
