use super::*;
use probe::{CountingWaker, in_gap, instead_of_sleep, watch, within};
use std::{mem::ManuallyDrop, sync::mpsc, time::Duration};
use step05_parker_block_on::block_on;

mod foreign;

fn run(test: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch("a task that drops a `Read`", async { test() }));
    });
}

fn poll(read: &mut Read, waker: &CountingWaker) -> Poll<(usize, Buffer)> {
    Pin::new(read).poll(&mut Context::from_waker(&waker.waker()))
}

/// A read that the kernel has not done yet.
fn submitted(driver: &Arc<Driver>) -> Read {
    let mut read = driver.read(driver.kernel.allocate());
    let answer = poll(&mut read, &CountingWaker::new());
    assert!(
        answer.is_pending(),
        "a read was ready before the kernel had done it"
    );
    read
}

/// Bytes arrive for the oldest read.
fn arrive(driver: &Driver, bytes: &[u8]) {
    match driver.kernel.arrive(bytes) {
        Ok((number, length)) => driver.completed(number, length),
        Err(what) => panic!(
            "{what}\n\
             Look at: where is the buffer from `submit` to `completed`, and which code can drop it there?"
        ),
    }
}

/// Sees to it that all buffers are freed, and that the driver has no operation.
fn nothing_is_left(driver: &Driver, what: &str, look_at: &str) {
    let (_, buffers) = driver.kernel.counts();
    assert!(
        buffers == 0,
        "{what} Buffers that are not freed: {buffers}. Wanted: 0.\nLook at: {look_at}"
    );
    let operations = driver.operations.lock().unwrap().len();
    assert!(
        operations == 0,
        "{what} All buffers are freed. Operations that are not removed: {operations}. Wanted: 0.\n\
         Look at: which code will ever use this operation again?"
    );
}

/// Drops a read that the kernel will not do before this returns.
fn drop_early(read: Read) {
    let waits = || {
        panic!(
            "A read was dropped, and its destructor waits for the kernel, which may be done in an hour. Dropping a read must \
             not block: this thread has other tasks to poll.\n\
             Look at: who can own the buffer from now on, so that `drop` need not wait?"
        )
    };
    // No destructor releases so many locks, unless it checks in a loop.
    in_gap(30, waits, || instead_of_sleep(waits, || drop(read)));
}

fn gives(read: &mut Read, wanted: &str) {
    is_ready_with(poll(read, &CountingWaker::new()), wanted);
}

fn is_ready_with(answer: Poll<(usize, Buffer)>, wanted: &str) {
    let Poll::Ready((length, buffer)) = answer else {
        panic!("The kernel had completed a read, and its poll was Pending.");
    };
    let contents = String::from_utf8(buffer.contents()).unwrap();
    assert!(
        (length, &*contents) == (wanted.len(), wanted),
        "The bytes {wanted:?} arrived for a read. It returned the length {length} and a buffer with {contents:?}."
    );
}

#[test]
fn a_read_gives_out_its_bytes_and_its_buffer() {
    run(|| {
        let driver = Arc::new(Driver::default());
        let never = driver.read(driver.kernel.allocate());
        drop(never);
        let (submitted, _) = driver.kernel.counts();
        assert!(
            submitted == 0,
            "A read was submitted, and it had never been polled."
        );
        nothing_is_left(
            &driver,
            "A read was dropped that had never been polled.",
            "who frees it?",
        );

        let mut read = driver.read(driver.kernel.allocate());
        let [first, second] = [(); 2].map(|()| CountingWaker::new());
        for waker in [&first, &second] {
            assert!(poll(&mut read, waker).is_pending());
        }
        arrive(&driver, b"hello");
        let wakes = (first.wakes(), second.wakes());
        assert!(
            wakes == (0, 1),
            "A read was polled with one waker and then with another, and completed. Wakes: {wakes:?}. Wanted: (0, 1)."
        );
        gives(&mut read, "hello");
        drop(read);
        nothing_is_left(
            &driver,
            "A read was ready, and its buffer was dropped by the caller.",
            "which code still has a buffer?",
        );
    });
}

#[test]
fn the_kernel_writes_only_into_buffers_that_exist() {
    run(|| {
        let driver = Arc::new(Driver::default());
        drop_early(submitted(&driver));
        let mut other = submitted(&driver);
        arrive(&driver, b"hello");
        arrive(&driver, b"world");
        gives(&mut other, "world");
    });
}

#[test]
fn a_buffer_is_freed_when_kernel_and_read_are_both_done_with_it() {
    run(|| {
        let driver = Arc::new(Driver::default());
        drop_early(submitted(&driver));
        arrive(&driver, b"hello");
        nothing_is_left(
            &driver,
            "A read was dropped, and then the kernel completed it.",
            "what does `completed` do with a buffer that no future will ask for?",
        );
        let read = submitted(&driver);
        arrive(&driver, b"hello");
        drop(read);
        nothing_is_left(
            &driver,
            "The kernel completed a read, which was dropped before its next poll.",
            "who has the buffer, and will the kernel call `completed` once more?",
        );
    });
}

