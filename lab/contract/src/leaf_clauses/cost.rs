//! What a leaf future may cost.

use super::{SOON, THIRTY_YEARS};
use crate::{
    Answer, Clause, Leaf, NotItsJob, Test, allocations, bell::Bell, mutants::LeafDefect,
    staged::comes_true,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "lazy",
        rule: "No thread is started before the first poll.",
        why: "A future that nobody polls, because a select was decided without it, should have cost nothing.",
        from: &[],
        choice: Some("An operation may begin when it is called, if it says so."),
        test: Test::Leaf(lazy, &[(LeafDefect::StartsAtOnce, "threads were started")]),
    },
    Clause {
        name: "no_thread_per_poll",
        rule: "A poll that finds nothing new starts no thread.",
        why: "Beside others in one task, a future is polled whenever one of them is woken: that may be a thousand times.",
        from: &[],
        choice: None,
        test: Test::Leaf(
            no_thread_per_poll,
            &[(LeafDefect::StartsAThreadInEachPoll, "threads for 100 polls")],
        ),
    },
    Clause {
        name: "no_allocation_per_poll",
        rule: "A poll that finds nothing new, and brings no new waker, allocates nothing.",
        why: "Beside others in one task, a future is polled whenever one of them is woken: that may be a thousand times.",
        from: &[],
        choice: None,
        test: Test::Leaf(
            no_allocation_per_poll,
            &[(
                LeafDefect::AllocatesInEachPoll,
                "allocations in 1,000 polls",
            )],
        ),
    },
    Clause {
        name: "one_waker_is_kept",
        rule: "A waker is let go when a later poll brings another.",
        why: "An old waker wakes a task that does not wait any more, and may keep that task's memory.",
        from: &[17, 39],
        choice: None,
        test: Test::Leaf(
            one_waker_is_kept,
            &[(LeafDefect::KeepsEveryWaker, "earlier wakers are kept")],
        ),
    },
];

/// Runs a timer to its end, so that what all timers share is there; then says how many threads there are.
fn threads(leaf: &'static dyn Leaf) -> Answer<usize> {
    let mut timer = leaf.timer(SOON)?;
    Bell::new().finish(&mut timer);
    drop(timer);
    let mut before = probe::threads().ok_or(NotItsJob)?;
    // The thread of that timer may not have ended yet.
    loop {
        std::thread::sleep(SOON);
        let now = probe::threads().ok_or(NotItsJob)?;
        if now == before {
            return Ok(now);
        }
        before = now;
    }
}

/// Ten timers are made and not polled.
pub fn lazy(leaf: &'static dyn Leaf) -> Answer {
    let before = threads(leaf)?;
    let timers: Result<Vec<_>, _> = (0..10).map(|_| leaf.timer(THIRTY_YEARS)).collect();
    let now = probe::threads().ok_or(NotItsJob)?;
    drop(timers?);
    assert!(now <= before, "{} threads were started", now - before);
    Ok(())
}

/// A timer is polled 100 times.
pub fn no_thread_per_poll(leaf: &'static dyn Leaf) -> Answer {
    let before = threads(leaf)?;
    let mut timer = leaf.timer(THIRTY_YEARS)?;
    let bell = Bell::new();
    for _ in 0..100 {
        assert!(bell.poll(&mut timer).is_pending());
    }
    let now = probe::threads().ok_or(NotItsJob)?;
    assert!(now <= before + 1, "{} threads for 100 polls", now - before);
    Ok(())
}

/// A timer is polled 1,000 times with one waker. Others in the process may make 100 allocations meanwhile.
pub fn no_allocation_per_poll(leaf: &'static dyn Leaf) -> Answer {
    let mut timer = leaf.timer(THIRTY_YEARS)?;
    let bell = Bell::new();
    for _ in 0..3 {
        assert!(bell.poll(&mut timer).is_pending());
    }
    let before = allocations::made();
    for _ in 0..1_000 {
        assert!(bell.poll(&mut timer).is_pending());
    }
    let made = allocations::made() - before;
    assert!(made < 100, "{made} allocations in 1,000 polls");
    Ok(())
}

/// A timer is polled with 100 wakers. Of all but the last none may be left.
pub fn one_waker_is_kept(leaf: &'static dyn Leaf) -> Answer {
    let mut timer = leaf.timer(THIRTY_YEARS)?;
    let bells: Vec<_> = (0..100).map(|_| Bell::new()).collect();
    for bell in &bells {
        assert!(bell.poll(&mut timer).is_pending());
    }
    let kept = || bells[..99].iter().map(Bell::kept).sum::<usize>();
    comes_true(|| kept() == 0);
    assert_eq!(kept(), 0, "earlier wakers are kept");
    Ok(())
}
