use super::*;
use probe::within;
use std::{sync::mpsc, thread};

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

/// Deadlines 30, 10 and 20 ms after `start`, of the timers 1, 2 and 3.
fn three(start: Instant) -> Deadlines {
    let mut deadlines = Deadlines::default();
    for (id, ms) in [(1, 30), (2, 10), (3, 20)] {
        deadlines.add(start + ms * MS, id);
    }
    deadlines
}

#[test]
fn it_may_sleep_until_the_first_deadline() {
    let start = Instant::now();
    for (passed, left) in [
        (0, 10_000),
        (4_000, 6_000),
        (9_600, 400),
        (10_000, 0),
        (25_000, 0),
    ] {
        let deadlines = three(start);
        // Of another reactor, which is none of its business.
        Deadlines::default().add(start + MS, 4);
        let answer = deadlines.how_long(start + passed * US);
        assert_eq!(
            answer,
            Some(left * US),
            "The first deadline is 10 ms after the start, and {passed} µs have passed: sleep until then, and no \
             longer. Left is what `how_long` returned, right what it should have returned."
        );
    }
}

#[test]
fn a_sleep_may_last_as_long_as_need_be() {
    let start = Instant::now();
    for seconds in [1, 60, 3_600] {
        let (mut deadlines, left) = (Deadlines::default(), Duration::from_secs(seconds));
        deadlines.add(start + left, 1);
        let answer = deadlines.how_long(start);
        assert_eq!(
            answer,
            Some(left),
            "The only deadline is {seconds} s after the start: sleep until then, and no shorter. Each time that the reactor \
             wakes up earlier, it finds nothing to do. Left is what `how_long` returned, right what it should have returned."
        );
    }
}

#[test]
fn without_a_deadline_it_may_sleep_forever() {
    let answer = Deadlines::default().how_long(Instant::now());
    assert_eq!(
        answer, None,
        "Without any deadline, the reactor may sleep until it is notified of a timer: `None`. `how_long` makes it \
         wake up after {answer:?} for nothing."
    );
}

#[test]
fn what_is_due_comes_out_in_order_and_what_is_not_stays() {
    let start = Instant::now();
    let mut deadlines = three(start);
    assert_eq!(
        deadlines.take_due(start + 9 * MS),
        None,
        "Timer 2 is due after 10 ms, and was taken out after 9: before its deadline."
    );
    assert_eq!(
        deadlines.heap.len(),
        3,
        "Nothing is due after 9 ms, so `take_due` returned `None`, and yet a timer is gone from the heap. It will \
         never be fired. `pop` takes the top out; what looks at the top and leaves it there?"
    );
    assert_eq!(
        deadlines.take_due(start + 10 * MS),
        Some(2),
        "At its deadline a timer is due, and it was not taken out. `how_long` returns zero at that moment, so the \
         reactor would not sleep at all."
    );
    assert_eq!(
        (0..3)
            .map(|_| deadlines.take_due(start + 40 * MS))
            .collect::<Vec<_>>(),
        [Some(3), Some(1), None],
        "After 40 ms, timers 3 and 1 are due, in this order, and then no other."
    );
}

#[test]
fn two_timers_may_have_one_deadline() {
    let start = Instant::now();
    let mut deadlines = Deadlines::default();
    (1..=2).for_each(|id| deadlines.add(start, id));
    let mut taken = [(); 3].map(|()| deadlines.take_due(start));
    taken.sort_unstable();
    assert_eq!(
        taken,
        [None, Some(1), Some(2)],
        "Timers 1 and 2 have the same deadline, which has come. Three calls of `take_due` returned these, in some order."
    );
}

#[test]
fn one_thread_is_enough_and_sleeps_in_between() {
    let (sender, events) = mpsc::channel();
    let (fired, is_fired) = mpsc::channel();
    let driver =
        thread::spawn(move || drive(&events, |id| fired.send((id, Instant::now())).unwrap()));
    let start = Instant::now();
    for (id, ms) in [(1, 60), (2, 20), (3, 40)] {
        sender.send((start + ms * MS, id)).unwrap();
    }
    let woke_up = within(Duration::from_secs(2), || {
        for (id, ms) in [(2, 20), (3, 40), (1, 60)] {
            let (seen, when) = is_fired
                .recv_timeout(Duration::from_secs(1))
                .unwrap_or_else(|_| {
                    panic!(
                        "Timer {id} was due, and it was not fired within a second. What does `take_due` return when \
                         a deadline has come?"
                    )
                });
            assert_eq!(seen, id, "the timers were fired in a different order");
            assert!(
                when >= start + ms * MS,
                "timer {id} was fired before its deadline"
            );
        }
        drop(sender);
        driver.join().unwrap()
    });
    assert!(
        woke_up <= 20,
        "The reactor woke up {woke_up} times for three timers. It is notified of three timers, there are \
         three deadlines, and it is notified when the last sender is gone."
    );
}
