//! Leaf futures that are bound to one thread: they are made, polled, triggered and dropped there, whichever thread asks for it.

mod bound;
mod closures;
mod kept;

use std::sync::{Arc, OnceLock};

use crate::home::{Home, LocalBoxFuture};

pub(crate) use kept::Kept;

/// A thread for leaf futures that are not `Send`, because they share an `Rc` with what makes them ready, or because their driver belongs
/// to its thread. Its methods are those of [`Subject`](crate::Subject). Their closures are called on that thread alone, and what they
/// return stays there, so nothing has to be `Send`.
///
/// ```
/// use std::{cell::RefCell, future::poll_fn, rc::Rc, task::{Poll, Waker}};
///
/// use futures::executor::block_on;
/// use runtime_contract::{Local, Side, leaf_clauses};
///
/// let subject = Local::on(block_on).once("flag", || {
///     let flag = Rc::new(RefCell::new((false, None::<Waker>)));
///     let sets = flag.clone();
///     let waits = poll_fn(move |cx| {
///         let (set, waker) = &mut *flag.borrow_mut();
///         *waker = Some(cx.waker().clone());
///         if *set { Poll::Ready(()) } else { Poll::Pending }
///     });
///     let set = move || {
///         sets.borrow_mut().0 = true;
///         let waker = sets.borrow_mut().1.take(); // the borrow ends here: the wake may drop the future
///         waker.into_iter().for_each(Waker::wake);
///     };
///     (waits, set)
/// });
///
/// let Side::Leaf(flag) = subject.side else { unreachable!() };
/// assert_eq!(leaf_clauses::wake::dropped_in_its_wake(flag), Ok(()));
/// ```
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "a thread shows nothing")]
pub struct Local(Arc<Place>);

struct Place {
    block_on: Box<dyn Fn(LocalBoxFuture) + Send + Sync>,
    home: OnceLock<Home>,
}

impl Local {
    /// `block_on` runs a future where these leaf futures can be made and polled, such as inside the runtime that drives them. It is
    /// called once, on a thread of its own, and that future never ends. For those that need no driver, any `block_on` will do.
    pub fn on(block_on: impl Fn(LocalBoxFuture) + Send + Sync + 'static) -> Local {
        Local(Arc::new(Place {
            block_on: Box::new(block_on),
            home: OnceLock::new(),
        }))
    }

    /// The thread is started when it is first needed.
    pub(crate) fn home(&self) -> &Home {
        let place = self.0.clone();
        let start = || Home::start(move |future| (place.block_on)(future));
        self.0.home.get_or_init(start)
    }
}
