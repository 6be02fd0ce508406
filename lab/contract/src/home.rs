//! The thread on which leaf futures live that are bound to one: they are made, polled, triggered and dropped there, whichever
//! thread asks for it.

use std::{
    any::Any,
    cell::RefCell,
    collections::HashMap,
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, resume_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{self, Sender},
    },
    task::{Context, Poll, Waker},
    thread::{self, ThreadId},
};

use futures_util::task::AtomicWaker;

use crate::{LocalBoxFuture, LocalLeaf, LocalTrigger, caught};

thread_local! {
    /// What stays on this thread.
    static KEPT: RefCell<HashMap<u64, Box<dyn Any>>> = RefCell::default();
}

pub(crate) fn keep(what: impl Any) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = NEXT.fetch_add(1, Relaxed);
    KEPT.with_borrow_mut(|kept| kept.insert(id, Box::new(what)));
    id
}

fn take(id: u64) -> Option<Box<dyn Any>> {
    KEPT.with_borrow_mut(|kept| kept.remove(&id))
}

/// Polls what is kept. Meanwhile it is not in the map, which a waker may need.
fn poll(id: u64, waker: &Waker) -> Poll<()> {
    let mut kept = take(id).expect("it is polled on its thread, and not by itself");
    let future = kept.downcast_mut::<LocalBoxFuture>().expect("a future");
    let mut cx = Context::from_waker(waker);
    let polled = caught(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)));
    KEPT.with_borrow_mut(|all| all.insert(id, kept));
    polled.unwrap_or_else(|message| resume_unwind(Box::new(message)))
}

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
    pub(crate) fn start(leaf: &'static dyn LocalLeaf) -> Home {
        let (asks, asked_for) = mpsc::channel::<Ask>();
        let asked = Arc::new(AtomicWaker::new());
        let registers = asked.clone();
        let does = poll_fn(move |cx| {
            registers.register(cx.waker());
            asked_for.try_iter().for_each(|ask| ask());
            Poll::Pending
        });
        let thread = thread::spawn(move || leaf.block_on(Box::pin(does)));
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

/// What stays on its thread, for use on any. Without a home it may be used on its thread alone.
pub(crate) struct Kept {
    home: Option<Arc<Home>>,
    id: u64,
}

impl Kept {
    pub(crate) fn at(home: &Arc<Home>, id: u64) -> Kept {
        let home = Some(home.clone());
        Kept { home, id }
    }

    pub(crate) fn here(future: impl Future<Output = ()> + 'static) -> Kept {
        let future: LocalBoxFuture = Box::pin(future);
        let (home, id) = (None, keep(future));
        Kept { home, id }
    }

    fn run<T: Send + 'static>(&self, run: impl FnOnce(u64) -> T + Send + 'static) -> T {
        let id = self.id;
        match &self.home {
            Some(home) => home.run(move || run(id)),
            None => run(id),
        }
    }

    /// Calls what is kept, a trigger.
    pub(crate) fn call(&self) {
        self.run(|id| {
            let kept = take(id).and_then(|kept| kept.downcast::<LocalTrigger>().ok());
            kept.into_iter().for_each(|trigger| trigger());
        });
    }
}

impl Future for Kept {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        self.run(move |id| poll(id, &waker))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let dropped = caught(AssertUnwindSafe(|| self.run(|id| drop(take(id)))));
        if let (Err(message), false) = (dropped, thread::panicking()) {
            resume_unwind(Box::new(message));
        }
    }
}
