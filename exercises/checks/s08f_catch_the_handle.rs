use super::*;
use std::{
    cell::{Cell, RefCell},
    panic,
    rc::Rc,
    sync::{
        Once,
        mpsc::{self, RecvTimeoutError},
    },
    task::Waker,
    thread,
    time::Duration,
};
use step08_join_handle::{JoinHandle, Queue, Runnable, spawn_on};

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Good,
    /// Correct, and wakes for nothing.
    WakesInEachPoll,
    NeverWakes,
    KeepsTheFirstWaker,
    AbortTakesTheOutput,
    CancelsWhenDropped,
    KeepsIfDroppedBefore,
    KeepsIfDroppedAfter,
}

/// The stage's own tasks and handles, with a mistake.
struct Subject {
    kind: Kind,
    queue: Arc<Queue<Runnable>>,
    /// Handles that were dropped, but not by all.
    kept: Rc<RefCell<Vec<JoinHandle<Output>>>>,
}

impl Worker for Subject {
    fn spawn(&self, future: Pin<Box<dyn Future<Output = Output> + Send>>) -> BoxedHandle {
        let (task, handle) = spawn_on(&self.queue, future);
        self.queue.push(task);
        Box::pin(SubjectHandle {
            kind: self.kind,
            handle: Some(handle),
            aborted: Cell::new(false),
            first: None,
            kept: Rc::clone(&self.kept),
        })
    }

    fn work(&self) {
        while let Some(task) = self.queue.try_pop() {
            task.run();
        }
    }
}

struct SubjectHandle {
    kind: Kind,
    handle: Option<JoinHandle<Output>>,
    aborted: Cell<bool>,
    first: Option<Waker>,
    kept: Rc<RefCell<Vec<JoinHandle<Output>>>>,
}

impl Handle for SubjectHandle {
    fn abort(&self) {
        self.aborted.set(true);
        self.handle.as_ref().unwrap().abort();
    }
}

impl Future for SubjectHandle {
    type Output = Option<Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let first = self.first.get_or_insert_with(|| cx.waker().clone()).clone();
        let waker = match self.kind {
            Kind::NeverWakes => Waker::noop(),
            Kind::KeepsTheFirstWaker => &first,
            _ => cx.waker(),
        };
        if self.kind == Kind::WakesInEachPoll {
            waker.wake_by_ref();
        }
        let handle = Pin::new(self.handle.as_mut().unwrap());
        let answer = handle.poll(&mut Context::from_waker(waker));
        let taken = self.kind == Kind::AbortTakesTheOutput && self.aborted.get();
        answer.map(|result| result.ok().filter(|_| !taken))
    }
}

impl Drop for SubjectHandle {
    fn drop(&mut self) {
        let handle = self.handle.take().unwrap();
        match (self.kind, handle.is_finished()) {
            (Kind::CancelsWhenDropped, _) => handle.abort(),
            (Kind::KeepsIfDroppedBefore, false) | (Kind::KeepsIfDroppedAfter, true) => {
                self.kept.borrow_mut().push(handle);
            }
            _ => {}
        }
    }
}

#[derive(PartialEq)]
enum Verdict {
    Passes,
    Panics,
    Hangs,
}

/// The name of a thread whose panic prints nothing.
const QUIET: &str = "quiet";

/// What `check` says. A thread that hangs in it is left behind.
fn verdict(kind: Kind, thread: &str) -> Verdict {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(QUIET) {
                print(info);
            }
        }));
    });
    let (over, is_over) = mpsc::channel();
    let thread = thread::Builder::new().name(thread.into());
    let checks = move || {
        check(&Subject {
            kind,
            queue: Arc::new(Queue::new()),
            kept: Rc::default(),
        });
        over.send(()).unwrap();
    };
    thread.spawn(checks).unwrap();
    match is_over.recv_timeout(Duration::from_secs(2)) {
        Ok(()) => Verdict::Passes,
        Err(RecvTimeoutError::Timeout) => Verdict::Hangs,
        Err(RecvTimeoutError::Disconnected) => Verdict::Panics,
    }
}

fn passes() {
    let complaint = match verdict(Kind::Good, "check") {
        Verdict::Passes if verdict(Kind::WakesInEachPoll, QUIET) == Verdict::Passes => return,
        Verdict::Passes => {
            "it refused handles that keep every promise and also wake for nothing, which costs a poll and breaks none."
        }
        Verdict::Panics => "it panicked, with the message above.",
        Verdict::Hangs => {
            "it did not return within two seconds. Maybe it waits for a task, and does not call `work`."
        }
    };
    panic!(
        "your check refused the good handles: {complaint}\n\
         Look at: which line asks for more than `Handle` promises, or asks too early?"
    );
}

fn is_caught(kind: Kind, which: &str, how: &str) {
    assert!(
        verdict(Kind::Good, QUIET) == Verdict::Passes,
        "not tried yet, because your check refuses the good handles. See `the_good_ones_pass`."
    );
    let verdict = verdict(kind, QUIET);
    // Once more, because the answer of a check must not depend on how often it was called.
    passes();
    assert!(
        verdict != Verdict::Hangs,
        "your check did not return within two seconds when it was given handles that {which}. A check that hangs does \
         not say what is broken.\n\
         Look at: what does your loop wait for? Call `work` once, and assert what has to be true after it."
    );
    assert!(
        verdict == Verdict::Panics,
        "your check did not catch the handles that {which}. {how}"
    );
}

#[test]
fn the_good_ones_pass() {
    passes();
}

#[test]
fn those_that_never_wake_are_caught() {
    is_caught(
        Kind::NeverWakes,
        "never wake",
        "Poll the handle while the task has not run yet, and see whether your task is woken when it has.",
    );
}

#[test]
fn those_that_keep_the_first_waker_are_caught() {
    is_caught(
        Kind::KeepsTheFirstWaker,
        "wake the task that polled them first",
        "Poll the handle in two tasks, one after the other, before the task runs. Which of them has to be woken?",
    );
}

#[test]
fn those_that_lose_the_output_to_an_abort_are_caught() {
    is_caught(
        Kind::AbortTakesTheOutput,
        "have no output if they are aborted after the task has finished",
        "Abort the task between its end and the poll of the handle.",
    );
}

#[test]
fn those_that_cancel_when_they_are_dropped_are_caught() {
    is_caught(
        Kind::CancelsWhenDropped,
        "cancel the task when they are dropped",
        "Drop one before its task has run, and see whether the future is polled to its end.",
    );
}

#[test]
fn those_that_keep_the_output_are_caught() {
    is_caught(
        Kind::KeepsIfDroppedBefore,
        "keep the output if they are dropped before the task finishes",
        "Drop one before its task has run. After that, how many clones of the output are left?",
    );
    is_caught(
        Kind::KeepsIfDroppedAfter,
        "keep the output if they are dropped after the task has finished",
        "Drop one after its task has run. How many clones of the output are left?",
    );
}
