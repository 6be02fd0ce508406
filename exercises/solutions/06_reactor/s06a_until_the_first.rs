//! s06a · complete · 12 minutes · chapter 06, "One thread for all timers"
//!
//! A reactor has one thread for all its timers. It sleeps until the earliest deadline, or until it is told of another
//! timer; then it takes out of the heap what is due, wakes it, and asks again how long it may sleep.
//!
//! `drive` is that thread, and is right. Write `how_long` and `take_due`, which it asks.
//!
//! Run: `cargo test --bin s06a_until_the_first`, or save this file while `rustlings` runs.
//! Red: a test says what the heap held, what your function answered, and what it should.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

type Id = u64;

/// Deadlines, the earliest on top.
#[derive(Default)]
struct Deadlines {
    /// `Reverse`, because a heap has the greatest on top.
    heap: BinaryHeap<Reverse<(Instant, Id)>>,
}

impl Deadlines {
    fn add(&mut self, deadline: Instant, id: Id) {
        self.heap.push(Reverse((deadline, id)));
    }

    /// How long nothing will be due, seen from `now`. `None`: for ever, because there is no deadline.
    fn how_long(&self, now: Instant) -> Option<Duration> {
        let Reverse((deadline, _)) = self.heap.peek()?;
        // Zero, and not a panic, for a deadline that is over.
        Some(deadline.saturating_duration_since(now))
    }

    /// Takes out a timer that is due at `now`, the earliest first. `None` if none is.
    fn take_due(&mut self, now: Instant) -> Option<Id> {
        let Reverse((deadline, _)) = self.heap.peek()?;
        if *deadline > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, id))| id)
    }
}

/// The reactor's thread. It ends when nobody can tell it anything any more, and returns how often it woke up.
fn drive(news: &Receiver<(Instant, Id)>, mut fire: impl FnMut(Id)) -> usize {
    let mut deadlines = Deadlines::default();
    let mut woke_up = 0;
    loop {
        let told = match deadlines.how_long(Instant::now()) {
            None => news.recv().map_err(RecvTimeoutError::from),
            Some(left) => news.recv_timeout(left),
        };
        woke_up += 1;
        match told {
            Ok((deadline, id)) => deadlines.add(deadline, id),
            Err(RecvTimeoutError::Disconnected) => return woke_up,
            Err(RecvTimeoutError::Timeout) => {}
        }
        while let Some(id) = deadlines.take_due(Instant::now()) {
            fire(id);
        }
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{sync::mpsc, thread};

    const MS: Duration = Duration::from_millis(1);

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
        for (passed, left) in [(0, 10), (4, 6), (10, 0), (25, 0)] {
            let answer = three(start).how_long(start + passed * MS);
            assert_eq!(
                answer,
                Some(left * MS),
                "The first deadline is 10 ms after the start, and {passed} ms have passed: sleep until then, and no \
                 longer. Left is what `how_long` answered, right what it should."
            );
        }
    }

    #[test]
    fn with_nothing_to_wait_for_it_may_sleep_for_ever() {
        let answer = Deadlines::default().how_long(Instant::now());
        assert_eq!(
            answer, None,
            "With nothing to wait for, the reactor may sleep until it is told something: `None`. `how_long` had it \
             look again after {answer:?}."
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
            deadlines.take_due(start + 10 * MS),
            Some(2),
            "At its deadline a timer is due, and it was not taken out. `how_long` says zero then: the reactor would \
             ask again and again."
        );
        assert_eq!(
            (0..3)
                .map(|_| deadlines.take_due(start + 40 * MS))
                .collect::<Vec<_>>(),
            [Some(3), Some(1), None],
            "After 40 ms, 3 and 1 are due, in this order, and then nobody."
        );
    }

    #[test]
    fn one_thread_is_enough_and_sleeps_in_between() {
        let (tell, news) = mpsc::channel();
        let (fired, is_fired) = mpsc::channel();
        let driver =
            thread::spawn(move || drive(&news, |id| fired.send((id, Instant::now())).unwrap()));
        let start = Instant::now();
        for (id, ms) in [(1, 60), (2, 20), (3, 40)] {
            tell.send((start + ms * MS, id)).unwrap();
        }
        let woke_up = within(Duration::from_secs(2), || {
            for (id, ms) in [(2, 20), (3, 40), (1, 60)] {
                let (seen, when) = is_fired
                    .recv_timeout(Duration::from_secs(1))
                    .expect("no timer was fired for a second, and not all have been. What did `take_due` answer?");
                assert_eq!(seen, id, "the timers were fired in another order");
                assert!(
                    when >= start + ms * MS,
                    "timer {id} was fired before its deadline"
                );
            }
            drop(tell);
            driver.join().unwrap()
        });
        assert!(
            woke_up <= 20,
            "The reactor woke up {woke_up} times for three timers. It is told three things, there are three deadlines, \
             and then it is told that nobody is left."
        );
    }
}
