//! A thread on which futures live that are not `Send`.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, resume_unwind},
    pin::Pin,
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    task::Poll,
    thread::{self, ThreadId},
};

use futures_util::task::AtomicWaker;

use crate::caught;

/// A leaf future that is bound to its thread.
pub type LocalBoxFuture = Pin<Box<dyn Future<Output = ()>>>;

type Ask = Box<dyn FnOnce() + Send>;

/// A thread that runs the leaf's `block_on`.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "nobody outside sees it")]
pub struct Home {
    thread: ThreadId,
    asks: Sender<Ask>,
    asked: Arc<AtomicWaker>,
}

const ENDED: &str =
    "the thread of the leaf future has ended: its `block_on` has returned or panicked";

impl Home {
    pub(crate) fn start(block_on: impl FnOnce(LocalBoxFuture) + Send + 'static) -> Home {
        let (asks, asked_for) = mpsc::channel::<Ask>();
        let asked = Arc::new(AtomicWaker::new());
        let registers = asked.clone();
        let does = poll_fn(move |cx| {
            registers.register(cx.waker());
            asked_for.try_iter().for_each(|ask| ask());
            Poll::Pending
        });
        let thread = thread::spawn(move || block_on(Box::pin(does)));
        Home {
            thread: thread.thread().id(),
            asks,
            asked,
        }
    }

    /// Runs this on the thread.
    pub(crate) fn run<T: Send + 'static>(&self, run: impl FnOnce() -> T + Send + 'static) -> T {
        if thread::current().id() == self.thread {
            return run();
        }
        let (tell, told) = mpsc::channel();
        let tells = move || drop(tell.send(caught(AssertUnwindSafe(run))));
        let _ = self.asks.send(Box::new(tells));
        self.asked.wake();
        let ran = told.recv().unwrap_or_else(|_| Err(ENDED.to_owned()));
        ran.unwrap_or_else(|message| resume_unwind(Box::new(message)))
    }
}
