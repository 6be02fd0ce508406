//! Who sleeps, searches and is woken: in every order of the steps of three workers and of four, the word says what a plain list of the
//! workers says.

use Worker::{Asleep, Busy, Searching, Woken};

use properties::walk::explore;

use crate::{
    IdleWorkers,
    idle::{BeforeSleep, IdleSet},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Worker {
    Busy,
    Searching,
    Asleep {
        checks: bool,
    },
    /// It has been woken to search, and does not know it yet.
    Woken {
        checks: bool,
    },
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Put,
    StartSearching(usize),
    CountAsSearching(usize),
    StopSearching(usize),
    FallAsleep(usize, HasChecked),
    WakeUp(usize),
}

type HasChecked = bool;

fn count(workers: &[Worker], is: impl Fn(&Worker) -> bool) -> usize {
    workers.iter().filter(|worker| is(worker)).count()
}

fn searches(worker: &Worker) -> bool {
    matches!(worker, Searching | Woken { .. })
}

fn checks(worker: &Worker) -> bool {
    matches!(worker, Asleep { checks: true } | Woken { checks: true })
}

fn sleeps(worker: &Worker) -> bool {
    matches!(worker, Asleep { .. })
}

/// What the workers may do next.
fn steps(workers: &[Worker]) -> Vec<Step> {
    let mut steps = vec![Step::Put];
    for (at, worker) in workers.iter().enumerate() {
        let falls_asleep = [false, true].map(|has_checked| Step::FallAsleep(at, has_checked));
        match worker {
            Busy => {
                steps.extend([Step::StartSearching(at), Step::CountAsSearching(at)]);
                steps.extend(falls_asleep);
            }
            Searching => {
                steps.push(Step::StopSearching(at));
                steps.extend(falls_asleep);
            }
            Asleep { .. } | Woken { .. } => steps.push(Step::WakeUp(at)),
        }
    }
    steps
}

/// Makes a step in both, which must agree on its answer.
fn make(step: Step, idle: &IdleSet, workers: &mut [Worker]) {
    let searching = count(workers, searches);
    match step {
        Step::Put => {
            let first = workers.iter().position(sleeps);
            let woken = first.filter(|_| searching == 0);
            assert_eq!(idle.worker_to_wake(), woken);
            if let Some(at) = woken {
                let checks = checks(&workers[at]);
                workers[at] = Woken { checks };
            }
        }
        Step::StartSearching(at) => {
            let may = searching < workers.len().div_ceil(2);
            assert_eq!(idle.start_searching(workers.len()), may);
            if may {
                workers[at] = Searching;
            }
        }
        Step::CountAsSearching(at) => {
            idle.count_as_searching();
            workers[at] = Searching;
        }
        Step::StopSearching(at) => {
            assert_eq!(idle.stop_searching(), searching == 1);
            workers[at] = Busy;
        }
        Step::FallAsleep(at, has_checked) => {
            let all = count(workers, sleeps) == workers.len() - 1;
            let checks = count(workers, checks) < 2 && !(has_checked && all);
            let before = BeforeSleep {
                is_searching: workers[at] == Searching,
                has_checked,
            };
            assert_eq!(idle.fall_asleep(at, before), checks);
            workers[at] = Asleep { checks };
        }
        Step::WakeUp(at) => {
            let woken = matches!(workers[at], Woken { .. });
            assert_eq!(idle.wake_up(at, checks(&workers[at])), woken);
            workers[at] = if woken { Searching } else { Busy };
        }
    }
    let counts = IdleWorkers {
        searching: count(workers, searches),
        sleeping: count(workers, sleeps),
        checking: count(workers, checks),
    };
    assert_eq!(idle.counts(), counts);
    let nobody = counts.sleeping > 0 && counts.checking == 0;
    assert_eq!(idle.nobody_checks(), nobody);
}

fn in_every_order_of_steps(of: usize) {
    let situations = explore(|way| {
        let (idle, mut workers) = (IdleSet::new(of), vec![Busy; of]);
        way.iter().for_each(|step| make(*step, &idle, &mut workers));
        let possible = steps(&workers);
        (workers, possible)
    });
    assert!(situations > 100, "only {situations} situations");
}

// Half of three is no whole number, and half of four is.
#[test]
#[cfg_attr(miri, ignore = "it tries a thousand states, and borrows nothing new")]
fn in_every_order_of_steps_the_word_says_what_each_worker_does() {
    in_every_order_of_steps(3);
    in_every_order_of_steps(4);
}
