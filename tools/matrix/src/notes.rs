//! Why a cell is what it is: one note for each cell that says "no".

use contract::{Clause, Subject};

/// A reason, and the cells that it is for.
pub(crate) struct Note {
    pub(crate) subjects: &'static [&'static str],
    pub(crate) clauses: &'static [&'static str],
    pub(crate) text: &'static str,
}

/// All notes. The table gives them the numbers in which they stand here.
pub(crate) const NOTES: &[Note] = &[
    Note {
        subjects: &["step04-sends", "step07-queue"],
        clauses: &[
            "a_million_wakes",
            "only_when_woken",
            "only_who_is_woken",
            "sleeps",
        ],
        text: "Its waker does nothing, and it polls every pending task again and again. No task is ever late, but the executor never sleeps. The next version fixes that.",
    },
    Note {
        subjects: &["local-pool"],
        clauses: &[
            "a_panic_is_contained",
            "dropped_when_panicked",
            "a_panicking_destructor",
            "woken_and_then_panics",
            "acts_after_a_panic",
            "panics_at_any_moment",
        ],
        text: "`LocalPool` lets the panic of a task through to the code that called `run`. The other tasks are still there, and they go on when `run` is called again. A task that was spawned with a handle (`spawn_local_with_handle`) keeps its panic for the code that waits for the handle.",
    },
    Note {
        subjects: &["thread-pool"],
        clauses: &["takes_turns", "spawned_under_load", "woken_under_load"],
        text: "A task that was woken during its own poll is polled again at once, by the same worker, before anything else in the queue (`Task::run` in futures-executor's thread_pool.rs). With as many such tasks as there are workers, no other task is polled.",
    },
    Note {
        subjects: &["thread-pool"],
        clauses: &["a_panic_is_contained"],
        text: "`spawn_ok` catches no panic, so a panic ends the worker's thread, and the pool does not start another. After two panics, a pool of two has no worker left. `spawn_with_handle` catches the panic.",
    },
    Note {
        subjects: &["thread-pool"],
        clauses: &[
            "dropped_unrun",
            "dropped_at_shutdown",
            "dropped_by_its_executor",
            "acts_at_shutdown",
            "panics_at_any_moment",
        ],
        text: "A pending task lies inside its own wake handle, and holds a reference to that handle and to the pool, which is a cycle. If no wake comes any more, the task is never dropped, whether or not a waker still exists, and the pool's threads do not end either. `spawn_with_handle` helps: dropping the handle wakes the task, and then it is dropped.",
    },
    Note {
        subjects: &["smol", "async-executor"],
        clauses: &["a_panicking_destructor", "panics_at_any_moment"],
        text: "async-task 4.7.1 ends the process on purpose when the destructor of a future panics (`abort_on_panic` in raw.rs). Its comment gives the reason: unsafe code that cannot recover from a panic.",
    },
    Note {
        subjects: &["pollster"],
        clauses: &["nested", "parks_in_poll", "waits_in_poll"],
        text: "pollster 1.0.1 calls `thread::park` after each pending poll, and its waker is nothing but `Thread::unpark`. Code that parks inside the poll (an inner `block_on`, or a `recv` that has to wait) takes the token of a wake that has already come. Version 0.4 kept a flag of its own.",
    },
    Note {
        subjects: &["tokio-multi"],
        clauses: &["spawned_and_waited_for"],
        text: "What a worker spawns goes into its LIFO slot, and other workers cannot steal from that slot. If the task then blocks, the spawned task waits in the slot. tokio 1.51.0 let workers steal from it (#7431); 1.51.2 and 1.52.2 took that back because of its cost (#8100), and a request for it is open (#4941). `block_in_place` hands the slot over first, and `disable_lifo_slot` is an unstable option. Blocking in a poll is a mistake of the task, but here it is a hang rather than a delay.",
    },
    Note {
        subjects: &["step10-local"],
        clauses: &["spawned_and_waited_for"],
        text: "What a worker wakes or spawns goes into its own queue, from which no other worker takes. So the task waits there while its worker is in a poll, although another worker sleeps. The next version fixes that.",
    },
    Note {
        subjects: &[
            "step04-looks",
            "step04-sends",
            "step07-queue",
            "step07",
            "smol",
        ],
        clauses: &["dropped_by_its_executor"],
        text: "It owns its tasks, and its `run` returns when all of them are done, so it waits forever for a task that can no longer be woken. smol's executor is a `static` that is never dropped, and it keeps a waker of each task in a list (`active` in async-executor 1.14.1), so none of its tasks loses its last waker.",
    },
    Note {
        subjects: &["step07-delay-busy"],
        clauses: &["no_wake_without_news"],
        text: "It wakes its task in each poll that comes too early. The promise is kept, but the processor never rests. The next version fixes that.",
    },
    Note {
        subjects: &["step07-delay-threads"],
        clauses: &[
            "no_thread_per_poll",
            "no_allocation_per_poll",
            "one_waker_is_kept",
        ],
        text: "Each poll starts a thread that has a waker of its own. The next version fixes that.",
    },
    Note {
        subjects: &["async-io-timer"],
        clauses: &["polled_after_ready"],
        text: "The timer of async-io is a stream too. Once it was ready, a timer without a period is a stream that never fires again, so a further poll waits forever. The trait `Future` allows that.",
    },
    Note {
        subjects: &["async-io-timer"],
        clauses: &["hostile_panic"],
        text: "async-io 2.6 catches the panic of a wake (`react` in reactor.rs), but not the panic of a drop. Earlier wakers and those of dropped timers are dropped on the reactor's own thread, under the lock of all timers (`process_timer_ops`). The panic ends that thread, and no timer fires any more.",
    },
    Note {
        subjects: &["tokio-sleep"],
        clauses: &["hostile_panic"],
        text: "In tokio 1.54 a worker of the multi-threaded runtime waits for the timers and calls their wakers, and it catches no panic there. In a debug build the process ends (`AbortOnPanic` in scheduler/multi_thread/worker.rs). In a release build that worker ends, and with a single worker no timer fires any more. The wakers of tokio's own tasks do not panic.",
    },
];

/// The note for this cell, if there is one, and with it its number.
pub(crate) fn of(subject: &Subject, clause: &Clause) -> Option<(usize, &'static Note)> {
    let mut numbered = (1..).zip(NOTES);
    numbered.find(|(_, note)| {
        note.subjects.contains(&subject.name) && note.clauses.contains(&clause.name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects;

    #[test]
    fn a_note_is_about_subjects_and_clauses_that_exist() {
        let subjects = subjects::all();
        for note in NOTES {
            for name in note.clauses {
                let clause = contract::clause(name);
                let clause = clause.unwrap_or_else(|| panic!("there is no clause {name}"));
                for name in note.subjects {
                    let subject = subjects.iter().find(|subject| subject.name == *name);
                    let subject = subject.unwrap_or_else(|| panic!("there is no subject {name}"));
                    assert!(clause.is_about(subject), "{name}: {}", clause.name);
                }
            }
        }
    }
}
