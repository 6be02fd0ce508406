//! The model of s10c: threads that take one step at a time, in an order that the tests choose.

use std::{cell::RefCell, collections::VecDeque, future::poll_fn, task::Poll};

pub(crate) type Task = usize;

/// A thread and what it can do. Each function is one step, which all other threads see at once.
pub(crate) struct Me<'a> {
    thread: usize,
    state: &'a RefCell<State>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) searching: usize,
    pub(crate) sleeping: usize,
}

impl<'a> Me<'a> {
    pub(crate) fn new(thread: usize, state: &'a RefCell<State>) -> Me<'a> {
        Me { thread, state }
    }

    /// Puts a task into a queue.
    pub(crate) async fn put(&self, task: Task) {
        let step = |it: &mut State| {
            it.queued.push_back(task);
            Some(())
        };
        self.step("put", step).await;
    }

    /// How many workers search, and how many have announced that they sleep.
    pub(crate) async fn counts(&self) -> Counts {
        self.step("counts", |it| Some(it.counts())).await
    }

    /// Looks into all queues.
    pub(crate) async fn is_anything_queued(&self) -> bool {
        let step = |it: &mut State| Some(!it.queued.is_empty());
        self.step("is_anything_queued", step).await
    }

    /// This worker no longer counts as searching, and counts as sleeping instead. From now on it can be woken.
    pub(crate) async fn announce_sleep(&self) {
        let step = |it: &mut State| {
            it.change(self.thread, Mode::Searching, Mode::Sleeping);
            Some(())
        };
        self.step("announce_sleep", step).await;
    }

    /// Blocks the thread until another one has woken this worker, before this call or during it.
    pub(crate) async fn park(&self) {
        let step = |it: &mut State| std::mem::take(&mut it.tokens[self.thread]).then_some(());
        self.step("park", step).await;
    }

    /// If this worker still counts as sleeping, it counts as searching from now on.
    pub(crate) async fn get_up(&self) {
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
    pub(crate) async fn wake_one(&self) {
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
    pub(crate) async fn stop_searching(&self) -> bool {
        let step = |it: &mut State| {
            it.change(self.thread, Mode::Searching, Mode::Polling);
            Some(it.counts().searching == 0)
        };
        self.step("stop_searching", step).await
    }

    pub(crate) async fn start_searching(&self) {
        let step = |it: &mut State| {
            it.change(self.thread, Mode::Polling, Mode::Searching);
            Some(())
        };
        self.step("start_searching", step).await;
    }

    pub(crate) async fn take(&self) -> Option<Task> {
        let step = |it: &mut State| {
            it.expect(self.thread, Mode::Searching);
            Some(it.queued.pop_front())
        };
        self.step("take", step).await
    }

    /// The poll of a task ends when all tasks that wait for each other are in their polls.
    pub(crate) async fn poll(&self, task: Task) {
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
    pub(crate) async fn step<R: std::fmt::Debug>(
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
pub(crate) enum Mode {
    Searching,
    Sleeping,
    Polling,
}

/// What all threads share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) queued: VecDeque<Task>,
    /// Of each worker.
    pub(crate) modes: Vec<Mode>,
    /// Which workers have been woken.
    pub(crate) tokens: Vec<bool>,
    /// How many workers have been woken in all.
    pub(crate) woken: usize,
    /// The tasks whose polls have begun.
    pub(crate) begun: Vec<Task>,
    /// How many tasks wait for each other.
    pub(crate) at_once: usize,
    /// The thread and what it did.
    pub(crate) steps: Vec<(usize, String)>,
}

impl State {
    pub(crate) fn counts(&self) -> Counts {
        let count = |wanted| self.modes.iter().filter(|mode| **mode == wanted).count();
        Counts {
            searching: count(Mode::Searching),
            sleeping: count(Mode::Sleeping),
        }
    }

    pub(crate) fn expect(&self, worker: usize, expected: Mode) {
        let mode = self.modes[worker];
        assert!(
            mode == expected,
            "Worker {worker} counts as {mode:?}, and takes a step for which it must count as {expected:?}. The steps so far:{}",
            self.shown()
        );
    }

    pub(crate) fn change(&mut self, worker: usize, from: Mode, to: Mode) {
        self.expect(worker, from);
        self.modes[worker] = to;
    }

    /// The steps, each on a line.
    pub(crate) fn shown(&self) -> String {
        let workers = self.modes.len();
        let line = |(thread, step): &(usize, String)| match thread.checked_sub(workers) {
            Some(_) => format!("\n  thread {thread}: {step}"),
            None => format!("\n  worker {thread}: {step}"),
        };
        self.steps.iter().map(line).collect()
    }
}
