//! What a leaf future may cost.

use super::timers::{catch_up, poll_pending, threads_at_rest};
use crate::{
    Answer, Check, Clause, Edition, Leaf, Level, allocations, fault::LeafFault,
    fixtures::comes_true, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "lazy",
        edition: Edition::E1,
        rule: "No thread is started before the first poll.",
        why: "A future may never be polled, for example because a select was decided without it. Then it should have cost nothing.",
        level: Level::Quality,
        choice: Some("An operation may begin when it is called, if its documentation says so."),
        check: Check::Leaf(lazy, &[(LeafFault::StartsAtOnce, "threads were started")]),
    },
    Clause {
        name: "no_thread_per_poll",
        edition: Edition::E1,
        rule: "A poll that finds nothing new starts no thread.",
        why: "A future that shares its task with others is polled whenever one of them is woken, and that may be a thousand times.",
        level: Level::Quality,
        choice: None,
        check: Check::Leaf(
            no_thread_per_poll,
            &[(LeafFault::StartsAThreadInEachPoll, "by 100 polls")],
        ),
    },
    Clause {
        name: "no_allocation_per_poll",
        edition: Edition::E1,
        rule: "A poll that finds nothing new, and brings no new waker, allocates nothing.",
        why: "A future that shares its task with others is polled whenever one of them is woken, and that may be a thousand times.",
        level: Level::Quality,
        choice: None,
        check: Check::Leaf(
            no_allocation_per_poll,
            &[(LeafFault::AllocatesInEachPoll, "allocations in 1,000 polls")],
        ),
    },
    Clause {
        name: "one_waker_is_kept",
        edition: Edition::E1,
        rule: "An earlier waker is dropped when a later poll brings another.",
        why: "The old waker wakes a task that no longer waits, and it may keep that task's memory.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            one_waker_is_kept,
            &[(LeafFault::KeepsEveryWaker, "earlier wakers are kept")],
        ),
    },
];

/// Ten timers are made and not polled. When a later one is over, there is no thread for them.
pub fn lazy(leaf: &'static dyn Leaf) -> Answer {
    let before = threads_at_rest(leaf)?;
    let timers: Result<Vec<_>, _> = (0..10).map(|_| leaf.timer(leaf.longest())).collect();
    let timers = timers?;
    catch_up(leaf)?;
    let none = comes_true(|| probe::threads() <= Some(before));
    drop(timers);
    assert!(
        none,
        "threads were started for futures that were never polled"
    );
    Ok(())
}

/// A timer is polled 100 times. When a later one is over, there is one more thread at most.
pub fn no_thread_per_poll(leaf: &'static dyn Leaf) -> Answer {
    let before = threads_at_rest(leaf)?;
    let mut timer = leaf.timer(leaf.longest())?;
    let counter = WakeCounter::new();
    for _ in 0..100 {
        poll_pending(&counter, &mut timer);
    }
    catch_up(leaf)?;
    let one = comes_true(|| probe::threads() <= Some(before + 1));
    let now = probe::threads();
    assert!(one, "from {before} threads to {now:?} by 100 polls");
    Ok(())
}

/// A timer is polled 1,000 times with one waker. The thread that polls it may make 100 allocations meanwhile, such as for a list
/// that grows. What other threads allocate is not counted.
pub fn no_allocation_per_poll(leaf: &'static dyn Leaf) -> Answer {
    allocations::counted()?;
    let mut timer = leaf.timer(leaf.longest())?;
    let counter = WakeCounter::new();
    let mut polls = move || {
        (0..3).for_each(|_| poll_pending(&counter, &mut timer));
        let before = allocations::made_here();
        (0..1_000).for_each(|_| poll_pending(&counter, &mut timer));
        allocations::made_here() - before
    };
    let made = match leaf.home() {
        Some(home) => home.run(polls), // from here, each poll would allocate
        None => polls(),
    };
    assert!(made < 100, "{made} allocations in 1,000 polls");
    Ok(())
}

/// A timer is polled with 100 wakers. Of all but the last none may be left.
pub fn one_waker_is_kept(leaf: &'static dyn Leaf) -> Answer {
    let mut timer = leaf.timer(leaf.longest())?;
    let counters: Vec<_> = (0..100).map(|_| WakeCounter::new()).collect();
    for counter in &counters {
        poll_pending(counter, &mut timer);
    }
    let kept = || counters[..99].iter().map(WakeCounter::kept).sum::<usize>();
    assert!(comes_true(|| kept() == 0), "earlier wakers are kept");
    Ok(())
}
