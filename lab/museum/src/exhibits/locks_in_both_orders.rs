//! The executor locks its queue and then the waker's slot. The reactor's thread locks the slot and then the queue.
//!
//! With the document's code this took 680 to 72,893 rounds. Here it is certain, because the two threads meet where each
//! of them has locked what it locks first.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    thread,
};

use probe::Mutex;

use crate::{Breaks, Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "locks-in-both-orders",
    title: "a poll and a wake at the same time lock two mutexes in opposite orders",
    was_in: "document 002, `Executor::run` and `StdinFuture::set_ready` (D29)",
    breaks: Breaks::Rule("hold no lock while you wake or poll: the waker or the future may need it"),
    chapter: 9,
    fails: Fails::Hangs("waits inside poll for a lock that another thread holds"),
    why: "both guards are temporaries of the condition, and live until the end of the body. So the executor polls with \
          its queue locked, and the poll needs the slot. The reactor wakes with the slot locked, and the wake \
          needs the queue. Each waits for the other. In the twin both guards are dropped before the body.",
    passes: "the task is done",
    broken: || show(run_broken, set_ready_broken),
    repaired: || show(run_repaired, set_ready_repaired),
};

type Queue = Mutex<VecDeque<Arc<Task>>>;

#[derive(Default)]
struct Stdin {
    is_ready: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

// ANCHOR: broken
/// The executor's thread.
fn run_broken(queue: &Queue) {
    while let Some(task) = queue.lock().unwrap().pop_front() {
        task.poll();
    }
}

/// The reactor's thread, for each event.
fn set_ready_broken(stdin: &Stdin) {
    stdin.is_ready.store(true, SeqCst);
    if let Some(waker) = stdin.waker.lock().unwrap().take() {
        waker.wake();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// The executor's thread.
fn run_repaired(queue: &Queue) {
    let next = || queue.lock().unwrap().pop_front();
    while let Some(task) = next() {
        task.poll();
    }
}

/// The reactor's thread, for each event.
fn set_ready_repaired(stdin: &Stdin) {
    stdin.is_ready.store(true, SeqCst);
    let waker = stdin.waker.lock().unwrap().take();
    if let Some(waker) = waker {
        waker.wake();
    }
}
// ANCHOR_END: repaired

fn poll(stdin: &Stdin, cx: &mut Context<'_>, before_pending: impl FnOnce()) -> Poll<()> {
    if stdin.is_ready.load(SeqCst) {
        return Poll::Ready(());
    }
    before_pending();
    *stdin.waker.lock().unwrap() = Some(cx.waker().clone());
    Poll::Pending
}

fn show(run: fn(&Queue), set_ready: fn(&Stdin)) {
    let queue = Arc::new(Queue::default());
    let stdin = Arc::new(Stdin::default());
    let meet = Arc::new(Barrier::new(2));
    let (input, meet_in_poll) = (Arc::clone(&stdin), Arc::clone(&meet));
    let mut polls = 0;
    let future = std::future::poll_fn(move |cx| {
        polls += 1;
        poll(&input, cx, || {
            // During the second poll the event comes.
            if polls == 2 {
                let input = Arc::clone(&input);
                let reactor = thread::Builder::new().name("reactor".to_owned());
                reactor.spawn(move || set_ready(&input)).unwrap();
                meet_in_poll.wait();
            }
        })
    });
    let wakes = Arc::clone(&queue);
    let task = Task::new(probe::watch("stdin", future), move |task| {
        meet.wait();
        wakes.lock().unwrap().push_back(task);
    });
    task.poll();
    // Not woken by its input: `join` polls all its futures, so each of them must expect a poll without a reason.
    queue.lock().unwrap().push_back(Arc::clone(&task));
    run(&queue);
    // The wake may come after the queue was found empty.
    while task.future.lock().unwrap().is_some() {
        run(&queue);
        thread::yield_now();
    }
    println!("the task is done");
}
