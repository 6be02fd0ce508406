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
        self.step("put", |it| Some(it.queued.push_back(task))).await;
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
        let step = |it: &mut State| Some(it.change(self.thread, Mode::Searching, Mode::Sleeping));
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
        let step = |it: &mut State| Some(it.change(self.thread, Mode::Polling, Mode::Searching));
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

#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{
        collections::HashSet,
        future::Future,
        pin::Pin,
        task::{Context, Waker},
        time::Duration,
    };

    const LIMIT: Duration = Duration::from_secs(2);
    /// No function needs so many steps.
    const MOST_STEPS: usize = 15;

    fn workers(modes: &[Mode]) -> State {
        State {
            modes: modes.to_vec(),
            tokens: vec![false; modes.len()],
            ..State::default()
        }
    }

    /// Lets the threads take a step each in this order. Returns nothing if the last one cannot take its step.
    fn run(start: &State, tasks: usize, order: &[usize]) -> Option<State> {
        let (state, count) = (RefCell::new(start.clone()), start.modes.len());
        let all: Vec<_> = (0..count + tasks)
            .map(|thread| Me {
                thread,
                state: &state,
            })
            .collect();
        let mut futures: Vec<Option<Pin<Box<dyn Future<Output = ()> + '_>>>> = Vec::new();
        for me in &all {
            futures.push(Some(match me.thread.checked_sub(count) {
                Some(task) => Box::pin(push(me, task + 1)),
                None => Box::pin(work(me)),
            }));
        }
        let mut cx = Context::from_waker(Waker::noop());
        let mut poll = |thread: usize| {
            let future = &mut futures[thread];
            let Some(running) = future else { return };
            if running.as_mut().poll(&mut cx).is_ready() {
                *future = None;
                state
                    .borrow_mut()
                    .steps
                    .push((thread, "returns".to_string()));
            }
        };
        (0..all.len()).for_each(&mut poll);
        let mut steps = 0;
        for thread in order {
            steps = state.borrow().steps.len();
            poll(*thread);
        }
        let state = state.borrow().clone();
        (order.is_empty() || state.steps.len() > steps).then_some(state)
    }

    /// The latest steps of each thread, and what all share.
    type Alike = (Vec<Vec<String>>, State);

    /// Two orders that are alike go on in the same way. A worker remembers nothing of what it did before it last took a task
    /// or began a poll, and a thread that has returned nothing at all.
    fn alike(state: &State, threads: usize) -> Alike {
        let of = |wanted| {
            let mine = state
                .steps
                .iter()
                .filter(move |(thread, _)| *thread == wanted);
            let mut mine: Vec<_> = mine.map(|(_, step)| step.clone()).collect();
            let forgets = |step: &String| {
                ["take", "begin_poll", "returns"]
                    .iter()
                    .any(|it| step.starts_with(it))
            };
            let latest = mine.iter().rposition(forgets);
            mine.drain(..latest.unwrap_or(0));
            mine
        };
        let steps: Vec<_> = (0..threads).map(of).collect();
        let shared = State {
            woken: 0,
            steps: Vec::new(),
            ..state.clone()
        };
        (steps, shared)
    }

    /// So many threads push a task each, and the tasks wait for each other. Tries every order of the steps after the last
    /// worker has fallen asleep, if there are two.
    fn try_all_orders(start: &State, tasks: usize) {
        let start = State {
            at_once: tasks,
            ..start.clone()
        };
        let threads = start.modes.len() + tasks;
        let mut first = Vec::new();
        if start.modes.len() > 1 {
            first.push(1);
            while first.len() < 10 && run(&start, tasks, &first).is_some() {
                first.push(1);
            }
            first.pop();
        }
        let (mut known, mut open) = (HashSet::new(), VecDeque::from([first]));
        while let Some(order) = open.pop_front() {
            let mut is_stuck = true;
            for thread in 0..threads {
                let order: Vec<_> = order.iter().copied().chain([thread]).collect();
                let Some(state) = run(&start, tasks, &order) else {
                    continue;
                };
                is_stuck = false;
                let alike = alike(&state, threads);
                assert!(
                    alike.0[thread].len() < MOST_STEPS,
                    "A thread goes on forever. The steps:{}",
                    state.shown()
                );
                // Nothing is left to find.
                if state.begun.len() < tasks && known.insert(alike) {
                    open.push_back(order);
                }
            }
            // An order after which all tasks have been polled is not open.
            assert!(
                !is_stuck,
                "A task is left in a queue, and a worker sleeps that could run it. The steps:{}\n\
                 Look at: what did each thread know when it took its last step?",
                run(&start, tasks, &order).map_or(String::new(), |it| it.shown())
            );
        }
    }

    #[test]
    fn workers_with_nothing_to_do_sleep() {
        within(LIMIT, || {
            for count in [1, 2] {
                let state = RefCell::new(workers(&vec![Mode::Searching; count]));
                let all: Vec<_> = (0..count)
                    .map(|thread| Me {
                        thread,
                        state: &state,
                    })
                    .collect();
                let mut working: Vec<_> = all.iter().map(|me| Box::pin(work(me))).collect();
                let mut cx = Context::from_waker(Waker::noop());
                for _ in 0..50 {
                    for worker in &mut working {
                        let _ = worker.as_mut().poll(&mut cx);
                    }
                }
                let state = state.borrow();
                assert!(
                    state.steps.len() < 25 * count,
                    "{count} workers found nothing, and nothing was pushed. They took {} steps, and did not sleep. The first \
                     ones:{}",
                    state.steps.len(),
                    State {
                        steps: state.steps[..8].to_vec(),
                        ..state.clone()
                    }
                    .shown()
                );
            }
        });
    }

    #[test]
    fn in_no_order_of_the_steps_does_a_worker_sleep_through_a_push() {
        within(LIMIT, || try_all_orders(&workers(&[Mode::Searching]), 1));
    }

    #[test]
    fn two_tasks_that_wait_for_each_other_are_polled_by_two_workers() {
        within(LIMIT, || {
            try_all_orders(&workers(&[Mode::Searching, Mode::Searching]), 2)
        });
    }

    /// Runs a function of worker 0, while no other thread takes a step. Returns how many workers it has woken.
    fn woken_by<'a>(state: &'a RefCell<State>, call: impl Future<Output = ()> + 'a) -> usize {
        let mut call = Box::pin(call);
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..MOST_STEPS {
            if call.as_mut().poll(&mut cx).is_ready() {
                return state.borrow().woken;
            }
        }
        let state = state.borrow();
        panic!("It does not return. The steps:{}", state.shown());
    }

    #[test]
    fn a_push_wakes_one_sleeper_unless_another_worker_searches() {
        use Mode::{Polling, Searching, Sleeping};
        within(LIMIT, || {
            let cases = [
                ([Polling, Sleeping, Sleeping], 1, "one of two sleepers"),
                (
                    [Polling, Searching, Sleeping],
                    0,
                    "nobody, because worker 1 searches",
                ),
                (
                    [Polling, Polling, Polling],
                    0,
                    "nobody, because nobody sleeps",
                ),
            ];
            for (modes, wanted, who) in cases {
                let state = RefCell::new(workers(&modes));
                let me = Me {
                    thread: 0,
                    state: &state,
                };
                let woken = woken_by(&state, push(&me, 1));
                assert!(
                    woken == wanted,
                    "Worker 0 pushed a task, and the workers were {modes:?}. Woken: {woken}. Wanted: {who}."
                );
            }
        });
    }

    #[test]
    fn the_last_searcher_wakes_another_one_if_more_is_queued() {
        use Mode::{Searching, Sleeping};
        within(LIMIT, || {
            let cases = [
                ([Searching, Sleeping, Sleeping], true, 1),
                ([Searching, Sleeping, Sleeping], false, 0),
                ([Searching, Searching, Sleeping], true, 0),
            ];
            for (modes, is_more, wanted) in cases {
                let state = RefCell::new(workers(&modes));
                state.borrow_mut().queued.extend(is_more.then_some(2));
                let me = Me {
                    thread: 0,
                    state: &state,
                };
                let woken = woken_by(&state, found(&me));
                let more = if is_more { "another task" } else { "nothing" };
                assert!(
                    woken == wanted,
                    "Worker 0 found a task, {more} was queued, and the workers were {modes:?}. Woken: {woken}. Wanted: \
                     {wanted}."
                );
            }
        });
    }
}
