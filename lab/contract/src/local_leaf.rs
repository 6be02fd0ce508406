//! What a leaf future that is bound to its thread must be able to do to be put under the contract.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use crate::{
    Answer, BoxFuture, Leaf, NotItsJob, Trigger,
    home::{Home, Kept, keep},
    leaf::{THIRTY_YEARS, timer_by_trigger},
};

/// A leaf future that is bound to its thread.
pub type LocalBoxFuture = Pin<Box<dyn Future<Output = ()>>>;

/// Makes a leaf future ready, on the thread of that future.
pub type LocalTrigger = Box<dyn FnOnce()>;

/// A leaf future under test that is not `Send`: it shares an `Rc` with what makes it ready, or its driver belongs to the thread.
/// [`Local`] makes a [`Leaf`] of it.
pub trait LocalLeaf: Sync {
    /// Runs a future to its end where these leaf futures can be made and polled: the `block_on` of their runtime, or any other
    /// one if they need no driver. It is called once, on a thread of its own, and that future never ends.
    fn block_on(&self, future: LocalBoxFuture);

    /// As [`Leaf::timer`]. It is called on the thread of `block_on`, while that runs.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`] if it cannot be asked for such a time.
    fn timer(&self, _after: Duration) -> Answer<LocalBoxFuture> {
        Err(NotItsJob)
    }

    /// As [`Leaf::pending`]. It is called on the thread of `block_on`, while that runs, and so is what it returns.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`] if only time makes it ready.
    fn pending(&self) -> Answer<(LocalBoxFuture, LocalTrigger)> {
        Err(NotItsJob)
    }

    /// As [`Leaf::longest`].
    fn longest(&self) -> Duration {
        THIRTY_YEARS
    }
}

/// A leaf future that stays on its thread, and is made, polled, triggered and dropped there, whichever thread asks for it.
///
/// ```
/// use std::{cell::RefCell, future::poll_fn, rc::Rc, task::{Poll, Waker}};
///
/// use futures::executor::block_on;
/// use runtime_contract::{Answer, Local, LocalBoxFuture, LocalLeaf, LocalTrigger, leaf_clauses};
///
/// struct Flag;
///
/// impl LocalLeaf for Flag {
///     fn block_on(&self, future: LocalBoxFuture) {
///         block_on(future);
///     }
///
///     fn pending(&self) -> Answer<(LocalBoxFuture, LocalTrigger)> {
///         let flag = Rc::new(RefCell::new((false, None::<Waker>)));
///         let sets = flag.clone();
///         let waits = poll_fn(move |cx| {
///             let (set, waker) = &mut *flag.borrow_mut();
///             *waker = Some(cx.waker().clone());
///             if *set { Poll::Ready(()) } else { Poll::Pending }
///         });
///         let trigger = move || {
///             sets.borrow_mut().0 = true;
///             let waker = sets.borrow_mut().1.take(); // the borrow ends here: the wake may drop the future
///             waker.into_iter().for_each(Waker::wake);
///         };
///         Ok((Box::pin(waits), Box::new(trigger)))
///     }
/// }
///
/// static FLAG: Local = Local::new(&Flag);
///
/// assert_eq!(leaf_clauses::wake::dropped_in_its_wake(&FLAG), Ok(()));
/// ```
#[expect(missing_debug_implementations, reason = "a thread shows nothing")]
pub struct Local {
    leaf: &'static dyn LocalLeaf,
    home: OnceLock<Arc<Home>>,
}

impl Local {
    /// The thread is started when it is first needed.
    pub const fn new(leaf: &'static dyn LocalLeaf) -> Local {
        let home = OnceLock::new();
        Local { leaf, home }
    }

    fn thread(&self) -> &Arc<Home> {
        self.home.get_or_init(|| Arc::new(Home::start(self.leaf)))
    }
}

impl Leaf for Local {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let (home, leaf) = (self.thread(), self.leaf);
        let timer = home.run(move || leaf.timer(after).map(keep));
        match timer {
            Ok(id) => Ok(Box::pin(Kept::at(home, id))),
            Err(NotItsJob) => timer_by_trigger(self, after),
        }
    }

    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (home, leaf) = (self.thread(), self.leaf);
        let (future, trigger) = home.run(move || {
            let (future, trigger) = leaf.pending()?;
            Ok((keep(future), keep(trigger)))
        })?;
        let (future, trigger) = (Kept::at(home, future), Kept::at(home, trigger));
        Ok((Box::pin(future), Box::new(move || trigger.call())))
    }

    fn longest(&self) -> Duration {
        self.leaf.longest()
    }

    fn home(&self) -> Option<&Home> {
        Some(self.thread())
    }
}
