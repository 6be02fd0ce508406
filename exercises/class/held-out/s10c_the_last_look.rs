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
        let (queued, begun) = (state.queued.clone(), state.begun.clone());
        (
            steps,
            queued,
            begun,
            state.modes.clone(),
            state.tokens.clone(),
        )
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
                    "It never ends:{}",
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
                "Not every task was polled:{}",
                run(&start, tasks, &order).map_or(String::new(), |state| state.shown())
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
                    "{count} workers do not sleep"
                );
            }
        });
    }

    #[test]
    fn two_workers_and_one_push() {
        within(LIMIT, || try_all_orders(&workers(&[Mode::Searching; 2]), 1));
    }

    #[test]
    fn two_workers_and_two_pushes_for_tasks_that_wait_for_each_other() {
        within(LIMIT, || try_all_orders(&workers(&[Mode::Searching; 2]), 2));
    }

    fn woken_by<'a>(state: &'a RefCell<State>, call: impl Future<Output = ()> + 'a) -> usize {
        let (mut call, mut cx) = (Box::pin(call), Context::from_waker(Waker::noop()));
        let ended = (0..MOST_STEPS).any(|_| call.as_mut().poll(&mut cx).is_ready());
        assert!(ended, "it does not return");
        state.borrow().woken
    }

    #[test]
    fn nobody_is_woken_for_nothing() {
        use Mode::{Polling, Searching, Sleeping};
        within(LIMIT, || {
            for (modes, wanted) in [
                ([Sleeping, Sleeping, Sleeping], 1),
                ([Sleeping, Searching, Searching], 0),
                ([Polling, Sleeping, Searching], 0),
                ([Polling, Polling, Sleeping], 1),
            ] {
                let state = RefCell::new(workers(&modes));
                // A thread that is no worker.
                let me = Me {
                    thread: 3,
                    state: &state,
                };
                assert_eq!(woken_by(&state, push(&me, 5)), wanted, "push: {modes:?}");
                assert_eq!(state.borrow().queued, [5]);
            }
            for (modes, queued, wanted) in [
                ([Sleeping, Sleeping, Searching], 2, 1),
                ([Sleeping, Polling, Searching], 1, 1),
                ([Sleeping, Polling, Searching], 0, 0),
                ([Sleeping, Searching, Searching], 1, 0),
            ] {
                let state = RefCell::new(workers(&modes));
                state.borrow_mut().queued.extend(0..queued);
                let me = Me {
                    thread: 2,
                    state: &state,
                };
                assert_eq!(woken_by(&state, found(&me)), wanted, "found: {modes:?}");
            }
        });
    }
}
