use super::*;
use probe::within;

const LIMIT: Duration = Duration::from_secs(2);

fn check<T: PartialEq + std::fmt::Debug>(
    name: &str,
    predicted: Option<T>,
    seen: T,
    how_to_find_out: &str,
) {
    let predicted = predicted.unwrap_or_else(|| {
        panic!("{name}: write down your prediction first, as `Some(…)` in place of `None`.")
    });
    assert!(
        predicted == seen,
        "{name}: the run gives a different answer than {predicted:?}. {how_to_find_out}"
    );
}

/// The words, with one space in between, whatever the learner has put there.
fn words(order: &str) -> String {
    order.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn logged(spawn: fn(&MiniTokio, &Log)) -> String {
    let log = Log::default();
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        spawn(&mini_tokio, &log);
        mini_tokio.run();
    });
    log.0.lock().unwrap().join(" ")
}

fn polls() -> (usize, usize) {
    let (first, second) = (Polls::default(), Polls::default());
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        handed_over(&mini_tokio, &first, &second);
        mini_tokio.run();
    });
    (first.get(), second.get())
}

#[test]
fn run_1() {
    check(
        "ORDER_OF_TASKS",
        ORDER_OF_TASKS.map(words),
        logged(tasks),
        "Write down the queue after each poll. Which task was taken out, and which tasks were put at the end?",
    );
}

#[test]
fn run_2() {
    check(
        "ORDER_OF_CALLS",
        ORDER_OF_CALLS.map(words),
        logged(calls),
        "Read step07-mini-tokio/src/async_in_depth/laziness.rs. Which of the three futures is polled at all?",
    );
}

#[test]
fn run_3_first() {
    check(
        "POLLS_OF_THE_FIRST_TASK",
        POLLS_OF_THE_FIRST_TASK,
        polls().0,
        "Does `hand_over` wait for anything? Read step07-mini-tokio/src/hand_over.rs.",
    );
}

#[test]
fn run_3_second() {
    check(
        "POLLS_OF_THE_SECOND_TASK",
        POLLS_OF_THE_SECOND_TASK,
        polls().1,
        "Whose waker does the timer hold when its time has come?",
    );
}