/// The kernel completes the read in each gap of its destructor.
#[test]
fn the_kernel_may_complete_a_read_while_it_is_dropped() {
    run(|| {
        drop_early(submitted(&Arc::default()));
        for gap in 0.. {
            let driver = Arc::new(Driver::default());
            let read = submitted(&driver);
            let completes = Arc::clone(&driver);
            let ((), gaps) = in_gap(
                gap,
                move || arrive(&completes, b"hello"),
                move || drop(read),
            );
            if gap >= gaps {
                break;
            }
            nothing_is_left(
                &driver,
                "While a read was being dropped, while `drop` held no lock, the kernel completed it.",
                "what has `drop` found out or left behind by then, and which function removes the operation now?",
            );
        }
    });
}

/// The kernel completes the read in each gap of its first poll. If `submit` is called without a lock, its end is one.
#[test]
fn the_kernel_may_complete_a_read_while_it_is_submitted() {
    run(|| {
        for gap in 0.. {
            let driver = Arc::new(Driver::default());
            let waker = CountingWaker::new();
            let mut read = ManuallyDrop::new(driver.read(driver.kernel.allocate()));
            let completes = Arc::clone(&driver);
            let (tell, told) = mpsc::channel();
            let arrives = move || {
                if completes.kernel.counts().0 > 0 {
                    arrive(&completes, b"hello");
                    tell.send(()).unwrap();
                }
            };
            let (answer, gaps) = in_gap(gap, arrives, || poll(&mut read, &waker));
            if gap >= gaps {
                break;
            }
            let mut read = ManuallyDrop::into_inner(read);
            if told.try_recv().is_err() {
                drop_early(read);
            } else if answer.is_ready() {
                is_ready_with(answer, "hello");
            } else {
                let wakes = waker.wakes();
                assert!(
                    wakes == 1,
                    "The kernel completed a read in its first poll, after `submit` and while `poll` held no lock. This poll \
                     returned Pending, and its waker was called {wakes} times. Wanted: once.\n\
                     Look at: what does `completed` find in `operations` at this moment?"
                );
                gives(&mut read, "hello");
            }
        }
    });
}

/// The task polls the read in each gap of `completed`.
#[test]
fn a_read_may_be_polled_while_the_kernel_completes_it() {
    run(|| {
        for gap in 0.. {
            let driver = Arc::new(Driver::default());
            // If a poll panics under the lock, the destructor must not find the lock poisoned and panic as well.
            let mut read = ManuallyDrop::new(submitted(&driver));
            let (tell, told) = mpsc::channel();
            let polls = move || {
                let answer = poll(&mut read, &CountingWaker::new());
                tell.send((answer, ManuallyDrop::into_inner(read))).unwrap();
            };
            let ((), gaps) = in_gap(gap, polls, || arrive(&driver, b"hello"));
            if gap >= gaps {
                break;
            }
            match told.recv().unwrap() {
                (Poll::Pending, mut read) => gives(&mut read, "hello"),
                (ready, _read) => is_ready_with(ready, "hello"),
            }
            nothing_is_left(
                &driver,
                "While the kernel completed a read, while `completed` held no lock, the task polled it.",
                "which code still has a buffer?",
            );
        }
    });
}

#[test]
fn a_waker_may_use_the_driver() {
    let is_free = |driver: &Arc<Driver>| driver.operations.try_lock().is_ok();
    run(|| {
        foreign::wakers_find_the_lock_free(Arc::default, is_free, |driver, tasks| {
            let poll = |read: &mut Read| {
                let waker = tasks.waker();
                Pin::new(read).poll(&mut Context::from_waker(&waker))
            };
            let mut reads = [(); 3].map(|()| driver.read(driver.kernel.allocate()));
            for read in &mut reads {
                tasks.step("a first poll, which submits the read");
                assert!(poll(read).is_pending());
                tasks.step("a second poll, by another task");
                assert!(poll(read).is_pending());
            }
            let [early, late, mut ready] = reads;
            tasks.step("a read is dropped before the kernel has done it");
            drop_early(early);
            tasks.step("the kernel completes the read that was dropped");
            arrive(driver, b"first");
            tasks.step("the kernel completes a read");
            arrive(driver, b"second");
            tasks.step("a read is dropped that the kernel has completed");
            drop(late);
            tasks.step("the kernel completes a read");
            arrive(driver, b"hello");
            tasks.step("a poll that is ready");
            is_ready_with(poll(&mut ready), "hello");
            tasks.step("a read is dropped that was ready");
            drop(ready);
        });
    });
}
