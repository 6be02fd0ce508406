//! What a leaf future must be able to do to be put under the contract.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    thread,
    time::Duration,
};

use crate::{Answer, BoxFuture, NotItsJob, home::Home};

/// Longer than any test will wait, and short enough for most clocks.
pub(crate) const THIRTY_YEARS: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// A leaf future under test: one that waits for something outside. A timer says how it is made by [`timer`](Leaf::timer);
/// a channel, a lock or an event by [`pending`](Leaf::pending). One that is not `Send` is a [`Local`](crate::Local).
pub trait Leaf: Sync {
    /// Makes a future that is ready once `after` has passed, counted from now or from its first poll. Without a clock of its
    /// own, a thread calls the trigger of [`pending`](Leaf::pending) then.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`](crate::NotItsJob) if it cannot be asked for such a time.
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        timer_by_trigger(self, after)
    }

    /// Makes a future that is pending, and what makes it ready, which may be called on any thread. Where there is a
    /// [`queue`](Leaf::queue), or there are [`waiters`](Leaf::waiters), it is made of one of these.
    ///
    /// ```
    /// use futures::channel::oneshot;
    /// use runtime_contract::{Answer, BoxFuture, Leaf, Trigger, leaf, leaf_clauses};
    ///
    /// struct Oneshot;
    ///
    /// impl Leaf for Oneshot {
    ///     fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
    ///         let (sender, receiver) = oneshot::channel();
    ///         Ok((leaf(receiver), Box::new(|| drop(sender.send(7)))))
    ///     }
    /// }
    ///
    /// assert_eq!(leaf_clauses::wake::the_latest_waker(&Oneshot), Ok(()));
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotItsJob`](crate::NotItsJob) if only time makes it ready.
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        if let Ok((receives, mut put)) = self.queue() {
            return Ok((receives, Box::new(move || put(Arc::default()))));
        }
        let (mut waiters, give) = self.waiters(1)?;
        Ok((waiters.remove(0), Box::new(give)))
    }

    /// Makes a future that owns the only receiver of an empty channel and waits for a message, and what puts a message into that
    /// channel, which must have room for three.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`] if it is no channel, or one that takes no such messages.
    fn queue(&self) -> Answer<(BoxFuture, Put)> {
        Err(NotItsJob)
    }

    /// The longest time that it may be asked for: 30 years, unless its documentation names a shorter one. An hour is long
    /// enough for every test.
    fn longest(&self) -> Duration {
        THIRTY_YEARS
    }

    /// Makes so many of them with a driver that nothing else uses, and what ends that driver.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`] if each has its own, or if all of the process share one that never ends.
    fn timers_and_end(&self, _after: Duration, _count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        Err(NotItsJob)
    }

    /// Makes so many that wait for one thing, such as a lock, a permit or a message, and what gives that to one of them, or leaves it
    /// for the next to come if none waits. It may be called on any thread.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`] if each waits for something of its own, or if all are given what is there.
    fn waiters(&self, _count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        Err(NotItsJob)
    }

    /// Makes a timer, and what gives it a new time, counted from then.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`] if it cannot be given a new time.
    fn resettable(&self, _after: Duration) -> Answer<(BoxFuture, Reset)> {
        Err(NotItsJob)
    }

    /// The thread that they are bound to. Only [`Local`](crate::Local) has one.
    #[doc(hidden)]
    fn home(&self) -> Option<&Home> {
        None
    }
}

/// A thread calls the trigger.
pub(crate) fn timer_by_trigger(leaf: &(impl Leaf + ?Sized), after: Duration) -> Answer<BoxFuture> {
    let (future, trigger) = leaf.pending()?;
    if after.is_zero() {
        trigger();
    } else if after < leaf.longest() {
        thread::spawn(move || {
            thread::sleep(after);
            trigger();
        });
    } else {
        // The future is dropped first, while what would make it ready is still there.
        let mut both = (future, trigger);
        return Ok(Box::pin(poll_fn(move |cx| {
            let (future, _) = &mut both;
            future.as_mut().poll(cx)
        })));
    }
    Ok(future)
}

/// Makes a leaf future ready.
pub type Trigger = Box<dyn FnOnce() + Send>;

/// Puts a message into a channel.
pub type Put = Box<dyn FnMut(Arc<()>) + Send>;

/// Gives one of several waiters what it waits for.
pub type Give = Box<dyn FnMut() + Send>;

/// Gives a timer a new time.
pub type Reset = Box<dyn FnOnce(Duration) + Send>;

/// That it is a timer, whose times can be tested.
pub(crate) fn keeps_time(leaf: &dyn Leaf) -> Answer {
    match leaf.pending() {
        Ok(_) => Err(NotItsJob),
        Err(NotItsJob) => Ok(()),
    }
}

/// Ends the driver that some leaf futures wait for: the thread, the reactor or the runtime that would wake them.
pub type End = Box<dyn FnOnce() + Send>;

/// Boxes a leaf future and drops what it returns. Nothing else is put between it and its waker.
pub fn leaf<T: 'static>(future: impl Future<Output = T> + Send + 'static) -> BoxFuture {
    let mut future: Pin<Box<dyn Future<Output = T> + Send>> = Box::pin(future);
    Box::pin(poll_fn(move |cx| future.as_mut().poll(cx).map(drop)))
}
