//! When the memory of a task is freed, and what it says of itself.

use std::{
    future::{pending, ready},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::Waker,
    thread,
};

use probe::within;

use crate::{
    bench::{Bench, LIMIT, PanicsWhenDropped, Queue, spawn_on},
    task::{Slot, Why},
};

/// How many tasks that are not freed belong to this queue. Each cell has one reference to it.
fn cells(queue: &Arc<Queue>) -> usize {
    Arc::strong_count(queue) - 1
}

#[test]
fn a_finished_task_is_freed_with_its_handle_or_with_its_last_waker() {
    within(LIMIT, || {
        let bench = Bench::ready();
        bench.tick();
        assert!(!bench.is_listed(), "it has never waited");
        let queue = Arc::clone(&bench.queue);
        let (waker, second) = (bench.waker(), bench.waker());
        assert_eq!(bench.end(), [1, 1]);
        assert_eq!(cells(&queue), 1);
        let third = second.clone();
        drop(waker);
        second.wake();
        third.wake_by_ref();
        assert_eq!(cells(&queue), 1);
        thread::spawn(move || drop(third)).join().unwrap();
        assert_eq!(cells(&queue), 0);

        let (task, handle) = spawn_on(&queue, ready(()));
        task.run();
        assert_eq!(cells(&queue), 1);
        drop(handle);
        assert_eq!(cells(&queue), 0);
    });
}

#[test]
fn a_task_that_a_thread_local_wakes_in_its_destructor_is_queued() {
    within(LIMIT, || {
        /// Wakes when the thread that has it ends.
        struct WakesAtTheEnd(Waker);
        impl Drop for WakesAtTheEnd {
            fn drop(&mut self) {
                self.0.wake_by_ref();
            }
        }
        thread_local! {
            static LAST: std::cell::RefCell<Option<WakesAtTheEnd>> = const { std::cell::RefCell::new(None) };
        }
        let bench = Bench::pending();
        bench.tick();
        let waker = WakesAtTheEnd(bench.waker());
        let thread = thread::spawn(move || LAST.set(Some(waker)));
        thread.join().unwrap();
        assert_eq!(bench.queue.reasons(), [Why::Woken]);
    });
}

/// A runtime that is shut down has dropped the future by then. This is for what nobody has shut down.
#[test]
fn the_last_reference_to_an_unfinished_task_drops_its_future() {
    within(LIMIT, || {
        let (queue, owned) = (Arc::<Queue>::default(), Arc::new(()));
        let bench = Bench::pending();
        let kept = Arc::clone(&owned);
        let (task, handle) = spawn_on(&queue, async move {
            pending::<()>().await;
            drop(kept);
        });
        task.shut_down();
        drop(task);
        assert_eq!((Arc::strong_count(&owned), cells(&queue)), (1, 1));
        drop(handle);
        assert_eq!(cells(&queue), 0);
        drop(bench);

        // Its destructor may panic, on whatever thread has that reference.
        let (task, handle) =
            crate::task::spawn(async { drop(PanicsWhenDropped) }, crate::bench::Nowhere);
        drop(handle);
        assert!(catch_unwind(AssertUnwindSafe(|| drop(task))).is_ok());
    });
}

#[test]
fn a_task_and_its_handle_name_their_bits() {
    within(LIMIT, || {
        let queue = Arc::<Queue>::default();
        let (task, handle) = spawn_on(&queue, ready(7));
        assert_eq!(format!("{task:?}"), "Task(SCHEDULED | HANDLE)");
        let kept = task.clone();
        task.run();
        assert_eq!(format!("{handle:?}"), "JoinHandle(FINISHED | HANDLE)");
        drop(handle);
        assert_eq!(format!("{kept:?}"), "Task(FINISHED)");
    });
}

#[test]
fn a_slot_has_one_task_and_gives_out_the_one_before() {
    within(LIMIT, || {
        let (queue, slot) = (Arc::<Queue>::default(), Slot::default());
        let [first, second] = [(); 2].map(|()| spawn_on(&queue, ready(())));
        assert_eq!(mem::size_of_val(&first.0), mem::size_of::<usize>());
        assert!(slot.is_empty() && slot.take().is_none());
        assert!(slot.put(first.0).is_none());
        assert!(!slot.is_empty());
        slot.put(second.0).unwrap().run();
        assert!(first.1.is_finished() && !second.1.is_finished());
        slot.take().unwrap().run();
        assert!(second.1.is_finished() && slot.is_empty());
        drop((first.1, second.1));

        let (third, handle) = spawn_on(&queue, ready(()));
        assert!(slot.put(third).is_none());
        drop(handle);
        assert_eq!(cells(&queue), 1);
        drop(slot);
        assert_eq!(cells(&queue), 0);
    });
}

#[test]
fn a_task_is_listed_from_when_it_has_to_wait_until_it_is_finished() {
    within(LIMIT, || {
        let bench = Bench::once(|_| ());
        assert!(!bench.is_listed());
        bench.tick();
        assert!(bench.is_listed());
        bench.wake();
        bench.tick();
        assert!(!bench.is_listed());
    });
}
