#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{
        cell::{Cell, RefCell},
        collections::BTreeSet,
        rc::Rc,
        sync::Barrier,
        thread,
        time::Duration,
    };

    const LIMIT: Duration = Duration::from_secs(2);

    thread_local! {
        /// Called after each step of a word.
        static AFTER_A_STEP: RefCell<Option<Rc<dyn Fn()>>> = const { RefCell::new(None) };
    }

    pub(super) fn between_two_steps() {
        if let Some(act) = AFTER_A_STEP.with_borrow(Clone::clone) {
            act();
        }
    }

    /// The task in a small world: one worker, and wakes at each of these moments (counted in steps of the word).
    /// Returns how often the task is in the queue at most, how often it is there while it is polled, and whether the poll
    /// after the last wake came.
    fn run(wakes: BTreeSet<usize>) -> (usize, usize, bool) {
        let state = Rc::new(State::spawned());
        let queued = Rc::new(Cell::new(1_usize));
        let (most, during) = (Rc::new(Cell::new(1)), Rc::new(Cell::new(0)));
        let polling = Rc::new(Cell::new(false));
        // A wake that no poll has seen.
        let unseen = Rc::new(Cell::new(false));
        let push = {
            let (queued, most) = (Rc::clone(&queued), Rc::clone(&most));
            move || {
                queued.set(queued.get() + 1);
                most.set(most.get().max(queued.get()));
            }
        };
        let (step, inside) = (Cell::new(0), Cell::new(false));
        let other: Rc<dyn Fn()> = {
            let (state, polling, unseen) =
                (Rc::clone(&state), Rc::clone(&polling), Rc::clone(&unseen));
            let (push, during) = (push.clone(), Rc::clone(&during));
            Rc::new(move || {
                if inside.replace(true) {
                    return;
                }
                if wakes.contains(&step.get()) {
                    unseen.set(true);
                    if state.wake() {
                        push();
                        during.set(during.get() + usize::from(polling.get()));
                    }
                }
                step.set(step.get() + 1);
                inside.set(false);
            })
        };
        AFTER_A_STEP.set(Some(other));
        for _ in 0..50 {
            if queued.get() == 0 {
                break;
            }
            queued.set(queued.get() - 1);
            polling.set(true);
            state.start();
            unseen.set(false);
            between_two_steps();
            // The step at which the poll is over is the first one in which the task may be in the queue again.
            polling.set(false);
            if state.pause() {
                push();
            }
        }
        AFTER_A_STEP.take();
        (most.get(), during.get(), !unseen.get())
    }

    #[test]
    fn wakes_at_any_two_moments() {
        for first in 0..9 {
            for second in first..9 {
                let (most, during, seen) = run(BTreeSet::from([first, second]));
                let when = format!("wakes after steps {first} and {second}");
                assert_eq!(most, 1, "{when}: times in the queue");
                assert_eq!(during, 0, "{when}: times queued while it is polled");
                assert!(seen, "{when}: the last wake was lost");
            }
        }
    }

    /// What `wake` returns if the worker does this after so many steps of it, or after all of them.
    fn wake_and(state: Rc<State>, steps: usize, act: fn(&State) -> bool) -> (bool, bool) {
        let (left, acted) = (Cell::new(steps), Rc::new(Cell::new(None)));
        let (of_the_worker, seen) = (Rc::clone(&state), Rc::clone(&acted));
        let worker = Rc::new(move || {
            if left.replace(left.get().wrapping_sub(1)) == 0 {
                seen.set(Some(act(&of_the_worker)));
            }
        });
        AFTER_A_STEP.set(Some(worker));
        let woken = state.wake();
        AFTER_A_STEP.take();
        (woken, acted.get().unwrap_or_else(|| act(&state)))
    }

    #[test]
    fn the_worker_acts_while_a_wake_is_under_way() {
        let polled = || {
            let state = Rc::new(State::spawned());
            state.start();
            state
        };
        for steps in 0..3 {
            let answers = wake_and(polled(), steps, State::pause);
            assert!(
                answers.0 != answers.1,
                "one of the two puts it into the queue: pause after step {steps}, {answers:?}"
            );
            let (woken, _) = wake_and(polled(), steps, |state| {
                state.finish();
                false
            });
            assert!(!woken, "finished after step {steps}");
            let (woken, _) = wake_and(Rc::new(State::spawned()), steps, |state| {
                state.start();
                false
            });
            assert!(!woken, "taken from the queue after step {steps}");
        }
    }

    #[test]
    fn what_is_returned() {
        let state = State::spawned();
        assert!(!state.wake(), "a new task is in the queue");
        state.start();
        assert!(!state.pause(), "not woken in its poll");
        assert!(state.wake(), "it is idle");
        state.start();
        assert!(
            !state.wake() && !state.wake(),
            "the worker that polls it will put it back"
        );
        assert!(state.pause(), "woken in its poll");
        assert!(!state.wake(), "it is in the queue again");
        state.start();
        state.finish();
        assert!(!state.wake(), "it is finished");
    }

    #[test]
    fn two_threads_that_wake_at_once_put_it_there_once() {
        within(LIMIT, || {
            for _ in 0..200 {
                let state = State::spawned();
                state.start();
                assert!(!state.pause());
                let barrier = Barrier::new(2);
                let wake = || {
                    barrier.wait();
                    usize::from(state.wake())
                };
                let entries = thread::scope(|s| {
                    let threads = [s.spawn(wake), s.spawn(wake)];
                    threads.map(|it| it.join().unwrap()).iter().sum::<usize>()
                });
                assert_eq!(entries, 1, "entries");
            }
        });
    }
}
