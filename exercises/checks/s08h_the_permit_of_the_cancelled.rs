use super::*;
use probe::{CountingWaker, in_gap, watch, within};
use std::{sync::mpsc, time::Duration};
use step05_parker_block_on::block_on;

mod foreign;

/// A task that waits for a permit.
struct Task {
    name: &'static str,
    future: Pin<Box<Acquire>>,
    waker: CountingWaker,
}

impl Task {
    fn new(name: &'static str, semaphore: &Semaphore) -> Task {
        Task {
            name,
            future: Box::pin(semaphore.acquire()),
            waker: CountingWaker::new(),
        }
    }

    /// Calls `acquire` and polls it, so that it is in the queue.
    fn waits(name: &'static str, semaphore: &Semaphore) -> Task {
        let mut task = Task::new(name, semaphore);
        assert!(
            task.poll().is_none(),
            "{name} got a permit, and none was free"
        );
        task
    }

    fn poll(&mut self) -> Option<Permit> {
        let waker = self.waker.waker();
        let answer = self.future.as_mut().poll(&mut Context::from_waker(&waker));
        match answer {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    /// Sees to it that this task has been woken once, and that its future has a permit.
    fn has_a_permit(&mut self, semaphore: &Semaphore, what: &str) -> Permit {
        let (name, wakes, free) = (self.name, self.waker.wakes(), free(semaphore));
        let permit = self.poll();
        let poll = if permit.is_some() { "Ready" } else { "Pending" };
        permit.filter(|_| wakes == 1).unwrap_or_else(|| {
            panic!(
                "{what}\n\
                 Now {name} is the first in the queue. It was woken {wakes} times, `free` is {free}, and its poll is {poll}.\n\
                 Wanted: the permit is handed to {name}, which is woken once, and its poll is Ready.\n\
                 Look at: whose was the permit when the future was dropped, and whose is it now?"
            )
        })
    }
}

fn free(semaphore: &Semaphore) -> usize {
    semaphore.0.lock().unwrap().free
}

/// Sees to it that one permit is free.
fn is_free(semaphore: &Semaphore, what: &str) {
    let free = free(semaphore);
    assert!(
        free == 1,
        "{what}\nThe semaphore was made with 1 permit. No task holds it, none waits for it, and `free` is {free}.\n\
         Look at: in which state was the future that was dropped, and whose was the permit then?"
    );
}

/// A semaphore with one permit, and a task that has it.
fn taken() -> (Semaphore, Permit) {
    let semaphore = Semaphore::new(1);
    let first = semaphore.acquire();
    let permit = block_on(first);
    let free = free(&semaphore);
    assert!(
        free == 0,
        "A future was ready and then dropped. The task still has the permit that it got, and `free` is {free}.\n\
         Look at: in which state is a future whose permit the task has?"
    );
    (semaphore, permit)
}

fn run(name: &str, test: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch(name, async { test() }));
    });
}

#[test]
fn a_permit_of_a_dropped_future_goes_to_the_next() {
    run("a task that drops an `Acquire`", || {
        let (semaphore, permit) = taken();
        let [a, mut b] = ["A", "B"].map(|name| Task::waits(name, &semaphore));
        drop(permit);
        drop(a);
        let permit = b.has_a_permit(
            &semaphore,
            "A and B waited. The permit was given back and handed to A. A was dropped before its next poll.",
        );
        drop((permit, b));
        is_free(&semaphore, "Then B was ready, and gave its permit back.");

        let (semaphore, permit) = taken();
        let [a, b, mut c] = ["A", "B", "C"].map(|name| Task::waits(name, &semaphore));
        drop(permit);
        drop(a);
        let wakes = c.waker.wakes();
        assert!(
            wakes == 0,
            "A, B and C waited. The permit was given back and handed to A. A was dropped before its next poll. Then C was \
             woken {wakes} times.\n\
             Wanted: the permit is handed to B, which has waited longer than C.\n\
             Look at: which ticket is B's, and which is C's?"
        );
        drop(b);
        c.has_a_permit(
            &semaphore,
            "A, B and C waited. The permit was given back. A was dropped before its next poll, and then B.",
        );
    });
}

#[test]
fn a_permit_of_a_dropped_future_is_free_if_none_waits() {
    run("a task that drops an `Acquire`", || {
        let (semaphore, permit) = taken();
        let a = Task::waits("A", &semaphore);
        drop(permit);
        drop(a);
        is_free(
            &semaphore,
            "A waited alone. The permit was given back and handed to A. A was dropped before its next poll.",
        );
    });
}

#[test]
fn a_permit_is_one_of_many() {
    run("a task that drops an `Acquire`", || {
        let semaphore = Semaphore::new(2);
        let permits = [(); 2].map(|()| block_on(semaphore.acquire()));
        let a = Task::waits("A", &semaphore);
        drop(permits);
        drop(a);
        let free = free(&semaphore);
        assert!(
            free == 2,
            "Two tasks had the two permits, and A waited. Both permits were given back: the first was handed to A, and the second \
             was free. Then A was dropped before its next poll, and `free` is {free}. Wanted: 2."
        );
    });
}

