//! What a leaf future must be able to do to be put under the contract.

use std::{
    any::Any,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Waker},
    thread,
    time::Duration,
};

use crate::{Answer, BoxFuture, Unsupported, home::Home, lock::lock};

/// Longer than any test will wait, and short enough for most clocks.
pub(crate) const THIRTY_YEARS: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// A leaf future under test: one that waits for something outside. A timer says how it is made by [`timer`](Leaf::timer);
/// a channel, a lock or an event by [`pending`](Leaf::pending). One that is not `Send` is made by a [`Local`](crate::Local). Most need no
/// `Leaf` of their own: see [`Subject::channel`](crate::Subject::channel) and the functions beside it.
pub trait Leaf: Sync {
    /// Makes a future that is ready once `after` has passed, counted from now or from its first poll. Without a clock of its
    /// own, a thread calls the trigger of [`pending`](Leaf::pending) then.
    ///
    /// # Errors
    ///
    /// [`Unsupported`](crate::Unsupported) if it cannot be asked for such a time.
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        timer_by_trigger(self, after)
    }

    /// Makes a future that is pending, and what makes it ready, which may be called on any thread. Where there is a
    /// [`queue`](Leaf::queue), or there are [`waiters`](Leaf::waiters) or [`listeners`](Leaf::listeners), it is made of one of
    /// these.
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
    /// [`Unsupported`](crate::Unsupported) if only time makes it ready.
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        pending_by_others(self)
    }

    /// Makes a future that owns the only receiver of an empty channel and waits for a message, and what puts a message into that
    /// channel, which must have room for three. Where there is a [`channel`](Leaf::channel), it is made of that.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it is no channel, or one that takes no such messages.
    fn queue(&self) -> Answer<(BoxFuture, Put)> {
        let Ends {
            put, mut receive, ..
        } = self.channel()?;
        let mut received = receive();
        let receives = poll_fn(move |cx| {
            let _owned = &receive; // until the future is dropped
            received.as_mut().poll(cx).map(drop)
        });
        Ok((Box::pin(receives), put))
    }

    /// Makes the two ends of an empty channel that has room for three messages.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it is no channel, or one that takes no such messages.
    fn channel(&self) -> Answer<Ends> {
        Err(Unsupported)
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
    /// [`Unsupported`] if each has its own, or if all of the process share one that never ends.
    fn timers_and_end(&self, _after: Duration, _count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        Err(Unsupported)
    }

    /// Makes so many that wait for one thing, such as a lock, a permit or a message, and what gives that to one of them, or leaves it
    /// for the next to come if none waits. It may be called on any thread. Of a [`channel`](Leaf::channel) with several receivers
    /// they are made, too.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if each waits for something of its own, or if all are given what is there.
    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        self.channel()?.waiters(count)
    }

    /// Makes so many that wait for one event, and what makes it happen for all of them.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if there is no such event, or if only one of them is given what is there.
    fn listeners(&self, _count: usize) -> Answer<(Vec<BoxFuture>, Trigger)> {
        Err(Unsupported)
    }

    /// Makes so many that wait for one thing, and what closes that: a channel loses its last sender, or a semaphore is closed. A
    /// channel that has one receiver makes one of them, however many it is asked for.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it cannot be closed.
    fn close(&self, count: usize) -> Answer<(Vec<BoxFuture>, Trigger)> {
        Ok(self.channel()?.close(count))
    }

    /// Makes what acquires permits, of which there are so many: a semaphore. A lock has one.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it has no permits, or not so many.
    fn permits(&self, _permits: usize) -> Answer<Acquire> {
        Err(Unsupported)
    }

    /// Makes what waits for a lock that several readers or one writer may hold.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it is no such lock.
    fn read_write(&self) -> Answer<ReadWrite> {
        Err(Unsupported)
    }

    /// Makes an empty channel with room for so many messages, whose senders wait while it is full.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it is no such channel.
    fn senders(&self, _room: usize) -> Answer<Senders> {
        Err(Unsupported)
    }

    /// Makes a timer, and what gives it a new time, counted from then.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it cannot be given a new time.
    fn resettable(&self, _after: Duration) -> Answer<(BoxFuture, Reset)> {
        Err(Unsupported)
    }

    /// The thread that they are bound to. Only those of a [`Local`](crate::Local) have one.
    #[doc(hidden)]
    fn home(&self) -> Option<&Home> {
        None
    }
}

