//! What a semaphore promises: to futures that wait, to those that stop waiting, and to wakers that run code of their own.

use std::{
    future::Future,
    hint,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::executor::block_on;
use probe::{
    CountingWaker,
    hostile::{Hostile, Moment, elsewhere},
    within,
};
use step08_join_handle::semaphore::{Acquire, Permit, Semaphore};

const LIMIT: Duration = Duration::from_secs(10);

fn poll(acquire: &mut Acquire, waker: &Waker) -> Poll<Permit> {
    Pin::new(acquire).poll(&mut Context::from_waker(waker))
}

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

#[test]
fn a_permit_is_given_back_when_it_is_dropped() {
    let semaphore = Semaphore::new(2);
    let (first, second) = (take(&semaphore), take(&semaphore));
    assert_eq!(semaphore.available(), 0);
    drop(first);
    assert_eq!(semaphore.available(), 1);
    drop(second);
    assert_eq!(semaphore.available(), 2);
}

#[test]
fn a_permit_that_is_forgotten_does_not_come_back() {
    let semaphore = Semaphore::new(2);
    take(&semaphore).forget();
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn the_queue_is_in_the_order_of_the_first_polls() {
    let semaphore = Semaphore::new(0);
    let mut acquires: Vec<_> = (0..5).map(|_| semaphore.acquire()).collect();
    let order = [3, 1, 4, 0, 2];
    for at in order {
        assert!(poll(&mut acquires[at], Waker::noop()).is_pending());
    }
    for served in 0..5 {
        semaphore.add_permits(1);
        for (turn, at) in order.into_iter().enumerate().skip(served) {
            match poll(&mut acquires[at], Waker::noop()) {
                Poll::Ready(permit) => {
                    assert_eq!(turn, served);
                    permit.forget();
                }
                Poll::Pending => assert!(turn > served),
            }
        }
    }
}

#[test]
fn a_newcomer_does_not_overtake_a_future_that_has_been_woken() {
    let semaphore = Semaphore::new(1);
    let held = take(&semaphore);
    let waker = CountingWaker::new();
    let mut waits = waiting(&semaphore, &waker.waker());
    drop(held);
    assert_eq!((waker.wakes(), semaphore.available()), (1, 0));
    let mut newcomer = waiting(&semaphore, Waker::noop());
    let permit = poll(&mut waits, Waker::noop());
    assert!(permit.is_ready());
    assert!(poll(&mut newcomer, Waker::noop()).is_pending());
    drop(permit);
    assert!(poll(&mut newcomer, Waker::noop()).is_ready());
}

#[test]
fn a_newcomer_does_not_overtake_a_future_that_is_polled_again() {
    let semaphore = Semaphore::new(0);
    let mut first = waiting(&semaphore, Waker::noop());
    let mut newcomer = waiting(&semaphore, Waker::noop());
    assert!(poll(&mut first, Waker::noop()).is_pending());
    semaphore.add_permits(1);
    assert!(poll(&mut newcomer, Waker::noop()).is_pending());
    assert!(poll(&mut first, Waker::noop()).is_ready());
}

#[test]
fn one_permit_wakes_one_future() {
    let semaphore = Semaphore::new(0);
    let wakers: Vec<_> = (0..3).map(|_| CountingWaker::new()).collect();
    let _line: Vec<_> = wakers
        .iter()
        .map(|waker| waiting(&semaphore, &waker.waker()))
        .collect();
    let wakes = || wakers.iter().map(CountingWaker::wakes).collect::<Vec<_>>();
    semaphore.add_permits(1);
    assert_eq!(wakes(), [1, 0, 0]);
    semaphore.add_permits(5);
    assert_eq!((wakes(), semaphore.available()), (vec![1, 1, 1], 3));
}

#[test]
fn the_latest_waker_is_the_one_that_is_called() {
    let semaphore = Semaphore::new(0);
    let (first, second) = (CountingWaker::new(), CountingWaker::new());
    let mut waits = waiting(&semaphore, &first.waker());
    assert!(poll(&mut waits, &second.waker()).is_pending());
    assert_eq!(first.live(), 0);
    semaphore.add_permits(1);
    assert_eq!((first.wakes(), second.wakes()), (0, 1));
    assert!(poll(&mut waits, Waker::noop()).is_ready());
}

#[test]
fn a_future_that_was_never_polled_has_no_place_in_the_queue() {
    let semaphore = Semaphore::new(0);
    let mut never = semaphore.acquire();
    let mut waits = waiting(&semaphore, Waker::noop());
    semaphore.add_permits(1);
    assert!(poll(&mut never, Waker::noop()).is_pending());
    assert!(poll(&mut waits, Waker::noop()).is_ready());
    // That permit was given back, and `never` is in the queue by now.
    assert!(poll(&mut never, Waker::noop()).is_ready());
    // And dropping one that has no place gives nothing back.
    drop(semaphore.acquire());
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn a_future_that_is_dropped_leaves_the_queue() {
    let semaphore = Semaphore::new(0);
    let (leaves, stays) = (CountingWaker::new(), CountingWaker::new());
    let first = waiting(&semaphore, &leaves.waker());
    let mut second = waiting(&semaphore, &stays.waker());
    drop(first);
    assert_eq!(leaves.live(), 0);
    semaphore.add_permits(1);
    assert_eq!((leaves.wakes(), stays.wakes()), (0, 1));
    assert!(poll(&mut second, Waker::noop()).is_ready());
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn a_future_that_is_dropped_passes_its_permit_on() {
    let semaphore = Semaphore::new(0);
    let wakers: Vec<_> = (0..3).map(|_| CountingWaker::new()).collect();
    let mut line: Vec<_> = wakers
        .iter()
        .map(|waker| waiting(&semaphore, &waker.waker()))
        .collect();
    semaphore.add_permits(1);
    drop(line.remove(0));
    assert_eq!((wakers[1].wakes(), semaphore.available()), (1, 0));
    drop(line.remove(0));
    assert_eq!((wakers[2].wakes(), semaphore.available()), (1, 0));
    drop(line);
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn after_it_was_ready_a_future_gives_nothing_back_but_its_permit() {
    let semaphore = Semaphore::new(0);
    let mut waits = waiting(&semaphore, Waker::noop());
    semaphore.add_permits(1);
    let permit = poll(&mut waits, Waker::noop());
    drop(waits);
    assert_eq!(semaphore.available(), 0);
    drop(permit);
    assert_eq!(semaphore.available(), 1);
}

#[test]
fn polled_after_it_was_ready_it_panics_and_the_semaphore_still_works() {
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
fn futures_and_permits_outlive_the_semaphore_they_came_from() {
    let semaphore = Semaphore::new(1);
    let held = take(&semaphore);
    let waker = CountingWaker::new();
    let mut waits = waiting(&semaphore, &waker.waker());
    drop(semaphore);
    assert!(poll(&mut waits, &waker.waker()).is_pending());
    drop(held);
    assert_eq!(waker.wakes(), 1);
    let permit = poll(&mut waits, Waker::noop());
    drop(waits);
    assert!(permit.is_ready());
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

#[test]
fn ten_thousand_futures_in_the_queue_and_every_second_one_is_dropped() {
    let count = if cfg!(miri) { 100 } else { 10_000 };
    within(LIMIT, || {
        let semaphore = Semaphore::new(0);
        let mut line: Vec<_> = (0..count)
            .map(|_| Some(waiting(&semaphore, Waker::noop())))
            .collect();
        line.iter_mut().step_by(2).for_each(|leaves| *leaves = None);
        // One permit goes through the whole queue.
        semaphore.add_permits(1);
        for mut waits in line.into_iter().flatten() {
            assert!(poll(&mut waits, Waker::noop()).is_ready());
        }
        assert_eq!(semaphore.available(), 1);
    });
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
fn a_waker_may_use_the_semaphore_while_it_is_cloned_woken_and_dropped() {
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

#[test]
fn a_waker_that_is_replaced_or_removed_may_use_the_semaphore() {
    within(LIMIT, || {
        let semaphore = Semaphore::new(0);
        let hostile = hostile_at(Moment::Drop, &semaphore);
        let waker = hostile.waker();
        let mut waits = waiting(&semaphore, &waker);
        assert!(poll(&mut waits, Waker::noop()).is_pending());
        assert!(hostile.acted());
        let hostile_too = hostile_at(Moment::Drop, &semaphore);
        let waker_too = hostile_too.waker();
        assert!(poll(&mut waits, &waker_too).is_pending());
        drop(waits);
        assert!(hostile_too.acted());
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
fn a_waker_that_panics_when_woken_harms_no_other_future() {
    let semaphore = Semaphore::new(0);
    let (hostile, counting) = (panics(Moment::Wake), CountingWaker::new());
    let mut first = waiting(&semaphore, &hostile.waker());
    let mut second = waiting(&semaphore, &counting.waker());
    semaphore.add_permits(2);
    assert!(hostile.acted());
    assert_eq!(counting.wakes(), 1);
    assert!(poll(&mut first, Waker::noop()).is_ready());
    assert!(poll(&mut second, Waker::noop()).is_ready());
    assert_eq!(semaphore.available(), 2);
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

/// Numbers that look random, and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn four_threads_acquire_and_cancel_and_no_permit_is_lost_or_doubled() {
    const PERMITS: usize = 2;
    let rounds = if cfg!(miri) { 50 } else { 5_000 };
    within(Duration::from_secs(60), || {
        let semaphore = Semaphore::new(PERMITS);
        let holders = AtomicUsize::new(0);
        let hold = |permit: Permit| {
            assert!(holders.fetch_add(1, Ordering::SeqCst) < PERMITS);
            hint::spin_loop();
            holders.fetch_sub(1, Ordering::SeqCst);
            drop(permit);
        };
        // As many rounds as a busy machine makes.
        let enough = Instant::now() + Duration::from_millis(100);
        thread::scope(|scope| {
            for seed in 1..=4 {
                let (semaphore, hold) = (&semaphore, &hold);
                scope.spawn(move || {
                    let mut numbers = Numbers(seed);
                    for _ in 0..rounds {
                        let mut acquire = semaphore.acquire();
                        // Polled up to three times, and then dropped or waited for.
                        for _ in 0..numbers.below(4) {
                            match poll(&mut acquire, Waker::noop()) {
                                Poll::Ready(permit) => {
                                    hold(permit);
                                    acquire = semaphore.acquire();
                                }
                                Poll::Pending => hint::spin_loop(),
                            }
                        }
                        if numbers.below(2) == 0 {
                            hold(block_on(acquire));
                        }
                        if Instant::now() > enough {
                            break;
                        }
                    }
                });
            }
        });
        assert_eq!(semaphore.available(), PERMITS);
    });
}
