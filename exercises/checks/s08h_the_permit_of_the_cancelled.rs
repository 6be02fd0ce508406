use super::*;
use probe::{CountingWaker, in_gap, watch, within};
use std::{sync::mpsc, task::Wake, time::Duration};
use step05_parker_block_on::block_on;

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

/// Looks at the semaphore when it is woken and when it is dropped.
struct Looks(Semaphore);

impl Looks {
    /// A future in the queue, which has the only clone of this waker.
    fn wait(semaphore: &Semaphore) -> Acquire {
        let mut future = semaphore.acquire();
        assert!(Looks::poll(&mut future, semaphore).is_pending());
        future
    }

    fn poll(future: &mut Acquire, semaphore: &Semaphore) -> Poll<Permit> {
        let waker = Waker::from(Arc::new(Looks(semaphore.clone())));
        Pin::new(future).poll(&mut Context::from_waker(&waker))
    }
}

impl Wake for Looks {
    fn wake(self: Arc<Self>) {
        free(&self.0);
    }
}

impl Drop for Looks {
    fn drop(&mut self) {
        free(&self.0);
    }
}

#[test]
fn the_next_waker_may_use_the_semaphore() {
    run("a waker that locks the semaphore", || {
        let (semaphore, permit) = taken();
        let a = Task::waits("A", &semaphore);
        let mut b = Looks::wait(&semaphore);
        drop(permit);
        drop(a);
        // If it is ready, this poll has cloned a waker that is not needed.
        drop(Looks::poll(&mut b, &semaphore));
    });
}

#[test]
fn the_waker_of_the_dropped_future_may_use_the_semaphore() {
    run("a waker that locks the semaphore", || {
        let (semaphore, _permit) = taken();
        drop(Looks::wait(&semaphore));
    });
}
