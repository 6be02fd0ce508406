//! What each rung asks.

use crate::checks::{self, Check};

pub(crate) struct Rung {
    pub(crate) title: &'static str,
    /// In one sentence.
    pub(crate) asks: &'static str,
    /// Which chapter of the book helps.
    pub(crate) chapter: &'static str,
    /// What is shown before all others if it isn't kept, because the others tell less. The chapter names it too.
    pub(crate) first: &'static [&'static str],
    /// Clauses of the contract, each group about one subject of [`adapter`](crate::adapter).
    pub(crate) clauses: &'static [(&'static str, &'static [&'static str])],
    /// What the contract doesn't ask.
    pub(crate) checks: &'static [Check],
}

/// From the first on. Whoever climbs is asked for all of them again.
pub(crate) const RUNGS: [Rung; 9] = [
    Rung {
        title: "block_on",
        asks: "`Runtime::block_on`: poll the root future, sleep until its waker is called, and poll it again.",
        chapter: "chapter 03, \"A timer as a future\", for wakers, and chapter 05, \"Park, unpark and block_on\", for the sleep",
        first: &["woken_in_poll", "root_woken_at_any_moment"],
        clauses: &[(
            "block_on",
            &[
                "by_value_and_by_reference",
                "woken_twice",
                "woken_in_poll",
                "finishes",
                "waker_outlives",
                "wake_after_the_end",
                "woken_asleep",
                "woken_in_poll_by_another",
                "a_million_wakes",
                "a_thousand_in_one",
                "an_earlier_waker",
                "woken_under_a_lock",
                "four_at_once",
                "wakers_balance",
                "only_when_woken",
                "woken_by_a_dying_thread",
                "sleeps",
                "wakes_when_dropped",
                "panic_reaches",
                "nested",
                "output_reaches",
                "parks_in_poll",
                "waits_in_poll",
            ],
        )],
        checks: checks::OF_RUNGS[0],
    },
    Rung {
        title: "a queue, tasks and wakers",
        asks: "`spawn`: tasks that `block_on` polls beside its root future, one at a time, each when its waker was called.",
        chapter: "chapter 04, \"An executor on a channel\"",
        first: &["woken_in_poll", "ten_thousand", "task_polled_during_a_wake"],
        clauses: &[(
            "tasks",
            &[
                "waker_outlives",
                "woken_twice",
                "by_value_and_by_reference",
                "woken_in_poll_by_another",
                "woken_in_poll",
                "nothing_to_do",
                "finishes",
                "wake_after_the_end",
                "wake_after_ready",
                "woken_asleep",
                "ten_thousand",
                "a_million_wakes",
                "a_thousand_in_one",
                "an_earlier_waker",
                "four_at_once",
                "woken_under_a_lock",
                "takes_turns",
                "only_who_is_woken",
                "leaves_nothing_itself",
                "only_when_woken",
                "woken_by_a_dying_thread",
                "wakers_balance",
                "sleeps",
                "wakes_when_dropped",
                "dropped_when_ready",
                "dropped_unrun",
                "blocked_on_under_load",
                "woken_under_load",
                "nested",
                "parks_in_poll",
                "waits_in_poll",
            ],
        )],
        checks: checks::OF_RUNGS[1],
    },
    Rung {
        title: "a timer",
        asks: "`sleep`: a future that is ready when its time has passed. Each may have a thread of its own until rung 4.",
        chapter: "chapter 05, \"Park, unpark and block_on\", whose section is about this rung, and chapter 03, \"A timer as a future\"",
        first: &["pending_is_a_promise", "the_latest_waker"],
        clauses: &[(
            "sleep",
            &[
                "lazy",
                "no_allocation_per_poll",
                "no_thread_per_poll",
                "pending_is_a_promise",
                "the_latest_waker",
                "no_wake_without_news",
                "dropped_in_its_wake",
                "handed_back",
                "zero",
                "huge",
                "one_waker_is_kept",
                "polled_after_ready",
                "dropped_late",
                "never_early",
                "shorter_after_longer",
                "after_an_abandoned_one",
                "a_hundred",
                "under_load",
            ],
        )],
        checks: checks::OF_RUNGS[2],
    },
    Rung {
        title: "all timers in the runtime's own sleep",
        asks: "`sleep` without a thread: your runtime sleeps until the next deadline, and a dropped sleep leaves nothing behind.",
        chapter: "chapter 06, \"One thread for all timers\"",
        first: &["dropped_early", "sleep_polled_at_any_moment"],
        clauses: &[(
            "sleep",
            &[
                "dropped_early",
                "hostile_drop",
                "hostile_clone",
                "hostile_wake",
            ],
        )],
        checks: checks::OF_RUNGS[3],
    },
    Rung {
        title: "handles: output and panic",
        asks: "`JoinHandle` as a future: the task's output, or its panic. A panic of a task ends nothing but the task.",
        chapter: "chapter 07, \"A small tokio\", for `Notify`, and chapter 08, \"Join handles and worker threads\", for the panic",
        first: &[
            "a_panic_is_contained",
            "output_is_kept",
            "handle_polled_at_any_moment",
        ],
        clauses: &[
            (
                "joins",
                &[
                    "a_panic_is_contained",
                    "woken_and_then_panics",
                    "dropped_when_panicked",
                    "panic_reaches",
                    "output_is_kept",
                    "output_reaches",
                    "a_panicking_destructor",
                ],
            ),
            (
                "handle",
                &[
                    "ready_as_it_registers",
                    "lazy",
                    "no_thread_per_poll",
                    "no_allocation_per_poll",
                    "handed_back",
                    "the_latest_waker",
                    "pending_is_a_promise",
                    "no_wake_without_news",
                    "dropped_in_its_wake",
                    "one_waker_is_kept",
                    "dropped_early",
                    "polled_after_ready",
                    "after_an_abandoned_one",
                    "dropped_late",
                    "a_hundred",
                    "hostile_clone",
                    "hostile_wake",
                    "hostile_drop",
                ],
            ),
        ],
        checks: checks::OF_RUNGS[4],
    },
    Rung {
        title: "abort and shutdown",
        asks: "`JoinHandle::abort`, and a runtime that drops all of its tasks when it is dropped.",
        chapter: "chapter 08, \"Join handles and worker threads\"",
        first: &["dropped_at_shutdown", "aborted_at_every_step"],
        clauses: &[(
            "handles",
            &[
                "dropped_by_its_executor",
                "last_waker_under_a_lock",
                "woken_while_it_is_dropped",
                "dropped_at_shutdown",
                "acts_at_shutdown",
                "aborted_at_any_moment",
            ],
        )],
        checks: checks::OF_RUNGS[5],
    },
    Rung {
        title: "sockets",
        asks: "`Source`: your runtime sleeps in `given::Poller::wait`, which ends for a socket, for a deadline and for a wake.",
        chapter: "chapter 09, \"Epoll and the reactor\"",
        first: &["pending_is_a_promise", "read_and_written_at_once"],
        clauses: &[(
            "socket",
            &[
                "ready_as_it_registers",
                "lazy",
                "no_thread_per_poll",
                "no_allocation_per_poll",
                "the_latest_waker",
                "dropped_in_its_wake",
                "no_wake_without_news",
                "handed_back",
                "pending_is_a_promise",
                "one_waker_is_kept",
                "dropped_early",
                "polled_after_ready",
                "dropped_late",
                "after_an_abandoned_one",
                "a_hundred",
                "hostile_clone",
                "hostile_drop",
                "hostile_wake",
            ],
        )],
        checks: checks::OF_RUNGS[6],
    },
    Rung {
        title: "several workers",
        asks: "`Runtime::new(n)` starts n threads, and `Handle` spawns from anywhere. One worker at a time waits in the kernel.",
        chapter: "chapter 10, \"Work stealing\"",
        first: &[
            "as_many_threads_as_workers",
            "spawned_at_any_moment",
            "two_spawned_while_all_sleep",
            "somebody_waits_in_the_kernel",
        ],
        clauses: &[(
            "workers",
            &[
                "nothing_to_do",
                "by_value_and_by_reference",
                "woken_in_poll",
                "woken_in_poll_by_another",
                "woken_twice",
                "wake_after_the_end",
                "waker_outlives",
                "wake_after_ready",
                "finishes",
                "woken_asleep",
                "ten_thousand",
                "a_million_wakes",
                "two_at_once",
                "only_who_is_woken",
                "a_thousand_in_one",
                "woken_under_a_lock",
                "four_at_once",
                "an_earlier_waker",
                "takes_turns",
                "leaves_nothing_itself",
                "only_when_woken",
                "woken_by_a_dying_thread",
                "wakers_balance",
                "sleeps",
                "a_panic_is_contained",
                "last_waker_under_a_lock",
                "dropped_by_its_executor",
                "dropped_when_ready",
                "woken_under_load",
                "spawned_under_load",
                "blocked_on_under_load",
                "woken_while_it_is_dropped",
                "dropped_at_shutdown",
                "spawned_after_the_end",
                "wakes_when_dropped",
                "dropped_unrun",
                "panic_reaches",
                "output_reaches",
                "nested",
                "woken_and_then_panics",
                "output_is_kept",
                "dropped_when_panicked",
                "a_panicking_destructor",
                "acts_after_a_panic",
                "acts_at_shutdown",
                "panics_at_any_moment",
                "acts_when_dropped",
                "acts_in_a_poll",
                "spawned_inside",
                "parks_in_poll",
                "spawned_and_waited_for",
                "aborted_at_any_moment",
                "spawned_from_outside",
                "waits_in_poll",
            ],
        )],
        checks: checks::OF_RUNGS[7],
    },
    Rung {
        title: "HTTP",
        asks: "`Http`: hyper's traits `Read` and `Write` for your connection.",
        chapter: "chapter 10, and its page \"Deeper: hyper on this runtime\"",
        first: &[],
        clauses: &[],
        checks: checks::OF_RUNGS[8],
    },
];

#[cfg(test)]
mod tests {
    use contract::all;

    use super::RUNGS;
    use crate::{adapter, climb};

    #[test]
    fn every_clause_of_a_rung_is_in_the_contract_and_about_its_subject() {
        for (subject, names) in RUNGS.iter().flat_map(|rung| rung.clauses) {
            let known =
                adapter::subject(subject).unwrap_or_else(|| panic!("{subject}: no subject"));
            for name in *names {
                let mut clauses = all();
                let clause = clauses.find(|clause| clause.name == *name);
                let clause = clause.unwrap_or_else(|| panic!("{name}: no clause"));
                assert!(clause.is_about(&known), "{name} isn't about {subject}");
            }
        }
    }

    #[test]
    fn what_a_rung_shows_first_is_asked_there() {
        for rung in &RUNGS {
            let asked: Vec<_> = climb::jobs(rung).iter().map(|job| job.name()).collect();
            for name in rung.first {
                assert!(asked.contains(name), "{name}: not in \"{}\"", rung.title);
            }
        }
    }
}