#[test]
fn a_future_without_a_permit_leaves_none_behind() {
    run("a task that drops an `Acquire`", || {
        let (semaphore, permit) = taken();
        let [a, mut b] = ["A", "B"].map(|name| Task::waits(name, &semaphore));
        drop(a);
        let early = (b.poll().is_some(), b.waker.wakes());
        assert!(
            early == (false, 0),
            "A and B waited, and a third task has the permit. A was dropped. Then B was woken {} times, and its poll is {}.\n\
             Wanted: B waits on, because the third task still has the permit.\n\
             Look at: did a permit belong to A when it was dropped?",
            early.1,
            if early.0 { "Ready" } else { "Pending" },
        );
        drop(permit);
        b.has_a_permit(
            &semaphore,
            "A and B waited. A was dropped, and then the permit was given back.",
        );
        drop(b);
        is_free(
            &semaphore,
            "A waited and was dropped, and B waited, was ready and gave its permit back.",
        );

        drop(semaphore.acquire());
        is_free(
            &semaphore,
            "A future was dropped that had never been polled.",
        );
        let (semaphore, permit) = taken();
        drop(permit);
        is_free(
            &semaphore,
            "A future was ready and then dropped, and the task gave the permit back.",
        );
    });
}

/// In each gap of `drop`, another thread gives the permit back.
#[test]
fn a_permit_may_come_while_the_future_is_dropped() {
    run("a task that drops an `Acquire`", || {
        for gap in 0.. {
            let (semaphore, permit) = taken();
            let [a, mut b] = ["A", "B"].map(|name| Task::waits(name, &semaphore));
            let ((), gaps) = in_gap(gap, move || drop(permit), move || drop(a));
            if gap >= gaps {
                break;
            }
            b.has_a_permit(
                &semaphore,
                "A and B waited. While A was being dropped, while `drop` held no lock, the permit was given back.",
            );
        }
    });
}

/// In each gap of `drop`, another thread polls a new future.
#[test]
fn another_future_may_come_while_one_with_a_permit_is_dropped() {
    run("a task that drops an `Acquire`", || {
        for gap in 0.. {
            let (semaphore, permit) = taken();
            let a = Task::waits("A", &semaphore);
            drop(permit);
            let mut b = Task::new("B", &semaphore);
            let (tell, told) = mpsc::channel();
            let polls = move || {
                let permit = b.poll();
                tell.send((b, permit)).unwrap();
            };
            let ((), gaps) = in_gap(gap, polls, move || drop(a));
            if gap >= gaps {
                break;
            }
            let what = "A waited alone, and was handed the permit. While A was being dropped, while `drop` held no lock, B \
                        was polled for the first time.";
            let (mut b, permit) = told.recv().unwrap();
            let permit = permit.unwrap_or_else(|| b.has_a_permit(&semaphore, what));
            drop((permit, b));
            is_free(&semaphore, what);
        }
    });
}

#[test]
fn a_waker_may_use_the_semaphore() {
    let is_free = |semaphore: &Semaphore| semaphore.0.try_lock().is_ok();
    let one = || Semaphore::new(1);
    run("a task that drops an `Acquire`", || {
        foreign::wakers_find_the_lock_free(one, is_free, |semaphore, tasks| {
            let poll = |future: &mut Acquire| {
                let waker = tasks.waker();
                Pin::new(future).poll(&mut Context::from_waker(&waker))
            };
            let permit = block_on(semaphore.acquire());
            let mut waiting = [(); 4].map(|()| semaphore.acquire());
            tasks.step("four futures are polled, each twice");
            for future in &mut waiting {
                assert!(poll(future).is_pending() && poll(future).is_pending());
            }
            let [a, b, mut c, d] = waiting;
            tasks.step("one that waits is dropped");
            drop(d);
            tasks.step("the permit is given back, and handed to A");
            drop(permit);
            tasks.step("A is dropped before its next poll, so the permit is handed to B");
            drop(a);
            tasks.step("B is dropped, so the permit is handed to C");
            drop(b);
            tasks.step("C is polled, and is ready");
            let permit = poll(&mut c);
            tasks.step("C is dropped, and then its permit");
            drop((c, permit));
        });
    });
}

/// Whoever leaves the queue was not woken by that, and is not kept.
#[test]
fn the_dropped_one_is_not_woken() {
    run("a task that drops an `Acquire`", || {
        for is_handed in [false, true] {
            let (semaphore, permit) = taken();
            let a = Task::waits("A", &semaphore);
            let permit = (!is_handed).then_some(permit);
            let (waker, before) = (a.waker.clone(), a.waker.wakes());
            drop(a);
            let seen = (waker.wakes() - before, waker.live());
            assert!(
                seen == (0, 0),
                "A waited, {}, and was dropped. Its task was woken {} times by that, and {} of its wakers are kept.\n\
                 Wanted: no wake, because the future of that task is gone, and no waker.",
                if is_handed {
                    "was handed the permit"
                } else {
                    "had no permit"
                },
                seen.0,
                seen.1
            );
            drop(permit);
        }
    });
}
