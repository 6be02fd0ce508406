use super::*;
use Why::{Woken, Yielded};
use probe::within;
use std::time::Duration;

mod order;

const LIMIT: Duration = Duration::from_secs(2);

/// Polls tasks. In its poll, each does what `poll` says.
fn polls(
    worker: &mut Worker,
    injector: &mut VecDeque<Task>,
    count: usize,
    mut poll: impl FnMut(&mut Worker, Task),
) -> Vec<Option<Task>> {
    let one = |_| {
        let task = worker.next(injector);
        task.into_iter().for_each(|task| poll(worker, task));
        task
    };
    (0..count).map(one).collect()
}

fn shown(polled: &[Option<Task>]) -> String {
    let task = |task: &Option<Task>| task.map_or("none".to_string(), |task| task.to_string());
    polled.iter().map(task).collect::<Vec<_>>().join(" ")
}

/// Tasks 1 and 2 wake each other in each poll.
fn ping_pong(worker: &mut Worker, task: Task) {
    if task <= 2 {
        worker.push(3 - task, Woken);
    }
}

#[test]
fn what_was_woken_last_is_polled_first_and_what_yielded_waits() {
    within(LIMIT, || {
        let (mut worker, mut injector) = (Worker::default(), VecDeque::from([9]));
        for (task, why) in [(1, Yielded), (2, Woken), (3, Woken), (4, Yielded)] {
            worker.push(task, why);
        }
        let seen = shown(&polls(&mut worker, &mut injector, 6, |_, _| ()));
        let wanted = "3 1 2 4 9 none";
        assert!(
            seen == wanted,
            "Task 1 yielded, 2 and then 3 were woken, and 4 yielded. Task 9 came from outside.\n\
             Polled: {seen}\n\
             Wanted: {wanted}, by the rules 1 to 3"
        );
    });
}

#[test]
fn two_that_wake_each_other_do_not_keep_the_queue_waiting() {
    within(LIMIT, || {
        let (mut worker, mut other) = (Worker::default(), Worker::default());
        for (task, why) in [(7, Yielded), (8, Yielded), (1, Woken)] {
            worker.push(task, why);
        }
        let polled = polls(&mut worker, &mut VecDeque::new(), 18, |worker, task| {
            ping_pong(worker, task);
            // Another worker, which counts for itself.
            other.push(5, Woken);
            let _ = other.next(&mut VecDeque::new());
            if task > 2 {
                worker.push(task, Yielded);
            }
        });
        let (seen, wanted) = (shown(&polled), "1 2 1 7 8 2 ".repeat(3));
        assert!(
            seen == wanted.trim_end(),
            "Tasks 1 and 2 wake each other, and 7 and 8 wait in the queue and yield whenever they are polled.\n\
             Polled: {seen}\n\
             Wanted: {wanted}, by rule 4"
        );
    });
}

#[test]
fn the_slot_has_no_limit_while_nobody_waits_in_the_queue() {
    within(LIMIT, || {
        let (mut worker, mut injector) = (Worker::default(), VecDeque::from([9]));
        worker.push(1, Woken);
        let polled = polls(&mut worker, &mut injector, 300, ping_pong);
        let at = polled.iter().position(|task| *task == Some(9));
        let at = at.map_or("no call".to_string(), |n| format!("call {}", n + 1));
        assert!(
            at == "call 61" && polled.iter().all(Option::is_some),
            "Tasks 1 and 2 wake each other, and task 9 came from outside. The first calls returned {}.\n\
             In 300 calls of `next`, task 9 was returned by {at}. Wanted: call 61, and a task from each call, by rules \
             4 and 5.",
            shown(&polled[..8])
        );
    });
}

