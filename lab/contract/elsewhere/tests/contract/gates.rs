//! More semaphores, locks, events and timers.

use std::{
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use contract::{Local, Subject, suite::Promise};
use futures::{FutureExt, channel::oneshot, executor::block_on};

use super::{BORROWED, DROPS_LOCKED, STOPS_AT_A_PANIC, WAKES_LOCKED, channels::EACH_IS_KEPT};

pub fn promises() -> Vec<Promise> {
    let [intrusive, maitake_semaphore, mea_semaphore] = semaphores().map(Promise::all);
    let [maitake_mutex, mea_mutex] = locks().map(Promise::all);
    let [
        futures_shared,
        cancellation_token,
        set_once,
        once_cell,
        triggered,
        barrier,
        wait_queue,
    ] = events().map(|event| Promise::all(event).not_yet(STOPS_AT_A_PANIC, &["all_but_one_panic"]));
    vec![
        Promise::all(async_event())
            .not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake", "hostile_panic"])
            .not_in_the_matrix(),
        intrusive
            .not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake", "used_by_a_waker"])
            .not_yet(
                "A waiter that is dropped from the head of the fair semaphore of futures-intrusive 0.5 wakes none behind it (`remove_waiter` in semaphore.rs).",
                &["gone_from_the_head", "permits_in_any_order"],
            ),
        maitake_semaphore.not_yet(DROPS_LOCKED, &["used_by_a_waker"]).not_in_the_matrix(),
        mea_semaphore.not_yet(DROPS_LOCKED, &["used_by_a_waker"]).not_in_the_matrix(),
        maitake_mutex.not_yet(DROPS_LOCKED, &["used_by_a_waker"]).not_in_the_matrix(),
        mea_mutex.not_yet(DROPS_LOCKED, &["used_by_a_waker"]).not_in_the_matrix(),
        futures_shared.not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake"]),
        cancellation_token.not_in_the_matrix(),
        set_once.not_in_the_matrix(),
        once_cell
            .not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake", "hostile_panic"])
            .not_in_the_matrix(),
        triggered.not_in_the_matrix(),
        barrier
            .not_yet(EACH_IS_KEPT, &["one_waker_is_kept", "dropped_early"])
            .not_in_the_matrix(),
        wait_queue.not_in_the_matrix(),
        Promise::all(Subject::timer("futures-timer", futures_timer::Delay::new))
            .not_yet(
                "The panic of a waker ends the thread of futures-timer 3.0, and no timer fires any more.",
                &["hostile_panic"],
            )
            .not_in_the_matrix(),
        Promise::all(of_local_sync())
            .not_yet(BORROWED, &["dropped_in_its_wake", "hostile_wake"])
            .not_yet(
                "A waiter that is dropped after a permit was given to it borrows the list of waiters twice, and panics (`Drop for Acquire` in local-sync 0.1.1, semaphore.rs:407 to 416).",
                &[
                    "passed_on",
                    "kept_for_the_next",
                    "used_by_a_waker",
                    "one_gift_wakes_one",
                    "no_more_than_permits",
                    "gone_from_the_head",
                    "gifts_in_any_order",
                    "permits_in_any_order",
                ],
            ),
    ]
}

/// Each of those that wait takes what is there, if there is any.
fn async_event() -> Subject {
    Subject::waiters("async-event", || {
        let event = Arc::new((async_event::Event::new(), AtomicUsize::new(0)));
        let waits = event.clone();
        let wait = move || {
            let event = waits.clone();
            async move {
                let (event, gifts) = &*event;
                let takes = || gifts.fetch_update(SeqCst, SeqCst, |gifts| gifts.checked_sub(1));
                event.wait_until(|| takes().ok()).await;
            }
        };
        let give = move || {
            event.1.fetch_add(1, SeqCst);
            event.0.notify_one();
        };
        (wait, give)
    })
}

fn semaphores() -> [Subject; 3] {
    [
        Subject::weighted_semaphore("futures-intrusive-semaphore", |permits| {
            let semaphore = futures_intrusive::sync::SharedSemaphore::new(true, permits);
            move |permits| semaphore.acquire(permits)
        }),
        Subject::weighted_semaphore("maitake-semaphore", |permits| {
            let semaphore = Arc::new(maitake_sync::Semaphore::new(permits));
            move |permits| {
                let semaphore = semaphore.clone();
                async move { semaphore.acquire_owned(permits).await }
            }
        }),
        Subject::weighted_semaphore("mea-semaphore", |permits| {
            let semaphore = Arc::new(mea::semaphore::Semaphore::new(permits));
            move |permits| semaphore.clone().acquire_owned(permits)
        }),
    ]
}

fn locks() -> [Subject; 2] {
    [
        Subject::lock("maitake-mutex", || {
            let mutex = Arc::new(maitake_sync::Mutex::new(()));
            move || {
                let mutex = mutex.clone();
                async move { mutex.lock_owned().await }
            }
        }),
        Subject::lock("mea-mutex", || {
            let mutex = Arc::new(mea::mutex::Mutex::new(()));
            move || mutex.clone().lock_owned()
        }),
    ]
}

fn events() -> [Subject; 7] {
    [
        Subject::event("futures-shared", || {
            let (sender, receiver) = oneshot::channel();
            let shared = receiver.shared();
            (move || shared.clone(), || _ = sender.send(7))
        }),
        Subject::event("tokio-cancellation-token", || {
            let token = tokio_util::sync::CancellationToken::new();
            let waits = token.clone();
            (
                move || waits.clone().cancelled_owned(),
                move || token.cancel(),
            )
        }),
        Subject::event("tokio-set-once", || {
            let cell = Arc::new(tokio::sync::SetOnce::new());
            let sets = cell.clone();
            let wait = move || {
                let cell = cell.clone();
                async move { *cell.wait().await }
            };
            (wait, move || _ = sets.set(7))
        }),
        Subject::event("async-lock-once-cell", || {
            let cell = Arc::new(async_lock::OnceCell::new());
            let sets = cell.clone();
            let wait = move || {
                let cell = cell.clone();
                async move { *cell.wait().await }
            };
            (wait, move || _ = sets.set_blocking(7))
        }),
        Subject::event("triggered", || {
            let (trigger, listener) = triggered::trigger();
            (move || listener.clone(), move || trigger.trigger())
        }),
        Subject::event("postage-barrier", || {
            use postage::stream::Stream;
            let (sender, receiver) = postage::barrier::channel();
            let wait = move || {
                let mut receiver = receiver.clone();
                async move { receiver.recv().await }
            };
            (wait, move || drop(sender))
        }),
        Subject::event("maitake-wait-queue", || {
            let queue = Arc::new(maitake_sync::WaitQueue::new());
            let waits = queue.clone();
            (move || waits.wait_owned(), move || queue.wake_all())
        }),
    ]
}

/// It shares an `Rc`.
fn of_local_sync() -> Subject {
    Local::on(block_on).weighted_semaphore("local-sync-semaphore", |permits| {
        let semaphore = Rc::new(local_sync::semaphore::Semaphore::new(permits));
        move |permits| semaphore.clone().acquire_many_owned(permits as u32)
    })
}
