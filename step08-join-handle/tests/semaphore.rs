//! What a semaphore promises: to futures that wait, to those that stop waiting, and to wakers that run code of their own.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    task::{Poll, Waker},
    time::Duration,
};

use probe::{
    CountingWaker,
    hostile::{Hostile, Moment, elsewhere},
    poll, within,
};
use step08_join_handle::semaphore::{Acquire, Permit, Semaphore};

use properties::walk::explore;

const LIMIT: Duration = Duration::from_secs(10);

fn take(semaphore: &Semaphore) -> Permit {
    match poll(&mut semaphore.acquire(), Waker::noop()) {
        Poll::Ready(permit) => permit,
        Poll::Pending => panic!("no permit is free"),
    }
}

/// In the queue, and woken by this waker.
fn waiting(semaphore: &Semaphore, waker: &Waker) -> Acquire {
    let mut acquire = semaphore.acquire();
    assert!(poll(&mut acquire, waker).is_pending());
    acquire
}

/// Three futures, the permits that they have been given, and what must be true of them.
struct Line {
    semaphore: Semaphore,
    acquires: [Acquire; 3],
    permits: Vec<Permit>,
    wakers: [CountingWaker; 3],
    record: Record,
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Record {
    free: usize,
    /// The number of permits that are held.
    held: usize,
    /// The futures that wait, in the order of their first polls.
    queue: Vec<usize>,
    /// The futures that were handed a permit, and not polled since.
    handed: BTreeSet<usize>,
    wakes: [usize; 3],
}

#[derive(Clone, Copy)]
enum Step {
    Poll(usize),
    GiveUp(usize),
    Add(usize),
    GiveBack,
    Forget,
}

impl Record {
    fn add(&mut self, permits: usize) {
        self.free += permits;
        let served = self.free.min(self.queue.len());
        for future in self.queue.drain(..served) {
            self.handed.insert(future);
            self.wakes[future] += 1;
        }
        self.free -= served;
    }

    fn is_possible(&self, step: Step) -> bool {
        match step {
            Step::Poll(_) | Step::GiveUp(_) => true,
            Step::Add(permits) => permits + self.free + self.held + self.handed.len() <= 3,
            Step::GiveBack | Step::Forget => self.held > 0,
        }
    }

    /// Whether the future has its permit now.
    fn poll(&mut self, future: usize) -> bool {
        let mut has = self.handed.remove(&future);
        if !has && !self.queue.contains(&future) {
            has = self.free > 0;
            self.free -= usize::from(has);
            self.queue.extend((!has).then_some(future));
        }
        self.held += usize::from(has);
        has
    }
}

impl Line {
    fn after(path: &[Step]) -> Line {
        let semaphore = Semaphore::new(0);
        let mut line = Line {
            acquires: [(); 3].map(|()| semaphore.acquire()),
            semaphore,
            permits: Vec::new(),
            wakers: [(); 3].map(|()| CountingWaker::new()),
            record: Record::default(),
        };
        path.iter().for_each(|step| line.make(*step));
        line
    }

    fn make(&mut self, step: Step) {
        let record = &mut self.record;
        match step {
            Step::Poll(at) => {
                let answer = poll(&mut self.acquires[at], &self.wakers[at].waker());
                assert_eq!(answer.is_ready(), record.poll(at));
                if let Poll::Ready(permit) = answer {
                    self.permits.push(permit);
                    // The next one. This one has nothing to give back.
                    self.acquires[at] = self.semaphore.acquire();
                }
            }
            Step::GiveUp(at) => {
                self.acquires[at] = self.semaphore.acquire();
                record.queue.retain(|future| *future != at);
                record.add(usize::from(record.handed.contains(&at)));
                record.handed.remove(&at);
            }
            Step::Add(permits) => {
                self.semaphore.add_permits(permits);
                record.add(permits);
            }
            Step::GiveBack | Step::Forget => {
                let permit = self.permits.pop().unwrap();
                record.held -= 1;
                if let Step::Forget = step {
                    permit.forget();
                } else {
                    drop(permit);
                    record.add(1);
                }
            }
        }
    }

    fn check(&self) {
        assert_eq!(self.semaphore.available(), self.record.free);
        let wakes = self.wakers.each_ref().map(CountingWaker::wakes);
        assert_eq!(wakes, self.record.wakes);
        for (future, waker) in self.wakers.iter().enumerate() {
            let waits = self.record.queue.contains(&future);
            assert_eq!(waker.live(), usize::from(waits), "wakers that are kept");
        }
    }
}

/// Every order of polls, of futures that are given up, and of permits that come and go. Each future that waits is served once,
/// in the order of the first polls, and no permit is lost or doubled.
#[cfg_attr(
    miri,
    ignore = "one thread and no unsafe code: Miri would see no more, in minutes"
)]
#[test]
fn every_order_of_steps_serves_those_who_wait_in_their_order() {
    use Step::*;
    let steps: Vec<_> = (0..3)
        .flat_map(|future| [Poll(future), GiveUp(future)])
        .chain([Add(1), Add(2), GiveBack, Forget])
        .collect();
    let situations = explore(|path| {
        let mut line = Line::after(path);
        line.check();
        line.record.wakes = [0; 3]; // they are checked, and make no difference to what comes next
        let is_possible = |step: &Step| line.record.is_possible(*step);
        let possible = steps.iter().copied().filter(is_possible).collect();
        (line.record.clone(), possible)
    });
    // A search that ends early finds no mistake.
    assert_eq!(situations, 140);
}