#[test]
fn each_61st_call_looks_into_the_injector() {
    within(LIMIT, || {
        let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
        (1..=3).for_each(|task| worker.push(task, Yielded));
        let yields = |worker: &mut Worker, task| {
            if task <= 3 {
                worker.push(task, Yielded);
            }
        };
        // More calls than a small number can count, and one of another worker, which counts for itself.
        polls(&mut worker, &mut injector, 1_200 * 61, yields);
        let _ = Worker::default().next(&mut injector);
        let mut polled = polls(&mut worker, &mut injector, 70, yields);
        injector.extend([101, 102, 103]);
        polled.extend(polls(&mut worker, &mut injector, 180, yields));
        let nothing = polled.iter().position(Option::is_none);
        assert!(
            nothing.is_none(),
            "Call {} of `next` returned nothing, although three tasks were waiting in the queue.",
            nothing.unwrap_or(0) + 1
        );
        let outside = |task: &Task| *task > 100;
        let calls: Vec<_> = (1..)
            .zip(polled.into_iter().flatten())
            .filter(|(_, task)| outside(task))
            .collect();
        assert_eq!(
            calls,
            [(122, 101), (183, 102), (244, 103)],
            "Three tasks yield forever. After 1,200 times 61 calls and 70 more, the tasks 101, 102 and 103 come from outside. Of \
             the calls since the 1,200 times, these of \
             `next` returned them (left), and these should have (right), by rule 5"
        );
    });
}

#[test]
fn a_call_that_returns_nothing_counts() {
    within(LIMIT, || {
        let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
        let nothing = polls(&mut worker, &mut injector, 60, |_, _| ());
        assert!(nothing.iter().all(Option::is_none), "no task is there");
        worker.push(1, Yielded);
        injector.push_back(9);
        let seen = shown(&polls(&mut worker, &mut injector, 2, |_, _| ()));
        assert!(
            seen == "9 1",
            "60 calls of `next` returned nothing. Then task 1 yielded, and task 9 came from outside.\n\
             Polled: {seen}\n\
             Wanted: 9 1, by rule 5"
        );
    });
}

#[test]
fn the_count_begins_again_with_each_poll_from_the_queue() {
    within(LIMIT, || {
        let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
        for _ in 0..15 {
            (10..12).for_each(|task| worker.push(task, Yielded));
            worker.push(1, Woken);
            let polled = polls(&mut worker, &mut injector, 6, |worker, task| {
                if task <= 3 {
                    worker.push(task + 1, Woken);
                }
            });
            let seen = shown(&polled);
            assert!(
                seen == "1 2 3 10 11 4",
                "Tasks 10 and 11 wait in the queue. Task 1 wakes 2, which wakes 3, which wakes 4.\n\
                 Polled: {seen}\n\
                 Wanted: 1 2 3 10 11 4, by rule 4"
            );
        }
    });
}

#[test]
fn a_poll_from_the_queue_ends_the_row() {
    within(LIMIT, || {
        let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
        (10..13).for_each(|task| worker.push(task, Yielded));
        worker.push(1, Woken);
        let polled = polls(&mut worker, &mut injector, 9, |worker, task| match task {
            1 | 3 | 4 | 5 => worker.push(task + 1, Woken),
            10 => worker.push(3, Woken),
            _ => (),
        });
        let (seen, wanted) = (shown(&polled), "1 2 10 3 4 5 11 12 6");
        assert!(
            seen == wanted,
            "Tasks 10, 11 and 12 wait in the queue. Task 1 wakes 2, 10 wakes 3, which wakes 4, which wakes 5, which wakes 6.\n\
             Polled: {seen}\n\
             Wanted: {wanted}, by rules 3 and 4"
        );
    });
}

#[test]
fn the_queue_keeps_its_order_however_long_it_is() {
    within(LIMIT, || {
        let mut worker = Worker::default();
        (1..=order::MANY).for_each(|task| worker.push(task, Yielded));
        let count = order::MANY as usize;
        let polled = polls(&mut worker, &mut VecDeque::new(), count, |_, _| ());
        let polled: Vec<Task> = polled.into_iter().flatten().collect();
        order::assert_in_order(
            "A thousand tasks yielded, one after the other, and were polled.",
            &polled,
        );
    });
}
