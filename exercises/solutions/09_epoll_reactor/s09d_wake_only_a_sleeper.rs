//! s09d · complete · 12 minutes · chapter 09, "Epoll and the reactor"
//!
//! A wake puts its task into the queue of the executor. If the executor sleeps in the kernel, the wake must also end this
//! sleep, and `notify` is a system call. Most wakes come from the executor's own thread, while it polls another task, so
//! they need no such call.
//!
//! Complete `Queue`. Tasks leave it in the order in which they came. None may be left in it while the executor sleeps. A wake
//! calls `notify` only if the executor sleeps or is about to, and many wakes during one sleep call it once. The lock around
//! the queue and the loop of the executor are right.
//!
//! Run: `cargo test --bin s09d_wake_only_a_sleeper`, or save this file while `rustlings` runs.
//! Red: a test says how many system calls the wakes made, or shows the steps after which a task is left behind. It tries
//! every order of the steps of the executor and of two other threads.

use std::{collections::VecDeque, mem, sync::Mutex};

type Task = u32;

#[derive(Clone, Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// The executor has found the queue empty, it sleeps or is about to, and no wake has called `notify` since.
    asleep: bool,
}

impl Queue {
    /// Adds a task. Returns whether the caller must call `notify`, because this task would be left behind otherwise.
    fn push(&mut self, task: Task) -> bool {
        self.tasks.push_back(task);
        mem::take(&mut self.asleep)
    }

    fn pop(&mut self) -> Option<Task> {
        self.tasks.pop_front()
    }

    /// The executor calls this when `pop` has returned `None`, and sleeps if the answer is true.
    fn fall_asleep(&mut self) -> bool {
        // A task may have been pushed since `pop`, and its wake found the executor awake.
        self.asleep = self.tasks.is_empty();
        self.asleep
    }

    /// The executor calls this when its sleep is over, whatever has ended it. That may have been a socket or a timer.
    fn wake_up(&mut self) {
        self.asleep = false;
    }
}

/// Where the executor sleeps.
trait Kernel {
    /// Sleeps until a socket is ready, a deadline has come, or `notify` was called, before this call or during it.
    fn wait(&self);
    /// A system call.
    fn notify(&self);
}

/// What a waker does, on any thread.
fn wake(queue: &Mutex<Queue>, kernel: &impl Kernel, task: Task) {
    let must_notify = queue.lock().unwrap().push(task);
    if must_notify {
        kernel.notify();
    }
}

/// One round of the executor: polls what is in the queue, and then sleeps if it may.
fn round(queue: &Mutex<Queue>, kernel: &impl Kernel, mut poll: impl FnMut(Task)) {
    loop {
        let task = queue.lock().unwrap().pop();
        let Some(task) = task else { break };
        poll(task);
    }
    let may_sleep = queue.lock().unwrap().fall_asleep();
    if may_sleep {
        kernel.wait();
        queue.lock().unwrap().wake_up();
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09d_wake_only_a_sleeper.rs"]
mod tests;
