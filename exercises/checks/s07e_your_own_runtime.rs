use super::*;
mod sleep;
mod wait;
use contract::{Subject, suite};
use std::{io::Write, time::Duration};

// Some clauses count the allocations that are left.
contract::count_allocations!();

const NOT_SEEN: &str = "
All the clauses are kept. One mistake they cannot see: if your task clears a flag before its poll, does it do
so by `store`? A wake that finds the flag still set sends nothing, so the next poll must see what the waking
thread did before that wake. `swap` reads the flag, and therefore sees it. `store` does not read, so on some
processors the poll may miss it, and then the wake is lost. A test that runs the code once cannot show that.
loom can, in the models of stage 04. Run this at the root of the project:
RUSTFLAGS=\"--cfg loom\" cargo test -p step04-channel-executor --test loom --target-dir target/loom
";

#[test]
fn while_its_task_waits_it_sleeps() {
    let (task, has_slept) = sleep::task();
    let answer = probe::within(Duration::from_secs(4), || Mine.run(vec![Box::pin(task)]));
    assert_eq!(answer, Ok(()));
    assert!(
        has_slept.try_recv() == Ok(true),
        "While its only task waited for another thread, your runtime did not sleep until that task was woken. It looked again \
         and again, or after some time. A limit, however long, is too short for one task and too long for the next."
    );
}

/// Each clause runs in a process of its own, so that one that hangs cannot stop the others.
#[test]
fn it_keeps_the_contract() {
    let mine = Subject::runtime("mine", &Mine);
    let clauses = [
        "finishes",
        "nothing_to_do",
        "woken_in_poll",
        "woken_asleep",
        "woken_twice",
        "an_earlier_waker",
        "a_million_wakes",
        "only_when_woken",
        "takes_turns",
        "dropped_when_ready",
        "wake_after_ready",
        "wakers_balance",
        "a_panic_is_contained",
        "woken_and_then_panics",
        "a_panicking_destructor",
        "sleeps",
        "dropped_when_panicked",
    ];
    let kept = suite::check("tests::it_keeps_the_contract", mine, &clauses);
    kept.unwrap_or_else(|broken| {
        panic!("{broken}\nStart with the first. Several may have the same cause, so fix one and run again.")
    });
    // Written past the harness, which would swallow what a green test prints.
    let _ = std::io::stderr().write_all(NOT_SEEN.as_bytes());
}
