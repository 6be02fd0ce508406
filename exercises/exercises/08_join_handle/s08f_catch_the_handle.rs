//! s08f · prove · 15 minutes · chapter 08, "Join handles and worker threads"
//!
//! Here you write the test. `check` is given a worker and its join handles. It has to panic if they break a promise of
//! `Handle`, and to let the good ones pass. The broken ones forget to wake, let an abort take an output that was there
//! already, cancel a task when its handle is dropped, or keep an output that no code can get any more.
//!
//! Run: `cargo test --bin s08f_catch_the_handle`, or save this file while `rustlings` runs.
//! Red: a test says which handles your check did not catch, or that it refused the good ones. A check that hangs has not caught
//! them, because it does not say what is broken.

use probe::{Counted, CountingWaker, Counts};
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

/// What a task gives out. If you keep a clone, `Arc::strong_count` says whether the task's output was dropped.
type Output = Arc<()>;

/// What the check is given: one worker, which works only when you call `work`.
trait Worker {
    fn spawn(&self, future: Pin<Box<dyn Future<Output = Output> + Send>>) -> BoxedHandle;

    /// Polls the tasks that are in the queue, until it is empty.
    fn work(&self);
}

/// A join handle. It promises:
///
/// 1. If the handle was pending, the waker of its *latest* poll is called when the task finishes.
/// 2. Then the handle is ready, with `Some(output)`. An `abort` after the task has finished does not change that.
/// 3. If the handle is dropped, the task runs on, and its output is dropped when it finishes. If it has finished already,
///    its output is dropped with the handle.
trait Handle: Future<Output = Option<Output>> {
    fn abort(&self);
}

type BoxedHandle = Pin<Box<dyn Handle>>;

/// Panics if these handles break a promise.
fn check(worker: &dyn Worker) {
    let mut handle = worker.spawn(Box::pin(async { Arc::new(()) }));
    worker.work();
    let answer = poll(&mut handle, &CountingWaker::new());
    assert!(matches!(answer, Poll::Ready(Some(_))), "no output");
    // TODO: most of what is promised is not checked yet.
}

/// Polls the handle, in a task that this waker wakes.
fn poll(handle: &mut BoxedHandle, task: &CountingWaker) -> Poll<Option<Output>> {
    handle
        .as_mut()
        .poll(&mut Context::from_waker(&task.waker()))
}

fn main() {}

#[cfg(test)]
mod tests {
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
        NeverWakes,
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
            let waker = match self.kind {
                Kind::NeverWakes => Waker::noop(),
                _ => cx.waker(),
            };
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
            Verdict::Passes => return,
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
}
