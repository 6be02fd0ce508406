use super::*;
use futures::executor::block_on;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, mpsc};
use std::task::{Wake, Waker};
use std::thread::ThreadId;
use std::time::Duration;

mod blocks;

#[derive(Default)]
struct Seen {
    runs: AtomicUsize,
    on_the_caller: AtomicBool,
    ready_early: AtomicBool,
    fired_early: AtomicBool,
    woken: AtomicBool,
    job_on: Mutex<Option<ThreadId>>,
    woken_on: Mutex<Vec<ThreadId>>,
}

/// Records the wake and passes it on to the executor.
struct Noted(Arc<Seen>, Waker);

impl Wake for Noted {
    fn wake(self: Arc<Self>) {
        self.0.woken.store(true, SeqCst);
        self.0.woken_on.lock().unwrap().push(thread::current().id());
        self.1.wake_by_ref();
    }
}

#[test]
fn the_job_runs_once_elsewhere_and_then_the_future_is_ready() {
    let seen = Arc::new(Seen::default());
    probe::within(Duration::from_secs(2), || run(&seen));
    assert!(
        !seen.on_the_caller.load(SeqCst),
        "The job ran inside poll, on the thread that polls. While the job runs, this thread can't poll anything else.\n\
         Expected: poll starts a thread, and the job runs there."
    );
    assert!(
        !seen.ready_early.load(SeqCst),
        "The first poll returned Ready, and the job was not done: it still waited on its thread.\n\
         Look at: which code knows when the job is done, and how does `poll` learn it?"
    );
    let job_on = *seen.job_on.lock().unwrap();
    let woken_on = seen.woken_on.lock().unwrap();
    assert!(
        woken_on.iter().all(|it| Some(*it) == job_on),
        "The task was woken by another thread than the one that did the job. A time may be too short for the job, and a thread that \
         checks again and again is one too many.\n\
         Look at: which thread knows when the job is done?"
    );
    assert!(
        !seen.fired_early.load(SeqCst),
        "The signal was fired before the job was done, so the task that it wakes finds no result.\n\
         Look at: in which order does the thread run the job and fire the signal?"
    );
    let runs = seen.runs.load(SeqCst);
    assert!(
        runs == 1,
        "The future is ready, so its job should have run once. It has run this many times: {runs}."
    );
    the_waker_of_the_latest_poll_is_woken();
    a_poll_does_not_block();
}

fn run(seen: &Arc<Seen>) {
    let (caller, job_sees) = (thread::current().id(), Arc::clone(seen));
    // The job waits until the first poll is over, so it can tell whether the signal has been fired before it ran.
    let (go, gate) = mpsc::channel::<()>();
    let (end, ended) = mpsc::channel::<()>();
    let job = move || {
        let _end = end;
        if thread::current().id() == caller {
            job_sees.on_the_caller.store(true, SeqCst);
        } else {
            *job_sees.job_on.lock().unwrap() = Some(thread::current().id());
            let _ = gate.recv();
            let woken = job_sees.woken.load(SeqCst);
            job_sees.fired_early.fetch_or(woken, SeqCst);
        }
        job_sees.runs.fetch_add(1, SeqCst);
    };
    let future = OnThread {
        job: Some(Box::new(job)),
        done: Arc::default(),
    };
    let done = Arc::downgrade(&future.done);
    let mut future = Box::pin(probe::watch("OnThread", future));
    let mut go = Some(go);
    block_on(poll_fn(|cx| {
        let waker = Waker::from(Arc::new(Noted(Arc::clone(seen), cx.waker().clone())));
        let answer = future.as_mut().poll(&mut Context::from_waker(&waker));
        if go.take().is_some() && answer.is_ready() {
            // Ready already, although the job is still waiting at the gate.
            let noop = &mut Context::from_waker(Waker::noop());
            let fired = done
                .upgrade()
                .is_some_and(|done| done.poll_fired(noop).is_ready());
            let early = if fired {
                &seen.fired_early
            } else {
                &seen.ready_early
            };
            early.store(true, SeqCst);
        }
        answer
    }));
    drop(future);
    // Nothing is ever sent. `recv` returns when the job has been run or dropped, and its sender with it.
    let _ = ended.recv();
}

/// Another task has polled it first.
fn the_waker_of_the_latest_poll_is_woken() {
    probe::within(Duration::from_secs(2), || {
        let (go, gate) = mpsc::channel::<()>();
        let caller = thread::current().id();
        let job = move || {
            if thread::current().id() != caller {
                let _ = gate.recv();
            }
        };
        let future = OnThread {
            job: Some(Box::new(job)),
            done: Arc::default(),
        };
        let mut future = Box::pin(probe::watch("OnThread, polled twice", future));
        let _ = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        let mut go = Some(go);
        block_on(poll_fn(|cx| {
            let answer = future.as_mut().poll(cx);
            // The job ends once the second poll is over.
            assert!(
                go.take().is_none() || answer.is_pending(),
                "The second poll returned Ready, and the job was not done. A poll may come for any reason, so it says nothing.\n\
                 Look at: which code knows when the job is done, and how does `poll` learn it?"
            );
            answer
        }));
    });
}

fn a_poll_does_not_block() {
    probe::within(Duration::from_secs(4), || {
        let (go, gate) = mpsc::channel::<()>();
        let mut future = OnThread {
            job: Some(Box::new(move || _ = gate.recv())),
            done: Arc::default(),
        };
        let mut poll = || {
            let cx = &mut Context::from_waker(Waker::noop());
            let _ = Pin::new(&mut future).poll(cx);
        };
        // The first poll starts the thread, which may take a lock.
        poll();
        blocks::assert_never("A future whose job is not done", poll);
        drop(go);
    });
}
