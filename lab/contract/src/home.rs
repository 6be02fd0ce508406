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
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{self, Receiver, SyncSender},
    },
    task::{Context, Poll, Waker},
    thread::{self, ThreadId},
};

use futures_util::task::AtomicWaker;

use crate::{LocalBoxFuture, LocalLeaf, LocalTrigger, caught, lock::lock};

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

/// A future that stays on this thread and is polled here, in one that may be sent.
pub(crate) struct KeptHere(u64);

impl KeptHere {
    pub(crate) fn new(future: impl Future<Output = ()> + 'static) -> KeptHere {
        let future: LocalBoxFuture = Box::pin(future);
        KeptHere(keep(future))
    }
}

impl Future for KeptHere {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        poll(self.0, cx.waker())
    }
}

impl Drop for KeptHere {
    fn drop(&mut self) {
        drop(take(self.0));
    }
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

/// A thread that runs the leaf's `block_on`.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "nobody outside sees it")]
pub struct Home {
    thread: ThreadId,
    line: Mutex<Line>,
    asked: Arc<AtomicWaker>,
}

/// One asks at a time. These channels have room for one, and allocate nothing when they are used.
struct Line {
    asks: SyncSender<Ask>,
    answers: Receiver<Result<Poll<()>, String>>,
}

enum Ask {
    Poll(u64, Waker),
    Run(Box<dyn FnOnce() + Send>),
}

const ENDED: &str =
    "the thread of the leaf future has ended: its `block_on` has returned or panicked";

impl Home {
    pub(crate) fn start(leaf: &'static dyn LocalLeaf) -> Home {
        let (asks, asked_for) = mpsc::sync_channel(1);
        let (answer, answers) = mpsc::sync_channel(1);
        let asked = Arc::new(AtomicWaker::new());
        let registers = asked.clone();
        let does = poll_fn(move |cx| {
            registers.register(cx.waker());
            for ask in asked_for.try_iter() {
                let does = AssertUnwindSafe(|| match ask {
                    Ask::Poll(id, waker) => poll(id, &waker),
                    Ask::Run(run) => {
                        run();
                        Poll::Ready(())
                    }
                });
                let _ = answer.send(caught(does));
            }
            Poll::Pending
        });
        let thread = thread::spawn(move || leaf.block_on(Box::pin(does)));
        Home {
            thread: thread.thread().id(),
            line: Mutex::new(Line { asks, answers }),
            asked,
        }
    }

    fn is_here(&self) -> bool {
        thread::current().id() == self.thread
    }

    fn ask(&self, ask: Ask) -> Result<Poll<()>, String> {
        let line = lock(&self.line);
        let _ = line.asks.send(ask);
        self.asked.wake();
        line.answers
            .recv()
            .unwrap_or_else(|_| Err(ENDED.to_owned()))
    }

    /// Runs this on the thread.
    pub(crate) fn run<T: Send + 'static>(&self, run: impl FnOnce() -> T + Send + 'static) -> T {
        if self.is_here() {
            return run();
        }
        let (tell, told) = mpsc::channel();
        let tells = move || drop(tell.send(run()));
        match self.ask(Ask::Run(Box::new(tells))) {
            Ok(_) => told.recv().expect("it has run"),
            Err(message) => resume_unwind(Box::new(message)),
        }
    }
}

/// What stays on its thread, for use on any.
pub(crate) struct Kept {
    home: Arc<Home>,
    id: u64,
}

impl Kept {
    pub(crate) fn new(home: &Arc<Home>, id: u64) -> Kept {
        let home = home.clone();
        Kept { home, id }
    }

    /// Calls what is kept, a trigger.
    pub(crate) fn call(&self) {
        let id = self.id;
        self.home.run(move || {
            let kept = take(id).and_then(|kept| kept.downcast::<LocalTrigger>().ok());
            kept.into_iter().for_each(|trigger| trigger());
        });
    }
}

impl Future for Kept {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.home.is_here() {
            return poll(self.id, cx.waker());
        }
        let polled = self.home.ask(Ask::Poll(self.id, cx.waker().clone()));
        polled.unwrap_or_else(|message| resume_unwind(Box::new(message)))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let id = self.id;
        if self.home.is_here() {
            drop(take(id));
            return;
        }
        let dropped = self.home.ask(Ask::Run(Box::new(move || drop(take(id)))));
        if let (Err(message), false) = (dropped, thread::panicking()) {
            resume_unwind(Box::new(message));
        }
    }
}
