//! s10c · complete · 15 minutes · chapter 10, "Work stealing"
//!
//! A worker that finds nothing in any queue sleeps, and a push has to wake it. But waking a thread takes a system call,
//! so a push wakes nobody if another worker searches the queues already: that worker will find the task. And if a worker
//! has found the queues empty, and a task is pushed before it sleeps, then who runs the task?
//!
//! Complete `push`, `sleep` and `found`. Each `.await` in them is one step, and the other threads may take any number of
//! steps before it. In no order of the steps may a task stay in a queue while a worker sleeps that could run it. Nobody is woken
//! while another worker searches, and nobody is woken if no task is left. The model below these functions is right.
//!
//! Run: `cargo test --bin s10c_the_last_look`, or save this file while `rustlings` runs.
//! Red: a test shows the steps after which a task is left in a queue, or says how many workers were woken.

use std::{cell::RefCell, collections::VecDeque, future::poll_fn, task::Poll};

/// Puts a task into a queue, and wakes a worker if the task needs one. Any thread may call this.
async fn push(me: &Me<'_>, task: Task) {
    me.put(task).await;
    // After `put`: a searcher that is counted here has its last look still before it.
    let counts = me.counts().await;
    if counts.searching == 0 && counts.sleeping > 0 {
        me.wake_one().await;
    }
}

/// Called by a worker that has searched all queues and found nothing. It still counts as searching, and it has to count as
/// searching when this returns.
async fn sleep(me: &Me<'_>) {
    me.announce_sleep().await;
    // Once more, because a push that came before the announcement has seen a searcher, and woken nobody.
    if !me.is_anything_queued().await {
        me.park().await;
    }
    me.get_up().await;
}

/// Called by a worker that counts as searching, and has just taken a task out of a queue. Then it polls the task.
async fn found(me: &Me<'_>) {
    // Pushes have woken nobody while this worker was searching, and now no other one searches.
    if me.stop_searching().await && me.is_anything_queued().await {
        me.wake_one().await;
    }
}

/// What a worker does. It counts as searching when it starts.
async fn work(me: &Me<'_>) {
    loop {
        match me.take().await {
            Some(task) => {
                found(me).await;
                me.poll(task).await;
                me.start_searching().await;
            }
            None => sleep(me).await,
        }
    }
}

type Task = usize;

/// A thread and what it can do. Each function is one step, which all other threads see at once.
struct Me<'a> {
    thread: usize,
    state: &'a RefCell<State>,
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    searching: usize,
    sleeping: usize,
}