#[test]
fn polled_after_ready_it_panics_and_the_semaphore_still_works() {
    let semaphore = Semaphore::new(1);
    let mut acquire = semaphore.acquire();
    assert!(poll(&mut acquire, Waker::noop()).is_ready());
    let again = catch_unwind(AssertUnwindSafe(|| poll(&mut acquire, Waker::noop())));
    let message = again.unwrap_err();
    assert_eq!(
        message.downcast_ref::<&str>(),
        Some(&"polled after it returned its permit")
    );
    drop(acquire);
    drop(take(&semaphore));
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn there_are_never_more_than_the_largest_number_of_permits() {
    let semaphore = Semaphore::new(1);
    semaphore.add_permits(usize::MAX);
    let held = take(&semaphore);
    assert_eq!(semaphore.available(), usize::MAX - 1);
    semaphore.add_permits(2);
    drop(held);
    assert_eq!(semaphore.available(), usize::MAX);
}

/// With a waker that uses the semaphore at this moment, from another thread, and waits for that thread.
fn hostile_at(moment: Moment, semaphore: &Semaphore) -> Hostile {
    let (hostile, same) = (Hostile::new(), semaphore.clone());
    hostile.arm(moment, move || {
        elsewhere(|| same.available());
    });
    hostile
}

#[test]
fn a_waker_may_use_the_semaphore_that_clones_wakes_and_drops_it() {
    within(LIMIT, || {
        for moment in [Moment::Clone, Moment::Wake, Moment::Drop] {
            let semaphore = Semaphore::new(0);
            let hostile = hostile_at(moment, &semaphore);
            let waker = hostile.waker();
            // Cloned, then replaced, then dropped with its future, then woken.
            let mut leaves = waiting(&semaphore, &waker);
            assert!(poll(&mut leaves, &waker).is_pending());
            drop(leaves);
            let mut waits = waiting(&semaphore, &waker);
            semaphore.add_permits(1);
            assert!(poll(&mut waits, &waker).is_ready());
            drop(waker);
            assert!(hostile.acted(), "{moment:?}");
            assert_eq!((hostile.wakes(), hostile.live()), (1, 0), "{moment:?}");
            hostile.disarm();
        }
    });
}

/// A waker that adds a permit while it is cloned for the first time, and does this when it is dropped after that.
fn adds_when_cloned(
    semaphore: &Semaphore,
    when_dropped: impl Fn() + Clone + Send + Sync + 'static,
) -> Hostile {
    let hostile = Hostile::new();
    let (same, rearmed) = (semaphore.clone(), hostile.clone());
    hostile.arm(Moment::Clone, move || {
        rearmed.arm(Moment::Drop, when_dropped.clone());
        same.add_permits(1);
    });
    hostile
}

#[test]
fn a_permit_that_comes_while_the_waker_is_cloned_is_not_missed() {
    within(LIMIT, || {
        let semaphore = Semaphore::new(0);
        let same = semaphore.clone();
        let uses = move || {
            elsewhere(|| same.available());
        };

        let hostile = adds_when_cloned(&semaphore, uses.clone());
        let permit = poll(&mut semaphore.acquire(), &hostile.waker());
        assert!(permit.is_ready() && hostile.acted());
        assert_eq!((semaphore.available(), hostile.live()), (0, 0));
        drop(permit);
        take(&semaphore).forget();

        let (earlier, hostile) = (CountingWaker::new(), adds_when_cloned(&semaphore, uses));
        let mut waits = waiting(&semaphore, &earlier.waker());
        let permit = poll(&mut waits, &hostile.waker());
        assert!(permit.is_ready() && hostile.acted());
        drop((waits, permit));
        assert_eq!((semaphore.available(), hostile.live()), (1, 0));
    });
}

fn panics(moment: Moment) -> Hostile {
    let hostile = Hostile::new();
    hostile.arm(moment, || panic!("this panic belongs to the test"));
    hostile
}

#[test]
fn a_waker_that_panics_when_cloned_leaves_the_queue_as_it_was() {
    let semaphore = Semaphore::new(0);
    let (hostile, counting) = (panics(Moment::Clone), CountingWaker::new());
    let mut new = semaphore.acquire();
    let mut waits = waiting(&semaphore, &counting.waker());
    let waker = hostile.waker();
    assert!(catch_unwind(AssertUnwindSafe(|| poll(&mut new, &waker))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| poll(&mut waits, &waker))).is_err());
    semaphore.add_permits(1);
    assert_eq!((counting.wakes(), semaphore.available()), (1, 0));
    assert!(poll(&mut waits, Waker::noop()).is_ready());
    assert!(poll(&mut new, Waker::noop()).is_ready());
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn a_waker_that_panics_when_dropped_costs_no_permit() {
    // Replaced:
    let semaphore = Semaphore::new(0);
    let (hostile, counting) = (panics(Moment::Drop), CountingWaker::new());
    let waker = hostile.waker();
    let mut waits = waiting(&semaphore, &waker);
    let replaces = || poll(&mut waits, &counting.waker());
    assert!(catch_unwind(AssertUnwindSafe(replaces)).is_err());
    semaphore.add_permits(1);
    assert_eq!(counting.wakes(), 1);
    drop(waits);
    assert_eq!(semaphore.available(), 1);

    // Dropped with its future:
    let held = take(&semaphore);
    let waits = waiting(&semaphore, &waker);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(waits))).is_err());
    drop(held);
    assert_eq!(semaphore.available(), 1);
    hostile.disarm();

    // Cloned, and not needed, because a permit came in that very moment:
    take(&semaphore).forget();
    let hostile = adds_when_cloned(&semaphore, || panic!("this panic belongs to the test"));
    let waker = hostile.waker();
    let mut new = semaphore.acquire();
    assert!(catch_unwind(AssertUnwindSafe(|| poll(&mut new, &waker))).is_err());
    assert_eq!(semaphore.available(), 1);
    hostile.disarm();
}
