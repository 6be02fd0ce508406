use super::*;
use probe::within;
use std::{cell::Cell, time::Duration};

mod order;

const LIMIT: Duration = Duration::from_secs(2);

/// A kernel that counts.
#[derive(Default)]
struct Counts<'a> {
    notifies: Cell<usize>,
    /// While it is waited for, another thread wakes ten tasks of this queue.
    outside: Option<&'a Mutex<Queue>>,
}

impl Kernel for Counts<'_> {
    fn wait(&self) {
        if let Some(queue) = self.outside {
            (1..=10).for_each(|task| wake(queue, self, task));
        }
    }

    fn notify(&self) {
        self.notifies.set(self.notifies.get() + 1);
    }
}

#[test]
fn a_wake_from_its_own_thread_makes_no_system_call() {
    within(LIMIT, || {
        let (queue, kernel) = (Mutex::new(Queue::default()), Counts::default());
        for sleeps in 0..3 {
            // As the executor does with the waker of a timer that is due. Then it looks whether it may sleep, and may not.
            wake(&queue, &kernel, 0);
            let _ = queue.lock().unwrap().fall_asleep();
            // In its poll, task n wakes task n + 1.
            round(&queue, &kernel, |n| {
                if n % 100 < 99 {
                    wake(&queue, &kernel, n + 1);
                }
            });
            let calls = kernel.notifies.take();
            assert!(
                calls == 0,
                "A hundred tasks woke each other, all on the executor's own thread. System calls that these wakes made: \
                 {calls}, after {sleeps} sleeps of the executor.\n\
                 Wanted: none. The executor is awake, because it polls the task that calls the waker.\n\
                 Look at: how can `push` know whether the executor sleeps, and what must change when it wakes up?"
            );
        }
    });
}

#[test]
fn many_wakes_in_one_sleep_make_one_system_call() {
    within(LIMIT, || {
        let queue = Mutex::new(Queue::default());
        let kernel = Counts {
            outside: Some(&queue),
            ..Counts::default()
        };
        for sleeps in 0..3 {
            let mut polled = Vec::new();
            round(&queue, &kernel, |task| polled.push(task));
            let wanted: Vec<Task> = (1..=if sleeps == 0 { 0 } else { 10 }).collect();
            assert_eq!(
                polled, wanted,
                "the tasks that were woken in the sleep before, in the order of the wakes"
            );
            let calls = kernel.notifies.take();
            assert!(
                calls == 1,
                "The executor slept, and another thread woke ten tasks. These wakes made {calls} system calls instead of \
                 one. What does the second wake know?"
            );
        }
    });
}

#[test]
fn tasks_leave_in_the_order_in_which_they_came() {
    within(LIMIT, || {
        let (queue, kernel) = (Mutex::new(Queue::default()), Counts::default());
        (1..=order::MANY).for_each(|task| wake(&queue, &kernel, task));
        let mut polled = Vec::new();
        round(&queue, &kernel, |task| polled.push(task));
        order::assert_in_order("A thousand tasks were woken, one after the other.", &polled);
    });
}

/// All threads between two steps.
#[derive(Clone, Default)]
struct World {
    queue: Queue,
    /// The executor's next step: 0 pop, 1 fall_asleep, 2 asleep, 3 wake_up.
    executor: usize,
    /// Each other thread's next step: 0 push, 1 what follows, 2 none.
    others: [usize; 2],
    must_notify: [bool; 2],
    notified: bool,
    polled: usize,
    steps: Vec<String>,
}

impl World {
    /// The executor takes a step, unless it sleeps.
    fn executes(mut self) -> Option<World> {
        let step = match self.executor {
            0 => match self.queue.pop() {
                Some(task) => {
                    self.polled += 1;
                    format!("the executor polls task {task}")
                }
                None => {
                    self.executor = 1;
                    "the executor finds the queue empty".to_string()
                }
            },
            1 => {
                let is_empty = self.queue.tasks.is_empty();
                let may_sleep = self.queue.fall_asleep();
                self.executor = if may_sleep { 2 } else { 0 };
                assert!(
                    may_sleep || !is_empty,
                    "`fall_asleep` returned false, and the queue was empty. So the executor never sleeps, and uses a core \
                     for nothing."
                );
                format!("`fall_asleep` returns {may_sleep}")
            }
            2 => {
                self.notified.then_some(())?;
                (self.notified, self.executor) = (false, 3);
                "`wait` returns".to_string()
            }
            _ => {
                self.queue.wake_up();
                self.executor = 0;
                "`wake_up`".to_string()
            }
        };
        self.steps.push(step);
        Some(self)
    }

    /// Another thread takes a step, unless it has taken both.
    fn wakes(mut self, thread: usize) -> Option<World> {
        let task = thread + 1;
        let step = match self.others[thread] {
            0 => {
                self.must_notify[thread] = self.queue.push(task as Task);
                format!("a wake pushes task {task}")
            }
            1 if self.must_notify[thread] => {
                self.notified = true;
                format!("the wake of task {task} calls `notify`")
            }
            1 => format!("the wake of task {task} does not call `notify`"),
            _ => return None,
        };
        self.others[thread] += 1;
        self.steps.push(step);
        Some(self)
    }

    /// Tries every order of what is left to do.
    fn explore(self) {
        let next = [
            self.clone().executes(),
            self.clone().wakes(0),
            self.clone().wakes(1),
        ];
        let is_stuck = next.iter().all(Option::is_none);
        assert!(
            !is_stuck || self.polled == 2,
            "A task is left in the queue, and the executor sleeps. These were the steps:\n  {}\n\
             Look at: what did `push` and `fall_asleep` know when they returned?",
            self.steps.join("\n  ")
        );
        next.into_iter().flatten().for_each(World::explore);
    }
}

#[test]
fn in_no_order_of_the_steps_is_a_task_left_behind() {
    within(LIMIT, || World::default().explore());
}
