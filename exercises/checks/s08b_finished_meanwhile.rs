use super::*;
mod wait;
use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    watch, within,
};
use std::{sync::mpsc, task::Waker, thread, time::Duration};

const LIMIT: Duration = Duration::from_secs(2);

fn handle() -> (Arc<Shared<u32>>, JoinHandle<u32>) {
    let shared = Arc::new(Shared {
        finished: AtomicBool::new(false),
        result: Mutex::new(None),
        waiting: Slot::default(),
    });
    (Arc::clone(&shared), JoinHandle(shared))
}

/// Lets `act` happen when the handle has stored so many wakers, and is about to store one more.
fn before_a_store(shared: &Shared<u32>, stored: usize, act: impl FnOnce() + Send + 'static) {
    (0..stored).for_each(|_| shared.waiting.add_gate(|| ()));
    shared.waiting.add_gate(act);
}

/// Lets another thread finish the task at that moment, and waits until it has, unless the handle keeps it out by the
/// lock of the result. Gives out that thread when it was started.
fn finish_before_a_store(
    shared: &Arc<Shared<u32>>,
    stored: usize,
    result: u32,
) -> mpsc::Receiver<thread::JoinHandle<()>> {
    let (started, is_started) = mpsc::channel();
    let worker = Arc::clone(shared);
    before_a_store(shared, stored, move || {
        let kept_out = worker.result.try_lock().is_err();
        let thread = thread::spawn(move || worker.finish(result));
        if !kept_out {
            let what = "`finish` does not return while the handle is about to store its waker: what do you hold there?";
            wait::until(what, || thread.is_finished());
        }
        started.send(thread).unwrap();
    });
    is_started
}

fn poll(handle: &mut (impl Future<Output = u32> + Unpin), waker: &CountingWaker) -> Poll<u32> {
    Pin::new(handle).poll(&mut Context::from_waker(&waker.waker()))
}

#[test]
fn finished_before_the_poll() {
    within(LIMIT, || {
        let (shared, handle) = handle();
        shared.finish(7);
        let answer = poll(&mut watch("the handle", handle), &CountingWaker::new());
        assert!(
            answer == Poll::Ready(7),
            "the task had finished before the poll, with 7, and the handle returned {answer:?}"
        );
    });
}

#[test]
fn finished_after_the_poll() {
    within(LIMIT, || {
        let (shared, handle) = handle();
        let mut handle = watch("the handle", handle);
        let waker = CountingWaker::new();
        let answer = poll(&mut handle, &waker);
        assert!(
            answer.is_pending() && waker.wakes() == 0,
            "the task had not finished. The handle should be pending, and it should not wake its own task, because \
             nothing has happened yet. It returned {answer:?}, and woke {} times",
            waker.wakes()
        );
        shared.finish(7);
        let wakes = waker.wakes();
        assert!(
            wakes == 1,
            "the task finished after the handle was pending, so the handle's waker must be called once. It was called \
             {wakes} times"
        );
        assert_eq!(poll(&mut handle, &waker), Poll::Ready(7));
    });
}

#[test]
fn finished_between_the_check_and_the_store() {
    within(LIMIT, || {
        let (shared, handle) = handle();
        let worker = finish_before_a_store(&shared, 0, 7);
        let mut handle = watch("the handle", handle);
        let waker = CountingWaker::new();
        let first = poll(&mut handle, &waker);
        worker.try_iter().for_each(|it| it.join().unwrap());
        assert!(
            first == Poll::Ready(7) || waker.wakes() > 0,
            "The task finished while the handle was about to store its waker. The worker found no waker to call, and \
             the handle returned {first:?} all the same. So nothing will ever wake the handle's task.\n\
             Wanted: at whatever moment the task finishes, the handle is ready, or its waker is called.\n\
             Look at: which line of `poll` would notice what happened just before the store?"
        );
        if first.is_pending() {
            assert_eq!(poll(&mut handle, &waker), Poll::Ready(7), "woken");
        }
    });
}

