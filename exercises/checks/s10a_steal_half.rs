use super::{given::MOST_HELD, *};
use probe::{in_gap, within};
use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(2);

fn queue(tasks: impl IntoIterator<Item = u32>) -> Queue<u32> {
    Queue(Lock::new(tasks.into_iter().collect()))
}

fn tasks(queue: &Queue<u32>) -> Vec<u32> {
    queue.0.lock().iter().copied().collect()
}

#[test]
fn half_of_the_tasks_change_hands_and_the_oldest_is_returned() {
    within(LIMIT, || {
        for own in [0, 2] {
            for count in (0..=9).chain([1_000]) {
                let (before, victims) = (100..100 + own, 1..=count);
                let (thief, victim) = (queue(before.clone()), queue(victims.clone()));
                let got = thief.steal_half(&victim);
                let half = count.div_ceil(2);
                let returned = (half > 0).then_some(1);
                let wanted = (
                    returned,
                    before.clone().chain(2..=half).collect(),
                    (half + 1..=count).collect(),
                );
                let seen: (_, Vec<_>, Vec<_>) = (got, tasks(&thief), tasks(&victim));
                assert!(
                    seen == wanted,
                    "A thief with the tasks {:?} stole from a victim with {:?}.\n\
                     It returned {:?}, and now it has {:?}, and the victim {:?}.\n\
                     Wanted:  {:?}, and then it has {:?}, and the victim {:?}.",
                    before.collect::<Vec<_>>(),
                    victims.collect::<Vec<_>>(),
                    seen.0,
                    seen.1,
                    seen.2,
                    wanted.0,
                    wanted.1,
                    wanted.2,
                );
            }
        }
    });
}

fn assert_one_lock_at_a_time() {
    let (left, right) = (queue(1..=4), queue(5..=8));
    for (thief, victim) in [(&left, &right), (&right, &left)] {
        MOST_HELD.set(0);
        let _ = thief.steal_half(victim);
        let most = MOST_HELD.get();
        assert!(
            most == 1,
            "A thief held {most} locks at once. Suppose two workers steal from each other at the same moment: each may \
             hold the lock that the other one waits for.\n\
             Look at: where is each guard dropped? One in the middle of an expression lives until the end of the whole \
             statement."
        );
    }
}

#[test]
fn a_thief_holds_one_lock_at_a_time() {
    within(LIMIT, assert_one_lock_at_a_time);
}

#[test]
fn a_victim_that_polls_between_the_thiefs_locks_loses_nothing() {
    within(LIMIT, || {
        let mut gap = 0;
        loop {
            let (thief, victim) = (queue([]), Arc::new(queue(1..=6)));
            let polled = Arc::new(Mutex::new(Vec::new()));
            let polls_all = {
                let (victim, polled) = (Arc::clone(&victim), Arc::clone(&polled));
                move || {
                    while let Some(task) = victim.pop() {
                        polled.lock().unwrap().push(task);
                    }
                }
            };
            let steals = || catch_unwind(AssertUnwindSafe(|| thief.steal_half(&victim)));
            let (got, gaps) = in_gap(gap, polls_all, steals);
            assert!(
                got.is_ok(),
                "The victim took all its tasks at a moment at which the thief held no lock, and the thief panicked.\n\
                 Look at: what does the thief still know about the queue, once it has released the lock?"
            );
            let polled = polled.lock().unwrap().clone();
            let stolen = got.unwrap_or_default().into_iter().chain(tasks(&thief));
            let mut all: Vec<_> = polled
                .into_iter()
                .chain(stolen)
                .chain(tasks(&victim))
                .collect();
            all.sort_unstable();
            assert!(
                all == [1, 2, 3, 4, 5, 6],
                "The victim took all its tasks at a moment at which the thief held no lock. Of the tasks 1 to 6, both \
                 together have {all:?} then.\n\
                 Look at: what becomes of the tasks that the thief has taken already, if there are fewer than it wanted?"
            );
            gap += 1;
            if gap >= gaps {
                return;
            }
        }
    });
}

#[test]
fn two_that_steal_from_each_other_lose_nothing() {
    within(LIMIT, || {
        assert_one_lock_at_a_time();
        let queues = [queue(0..10), queue(10..25)];
        thread::scope(|scope| {
            for me in 0..2 {
                let (thief, victim) = (&queues[me], &queues[1 - me]);
                scope.spawn(move || {
                    for _ in 0..2_000 {
                        if let Some(task) = thief.steal_half(victim) {
                            thief.push(task);
                        }
                        if tasks(thief).len() > 25 {
                            break; // there are more already than there were
                        }
                    }
                });
            }
        });
        let left: Vec<_> = queues.iter().flat_map(tasks).collect();
        let different: BTreeSet<_> = left.iter().collect();
        assert_eq!(
            (left.len(), different.len()),
            (25, 25),
            "the tasks that are left of 25, and how many of them are different"
        );
    });
}