/// One of a queue, of waiters or of listeners.
pub(crate) fn pending_by_others(leaf: &(impl Leaf + ?Sized)) -> Answer<(BoxFuture, Trigger)> {
    if let Ok((receives, mut put)) = leaf.queue() {
        return Ok((receives, Box::new(move || put(Arc::default()))));
    }
    if let Ok((mut waiters, give)) = leaf.waiters(1) {
        return Ok((waiters.remove(0), Box::new(give)));
    }
    let (mut listeners, happens) = leaf.listeners(1)?;
    Ok((listeners.remove(0), happens))
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

/// A message. Its clones can be counted, which shows whether it is kept somewhere.
pub type Message = Arc<()>;

/// Puts a message into a channel.
pub type Put = Box<dyn FnMut(Message) + Send>;

/// Waits for a message, or for the close of the channel.
pub type Receive = Pin<Box<dyn Future<Output = Option<Message>> + Send>>;

/// The two ends of a channel.
#[expect(missing_debug_implementations, reason = "functions show nothing")]
pub struct Ends {
    /// Puts a message into it. The last sender is dropped with this.
    pub put: Put,
    /// Makes a future that waits for the next message. The last receiver is dropped with this, once these futures are.
    pub receive: Box<dyn FnMut() -> Receive + Send>,
    /// How many such futures may wait at a time.
    pub receivers: Receivers,
}

impl Ends {
    /// So many receivers, and what drops the last sender, as [`Leaf::close`] has them.
    pub(crate) fn close(self, count: usize) -> (Vec<BoxFuture>, Trigger) {
        let (put, mut receive) = (self.put, self.receive);
        let count = match self.receivers {
            Receivers::One => 1,
            Receivers::Several => count,
        };
        let waiters = (0..count).map(|_| leaf(receive())).collect();
        let closes = move || {
            drop(put);
            drop(receive); // no receiver is dropped before the last sender is
        };
        (waiters, Box::new(closes))
    }

    /// So many receivers, as [`Leaf::waiters`] has them.
    pub(crate) fn waiters(self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        let (mut put, mut receive) = (self.put, self.receive);
        if self.receivers == Receivers::One {
            return Err(Unsupported);
        }
        let waiters = (0..count).map(|_| leaf(receive())).collect();
        let give = move || {
            let _owned = &receive; // the last receiver is not dropped before the last sender is
            put(Arc::default());
        };
        Ok((waiters, Box::new(give)))
    }
}

/// How many may wait for a message at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each name says it")]
pub enum Receivers {
    One,
    Several,
}

/// The two ends of a channel whose senders wait while it is full.
#[expect(missing_debug_implementations, reason = "functions show nothing")]
pub struct Senders {
    /// Makes a future that sends a message.
    pub send: Box<dyn FnMut() -> BoxFuture + Send>,
    /// Receives a message, if there is one. The last receiver is dropped with this.
    pub receive: Box<dyn FnMut() -> Option<Message> + Send>,
}

impl Senders {
    /// Sends until a sender has to wait. That one is dropped.
    pub(crate) fn fill(&mut self) {
        const MOST: usize = 64; // some have more room than they are asked for
        let mut cx = Context::from_waker(Waker::noop());
        let is_full = (0..MOST).any(|_| (self.send)().as_mut().poll(&mut cx).is_pending());
        assert!(is_full, "no sender has to wait, with room for one message");
    }

    /// So many senders that wait, or will, and what closes the channel.
    pub(crate) fn close(mut self, count: usize) -> (Vec<BoxFuture>, Trigger) {
        self.fill();
        let senders = (0..count).map(|_| (self.send)()).collect();
        let receive = self.receive;
        (senders, Box::new(|| drop(receive)))
    }

    /// A sender that waits, or will, and what makes room for it. The channel is not closed before the sender is dropped.
    pub(crate) fn pending(mut self) -> (BoxFuture, Trigger) {
        self.fill();
        let mut sends = (self.send)();
        let receive = Arc::new(Mutex::new(self.receive));
        let keeps = receive.clone();
        let sends = poll_fn(move |cx| {
            let _open = &keeps;
            sends.as_mut().poll(cx)
        });
        let receives = move || drop((lock(&receive))());
        (Box::pin(sends), Box::new(receives))
    }
}

/// What waits for a lock to read or to write.
#[expect(missing_debug_implementations, reason = "functions show nothing")]
pub struct ReadWrite {
    /// Makes a future that waits until no writer holds the lock.
    pub read: Box<dyn FnMut() -> Acquired + Send>,
    /// Makes a future that waits until nobody holds the lock.
    pub write: Box<dyn FnMut() -> Acquired + Send>,
}

/// Waits for so many permits at once. A lock is asked for one at a time.
///
/// # Errors
///
/// [`Unsupported`] if it cannot give so many at once.
pub type Acquire = Box<dyn FnMut(usize) -> Answer<Acquired> + Send>;

/// Ready with what holds the permits, and gives them back when it is dropped.
pub type Acquired = Pin<Box<dyn Future<Output = Held> + Send>>;

/// Holds permits.
pub type Held = Box<dyn Any + Send>;

/// Gives one of several waiters what it waits for.
pub type Give = Box<dyn FnMut() + Send>;

/// Gives a timer a new time.
pub type Reset = Box<dyn FnOnce(Duration) + Send>;

/// That it is a timer, whose times can be tested.
pub(crate) fn keeps_time(leaf: &dyn Leaf) -> Answer {
    match leaf.pending() {
        Ok(_) => Err(Unsupported),
        Err(Unsupported) => Ok(()),
    }
}

/// Ends the driver that some leaf futures wait for: the thread, the reactor or the runtime that would wake them.
pub type End = Box<dyn FnOnce() + Send>;

/// Boxes a leaf future and drops what it returns. Nothing else is put between it and its waker.
pub fn leaf<T: 'static>(future: impl Future<Output = T> + Send + 'static) -> BoxFuture {
    let mut future: Pin<Box<dyn Future<Output = T> + Send>> = Box::pin(future);
    Box::pin(poll_fn(move |cx| future.as_mut().poll(cx).map(drop)))
}