#[test]
fn half_finished_before_the_poll() {
    within(LIMIT, || {
        let (shared, handle) = handle();
        // The first line of `finish`, and the others at the gate.
        *shared.result.lock().unwrap() = Some(7);
        let worker = Arc::clone(&shared);
        before_a_store(&shared, 0, move || {
            worker.finished.store(true, SeqCst);
            worker.waiting.take().into_iter().for_each(Waker::wake);
        });
        let waker = CountingWaker::new();
        let answer = poll(&mut watch("the handle", handle), &waker);
        assert!(
            answer == Poll::Ready(7) || waker.wakes() > 0,
            "The worker was in the middle of `finish` when the handle was polled: the result was there, and `finished` \
             was set when the handle was about to store its waker. The worker found no waker to call, and the handle \
             returned {answer:?}. A lock of the result does not keep the worker out any more."
        );
    });
}

#[test]
fn finished_before_any_other_store() {
    within(LIMIT, || {
        for stored in 1..4 {
            let (shared, handle) = handle();
            let worker = finish_before_a_store(&shared, stored, 7);
            let waker = CountingWaker::new();
            let answer = poll(&mut watch("the handle", handle), &waker);
            let Ok(worker) = worker.try_recv() else {
                return; // The handle has stored no more wakers than these.
            };
            worker.join().unwrap();
            assert!(
                answer == Poll::Ready(7) || waker.wakes() > 0,
                "One poll stored a waker more than once, and the task finished just before store {}. The worker found \
                 no waker to call, because the handle had taken it out, and the handle returned {answer:?}. So nothing \
                 will ever wake the handle's task.",
                stored + 1
            );
        }
    });
}

#[test]
fn finished_between_the_check_and_the_store_of_a_later_poll() {
    within(LIMIT, || {
        let (shared, handle) = handle();
        let mut handle = watch("the handle", handle);
        let (earlier, latest) = (CountingWaker::new(), CountingWaker::new());
        assert!(poll(&mut handle, &earlier).is_pending());
        let worker = finish_before_a_store(&shared, 0, 7);
        let second = poll(&mut handle, &latest);
        worker.try_iter().for_each(|it| it.join().unwrap());
        assert!(
            second == Poll::Ready(7) || latest.wakes() > 0,
            "the handle was polled by a second task, and the task that it waits for finished before this poll had \
             stored its waker. The handle returned {second:?}, and the worker woke the first task, which does not \
             poll the handle any more"
        );
    });
}

#[test]
fn the_code_of_a_waker_runs_without_a_lock() {
    for moment in [Moment::Clone, Moment::Drop] {
        let ((shared, mut handle), hostile) = (handle(), Hostile::new());
        let is_locked = Arc::new(AtomicBool::new(false));
        let (result, seen) = (Arc::clone(&shared), Arc::clone(&is_locked));
        let looks = move || _ = seen.fetch_or(result.result.try_lock().is_err(), SeqCst);
        // Not watched, because `watch` clones the waker by itself.
        let mut poll = |waker: &Waker| {
            let mut cx = Context::from_waker(waker);
            within(LIMIT, || Pin::new(&mut handle).poll(&mut cx))
        };
        let waker = hostile.waker();
        assert!(poll(&waker).is_pending(), "not finished");
        hostile.arm(moment, looks);
        assert!(poll(&waker).is_pending(), "not finished");
        hostile.disarm();
        assert!(
            !is_locked.load(SeqCst),
            "`poll` held the lock of the result at a {moment:?} of a waker. The code of a waker is not yours: it may poll this \
             handle or finish this task, and then it waits for the lock that its own thread holds."
        );
    }
}

#[test]
fn the_latest_waker_is_called() {
    within(LIMIT, || {
        let (shared, handle) = handle();
        let mut handle = watch("the handle", handle);
        let (earlier, latest) = (CountingWaker::new(), CountingWaker::new());
        assert!(poll(&mut handle, &earlier).is_pending());
        assert!(poll(&mut handle, &latest).is_pending());
        shared.finish(7);
        assert!(
            latest.wakes() == 1,
            "the handle was polled by one task and then by another, so the waker of the latest poll must be called when \
             the task finishes. It was called {} times, and that of the earlier poll {} times",
            latest.wakes(),
            earlier.wakes()
        );
    });
}
