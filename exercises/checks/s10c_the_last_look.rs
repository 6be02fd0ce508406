use super::*;
use probe::within;
use std::{
    cell::RefCell,
    collections::{HashSet, VecDeque},
    future::Future,
    pin::Pin,
    task::{Context, Waker},
    time::Duration,
};

// To try all orders takes a while on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);
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
        .map(|thread| Me::new(thread, &state))
        .collect();
    let mut futures: Vec<Option<Pin<Box<dyn Future<Output = ()> + '_>>>> = Vec::new();
    for (thread, me) in all.iter().enumerate() {
        futures.push(Some(match thread.checked_sub(count) {
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
            // The pushes are alike, so they begin in this order.
            if thread > start.modes.len() && !order.contains(&(thread - 1)) {
                continue;
            }
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

fn assert_idle_workers_sleep() {
    let state = RefCell::new(workers(&[Mode::Searching; 2]));
    let [first, second] = [0, 1].map(|thread| Me::new(thread, &state));
    let mut working = [Box::pin(work(&first)), Box::pin(work(&second))];
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..50 {
        for worker in &mut working {
            let _ = worker.as_mut().poll(&mut cx);
        }
    }
    let state = state.borrow();
    assert!(
        state.steps.len() < 50,
        "Two workers found nothing, and nothing was pushed. They took {} steps, and did not sleep. The first ones:{}",
        state.steps.len(),
        State {
            steps: state.steps[..8].to_vec(),
            ..state.clone()
        }
        .shown()
    );
}

#[test]
fn workers_with_nothing_to_do_sleep() {
    within(LIMIT, assert_idle_workers_sleep);
}

#[test]
fn in_no_order_of_the_steps_does_a_worker_sleep_through_a_push() {
    within(LIMIT, || {
        assert_idle_workers_sleep();
        try_all_orders(&workers(&[Mode::Searching]), 1);
    });
}

#[test]
fn two_tasks_that_wait_for_each_other_are_polled_by_two_workers() {
    within(LIMIT, || {
        assert_idle_workers_sleep();
        try_all_orders(&workers(&[Mode::Searching, Mode::Searching]), 2);
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
            let me = Me::new(0, &state);
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
            let me = Me::new(0, &state);
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
