//! What the contract doesn't ask: counts, and what happens at every moment between two steps of your runtime. Each check is a function
//! that panics or hangs if your runtime doesn't keep it.

mod block_on;
mod handles;
pub mod http;
mod moments;
mod sockets;
mod tasks;
mod timers;
mod workers;

use std::{
    future::{Future, poll_fn},
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Poll, Waker},
    time::Duration,
};

use probe::watch;
use yours::{Runtime, spawn};

pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) run: fn(),
    /// Where to look if it isn't kept, in place of the watchdog's advice, which knows nothing of the check.
    pub(crate) look: Option<&'static str>,
}

impl Check {
    const fn new(name: &'static str, run: fn()) -> Check {
        Check {
            name,
            run,
            look: None,
        }
    }

    const fn look(mut self, at: &'static str) -> Check {
        self.look = Some(at);
        self
    }
}

/// The checks of each rung, from the first on.
pub(crate) const OF_RUNGS: [&[Check]; 9] = [
    block_on::CHECKS,
    tasks::CHECKS,
    timers::A_THREAD_EACH,
    timers::NO_THREAD,
    handles::OUTPUT,
    handles::ABORT,
    sockets::CHECKS,
    workers::CHECKS,
    http::CHECKS,
];

pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    OF_RUNGS.into_iter().flatten()
}

const MOMENT: Duration = Duration::from_millis(30);

/// Runs a root future, which the watchdog watches, on a runtime of its own.
fn run<F: Future>(root: F) -> F::Output {
    Runtime::new(1).block_on(watch("the root future", root))
}

/// How many more threads there are after `f` than before.
fn threads_left_by(f: impl FnOnce()) -> usize {
    let before = probe::threads().unwrap_or(0);
    f();
    // A thread that was joined may still be counted for a moment.
    let now = || probe::threads().unwrap_or(0).saturating_sub(before);
    for _ in 0..50 {
        if now() == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    now()
}

/// Where a future leaves its waker.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Option<Waker>>>);

impl Kept {
    fn put(&self, waker: &Waker) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = kept.replace(waker.clone());
        drop(kept);
        drop(old);
    }

    fn take(&self) -> Option<Waker> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Calls the waker, if there is one.
    fn wake(&self) {
        self.take().into_iter().for_each(Waker::wake);
    }
}

/// Pending once. In that poll, `act` gets the waker.
async fn pending_once(act: impl FnOnce(&Waker)) {
    let mut act = Some(act);
    poll_fn(|cx| match act.take() {
        Some(act) => {
            act(cx.waker());
            Poll::Pending
        }
        None => Poll::Ready(()),
    })
    .await;
}

/// Lets others go first, once.
async fn yield_now() {
    pending_once(Waker::wake_by_ref).await;
}

/// A task that never ends and has been polled once: its waker, and how often it was polled.
async fn waiting_task() -> (Waker, Arc<AtomicUsize>) {
    let (kept, polls) = (Kept::default(), Arc::new(AtomicUsize::new(0)));
    let (keeps, counts) = (kept.clone(), polls.clone());
    spawn(poll_fn(move |cx| {
        keeps.put(cx.waker());
        counts.fetch_add(1, SeqCst);
        Poll::<()>::Pending
    }));
    while polls.load(SeqCst) == 0 {
        yield_now().await;
    }
    let waker = kept.take().expect("the task was polled");
    (waker, polls)
}

/// Sets the flag when it is dropped.
struct Ends(Option<futures::channel::oneshot::Sender<()>>);

impl Drop for Ends {
    fn drop(&mut self) {
        mem::take(&mut self.0).map(|end| end.send(()));
    }
}
