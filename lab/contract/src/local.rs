//! Leaf futures that are bound to one thread: they are made, polled, triggered and dropped there, whichever thread asks for it.

use std::{
    cell::RefCell,
    collections::HashMap,
    future::Future,
    panic::{AssertUnwindSafe, resume_unwind},
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use crate::{
    Answer, BoxFuture, Leaf, NotItsJob, Trigger, caught,
    home::{Home, LocalBoxFuture},
    leaf::timer_by_trigger,
};

/// Makes a leaf future ready, on the thread of that future.
pub type LocalTrigger = Box<dyn FnOnce()>;

/// A leaf future that is not `Send`, because it shares an `Rc` with what makes it ready, or because its driver belongs to its
/// thread. It is made of functions that are called on one thread, for which any thread may ask.
///
/// ```
/// use std::{cell::RefCell, future::poll_fn, rc::Rc, task::{Poll, Waker}};
///
/// use futures::executor::block_on;
/// use runtime_contract::{Local, leaf_clauses};
///
/// static FLAG: Local = Local::pending(block_on, || {
///     let flag = Rc::new(RefCell::new((false, None::<Waker>)));
///     let sets = flag.clone();
///     let waits = poll_fn(move |cx| {
///         let (set, waker) = &mut *flag.borrow_mut();
///         *waker = Some(cx.waker().clone());
///         if *set { Poll::Ready(()) } else { Poll::Pending }
///     });
///     let trigger = move || {
///         sets.borrow_mut().0 = true;
///         let waker = sets.borrow_mut().1.take(); // the borrow ends here: the wake may drop the future
///         waker.into_iter().for_each(Waker::wake);
///     };
///     (Box::pin(waits), Box::new(trigger))
/// });
///
/// assert_eq!(leaf_clauses::wake::dropped_in_its_wake(&FLAG), Ok(()));
/// ```
#[expect(missing_debug_implementations, reason = "a thread shows nothing")]
pub struct Local {
    block_on: fn(LocalBoxFuture),
    make: Make,
    home: OnceLock<Arc<Home>>,
}

#[derive(Clone, Copy)]
enum Make {
    Timer(fn(Duration) -> LocalBoxFuture),
    Pending(fn() -> (LocalBoxFuture, LocalTrigger)),
}

impl Local {
    /// A timer, as in [`Leaf::timer`]. `block_on` runs a future where these timers can be made and polled. It is called once,
    /// on a thread of its own, and that future never ends.
    pub const fn timer(
        block_on: fn(LocalBoxFuture),
        timer: fn(Duration) -> LocalBoxFuture,
    ) -> Local {
        Local::new(block_on, Make::Timer(timer))
    }

    /// Anything else, as in [`Leaf::pending`]. Where it needs no driver, any `block_on` will do.
    pub const fn pending(
        block_on: fn(LocalBoxFuture),
        pending: fn() -> (LocalBoxFuture, LocalTrigger),
    ) -> Local {
        Local::new(block_on, Make::Pending(pending))
    }

    const fn new(block_on: fn(LocalBoxFuture), make: Make) -> Local {
        Local {
            block_on,
            make,
            home: OnceLock::new(),
        }
    }

    /// The thread is started when it is first needed.
    fn home(&self) -> &Arc<Home> {
        self.home
            .get_or_init(|| Arc::new(Home::start(self.block_on)))
    }
}

impl Leaf for Local {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let Make::Timer(timer) = self.make else {
            return timer_by_trigger(self, after);
        };
        let id = self.home().run(move || keep(timer(after)));
        Ok(Box::pin(Kept::at(self.home(), id)))
    }

    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let Make::Pending(pending) = self.make else {
            return Err(NotItsJob);
        };
        let (future, trigger) = self.home().run(move || {
            let (future, trigger) = pending();
            (keep(future), keep(Box::pin(async { trigger() })))
        });
        let (future, mut trigger) = (
            Kept::at(self.home(), future),
            Kept::at(self.home(), trigger),
        );
        let trigger = move || _ = trigger.poll_with(Waker::noop());
        Ok((Box::pin(future), Box::new(trigger)))
    }

    fn home(&self) -> Option<&Home> {
        Some(self.home())
    }
}

thread_local! {
    /// What stays on this thread.
    static KEPT: RefCell<HashMap<u64, LocalBoxFuture>> = RefCell::default();
}

fn keep(future: LocalBoxFuture) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = NEXT.fetch_add(1, Relaxed);
    KEPT.with_borrow_mut(|kept| kept.insert(id, future));
    id
}

fn take(id: u64) -> Option<LocalBoxFuture> {
    KEPT.with_borrow_mut(|kept| kept.remove(&id))
}

/// What stays on its thread, for use on any. Without a home it may be used on its thread alone.
pub(crate) struct Kept {
    home: Option<Arc<Home>>,
    id: u64,
}

impl Kept {
    fn at(home: &Arc<Home>, id: u64) -> Kept {
        let home = Some(home.clone());
        Kept { home, id }
    }

    pub(crate) fn here(future: impl Future<Output = ()> + 'static) -> Kept {
        let (home, id) = (None, keep(Box::pin(future)));
        Kept { home, id }
    }

    fn run<T: Send + 'static>(&self, run: impl FnOnce(u64) -> T + Send + 'static) -> T {
        let id = self.id;
        match &self.home {
            Some(home) => home.run(move || run(id)),
            None => run(id),
        }
    }

    /// Meanwhile it is not in the map, because a waker may need that.
    fn poll_with(&mut self, waker: &Waker) -> Poll<()> {
        let waker = waker.clone();
        self.run(move |id| {
            let mut kept = take(id).expect("it is polled on its thread, and not by itself");
            let mut cx = Context::from_waker(&waker);
            let polled = caught(AssertUnwindSafe(|| kept.as_mut().poll(&mut cx)));
            KEPT.with_borrow_mut(|all| all.insert(id, kept));
            polled.unwrap_or_else(|message| resume_unwind(Box::new(message)))
        })
    }
}

impl Future for Kept {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_with(cx.waker())
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