impl Me<'_> {
    /// Puts a task into a queue.
    async fn put(&self, task: Task) {
        let step = |it: &mut State| {
            it.queued.push_back(task);
            Some(())
        };
        self.step("put", step).await;
    }

    /// How many workers search, and how many have announced that they sleep.
    async fn counts(&self) -> Counts {
        self.step("counts", |it| Some(it.counts())).await
    }

    /// Looks into all queues.
    async fn is_anything_queued(&self) -> bool {
        let step = |it: &mut State| Some(!it.queued.is_empty());
        self.step("is_anything_queued", step).await
    }

    /// This worker no longer counts as searching, and counts as sleeping instead. From now on it can be woken.
    async fn announce_sleep(&self) {
        let step = |it: &mut State| {
            it.change(self.thread, Mode::Searching, Mode::Sleeping);
            Some(())
        };
        self.step("announce_sleep", step).await;
    }

    /// Blocks the thread until another one has woken this worker, before this call or during it.
    async fn park(&self) {
        let step = |it: &mut State| std::mem::take(&mut it.tokens[self.thread]).then_some(());
        self.step("park", step).await;
    }

    /// If this worker still counts as sleeping, it counts as searching from now on.
    async fn get_up(&self) {
        let step = |it: &mut State| {
            let mode = &mut it.modes[self.thread];
            if *mode == Mode::Sleeping {
                *mode = Mode::Searching;
            }
            Some(())
        };
        self.step("get_up", step).await;
    }

    /// Wakes one worker, if any sleeps. It counts as searching at once. This is the system call.
    async fn wake_one(&self) {
        let step = |it: &mut State| {
            if let Some(worker) = it.modes.iter().position(|mode| *mode == Mode::Sleeping) {
                it.modes[worker] = Mode::Searching;
                it.tokens[worker] = true;
                it.woken += 1;
            }
            Some(())
        };
        self.step("wake_one", step).await;
    }

    /// This worker no longer counts as searching. Returns whether it was the last that did.
    async fn stop_searching(&self) -> bool {
        let step = |it: &mut State| {
            it.change(self.thread, Mode::Searching, Mode::Polling);
            Some(it.counts().searching == 0)
        };
        self.step("stop_searching", step).await
    }

    async fn start_searching(&self) {
        let step = |it: &mut State| {
            it.change(self.thread, Mode::Polling, Mode::Searching);
            Some(())
        };
        self.step("start_searching", step).await;
    }

    async fn take(&self) -> Option<Task> {
        let step = |it: &mut State| {
            it.expect(self.thread, Mode::Searching);
            Some(it.queued.pop_front())
        };
        self.step("take", step).await
    }

    /// The poll of a task ends when all tasks that wait for each other are in their polls.
    async fn poll(&self, task: Task) {
        let begin = |it: &mut State| {
            it.expect(self.thread, Mode::Polling);
            it.begun.push(task);
            Some(())
        };
        self.step("begin_poll", begin).await;
        let end = |it: &mut State| (it.begun.len() >= it.at_once).then_some(());
        self.step("end_poll", end).await;
    }

    /// Waits until it is this thread's turn, and then until the step is possible.
    async fn step<R: std::fmt::Debug>(
        &self,
        name: &str,
        mut step: impl FnMut(&mut State) -> Option<R>,
    ) -> R {
        let mut is_turn = false;
        poll_fn(|_| {
            if !std::mem::replace(&mut is_turn, true) {
                return Poll::Pending;
            }
            let mut state = self.state.borrow_mut();
            let Some(result) = step(&mut state) else {
                return Poll::Pending;
            };
            let shown = match format!("{result:?}").as_str() {
                "()" => name.to_string(),
                result => format!("{name} -> {result}"),
            };
            state.steps.push((self.thread, shown));
            Poll::Ready(result)
        })
        .await
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    Searching,
    Sleeping,
    Polling,
}

/// What all threads share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    queued: VecDeque<Task>,
    /// Of each worker.
    modes: Vec<Mode>,
    /// Which workers have been woken.
    tokens: Vec<bool>,
    /// How many workers have been woken in all.
    woken: usize,
    /// The tasks whose polls have begun.
    begun: Vec<Task>,
    /// How many tasks wait for each other.
    at_once: usize,
    /// The thread and what it did.
    steps: Vec<(usize, String)>,
}

impl State {
    fn counts(&self) -> Counts {
        let count = |wanted| self.modes.iter().filter(|mode| **mode == wanted).count();
        Counts {
            searching: count(Mode::Searching),
            sleeping: count(Mode::Sleeping),
        }
    }

    fn expect(&self, worker: usize, expected: Mode) {
        let mode = self.modes[worker];
        assert!(
            mode == expected,
            "Worker {worker} counts as {mode:?}, and takes a step for which it must count as {expected:?}. The steps so far:{}",
            self.shown()
        );
    }

    fn change(&mut self, worker: usize, from: Mode, to: Mode) {
        self.expect(worker, from);
        self.modes[worker] = to;
    }

    /// The steps, each on a line.
    fn shown(&self) -> String {
        let workers = self.modes.len();
        let line = |(thread, step): &(usize, String)| match thread.checked_sub(workers) {
            Some(_) => format!("\n  thread {thread}: {step}"),
            None => format!("\n  worker {thread}: {step}"),
        };
        self.steps.iter().map(line).collect()
    }
}

fn main() {}

// The tests that this file must pass. Read them, but do not change them.
#[cfg(test)]
#[path = "../../checks/s10c_the_last_look.rs"]
mod tests;
