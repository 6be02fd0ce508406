//! Leaf futures that are made of closures: most channels, locks, events and timers need no `Leaf` of their own.

use std::{
    future::{Future, poll_fn},
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use futures_util::{Stream, StreamExt};

use crate::{
    Acquire, Acquired, Answer, BoxFuture, Ends, Give, Held, Leaf, Message, ReadWrite, Receive,
    Receivers, Senders, Subject, Trigger, Unsupported, leaf,
    leaf::{pending_by_others, timer_by_trigger},
    lock::lock,
};

type Make<Given, Result> = Box<dyn Fn(Given) -> Result + Send + Sync>;

/// A closure, after what it makes.
enum Closure {
    Timer(Make<Duration, BoxFuture>),
    Channel(Make<(), Ends>),
    Waiters(Make<usize, (Vec<BoxFuture>, Give)>),
    Event(Make<usize, (Vec<BoxFuture>, Trigger)>),
    Semaphore(Make<usize, Answer<Acquire>>),
    RwLock(Make<(), ReadWrite>),
    Sender(Make<usize, Senders>),
    /// Whether it is closed when what completes it is dropped.
    Once(Make<(), (BoxFuture, Trigger)>, bool),
}

impl Leaf for Closure {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        match self {
            Closure::Timer(make) => Ok(make(after)),
            _ => timer_by_trigger(self, after),
        }
    }

    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        match self {
            Closure::Once(make, _) => Ok(make(())),
            Closure::Sender(make) => Ok(make(1).pending()),
            _ => pending_by_others(self),
        }
    }

    fn close(&self, count: usize) -> Answer<(Vec<BoxFuture>, Trigger)> {
        match self {
            Closure::Channel(make) => Ok(make(()).close(count)),
            Closure::Sender(make) => Ok(make(1).close(count)),
            Closure::Once(make, true) => {
                let (future, completes) = make(());
                Ok((vec![future], Box::new(|| drop(completes))))
            }
            _ => Err(Unsupported),
        }
    }

    fn channel(&self) -> Answer<Ends> {
        match self {
            Closure::Channel(make) => Ok(make(())),
            _ => Err(Unsupported),
        }
    }

    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        match self {
            Closure::Channel(make) => make(()).waiters(count),
            Closure::Waiters(make) => Ok(make(count)),
            Closure::Semaphore(make) => waiters_for_permits(make, count),
            Closure::RwLock(_) => waiters_for_permits(&|permits| self.permits(permits), count),
            _ => Err(Unsupported),
        }
    }

    fn listeners(&self, count: usize) -> Answer<(Vec<BoxFuture>, Trigger)> {
        match self {
            Closure::Event(make) => Ok(make(count)),
            _ => Err(Unsupported),
        }
    }

    fn permits(&self, permits: usize) -> Answer<Acquire> {
        match self {
            Closure::Semaphore(make) => make(permits),
            Closure::RwLock(make) if permits == 1 => Ok(writers(make(()))),
            _ => Err(Unsupported),
        }
    }

    fn senders(&self, room: usize) -> Answer<Senders> {
        match self {
            Closure::Sender(make) => Ok(make(room)),
            _ => Err(Unsupported),
        }
    }

    fn read_write(&self) -> Answer<ReadWrite> {
        match self {
            Closure::RwLock(make) => Ok(make(())),
            _ => Err(Unsupported),
        }
    }
}

/// One at a time.
fn writers(lock: ReadWrite) -> Acquire {
    let mut write = lock.write;
    Box::new(move |permits| match permits {
        1 => Ok(write()),
        _ => Err(Unsupported),
    })
}

/// All permits are held, one for each waiter where there are so many. A gift is one that is given back. Each waiter keeps what it gets,
/// so that its permit is given to another one by another gift alone.
fn waiters_for_permits(
    make: &dyn Fn(usize) -> Answer<Acquire>,
    count: usize,
) -> Answer<(Vec<BoxFuture>, Give)> {
    let (mut acquire, permits) = match make(count) {
        Ok(acquire) => (acquire, count),
        Err(Unsupported) => (make(1)?, 1),
    };
    let mut cx = Context::from_waker(Waker::noop());
    let mut take = || {
        let Poll::Ready(held) = acquire(1)?.as_mut().poll(&mut cx) else {
            panic!("a permit that none holds is not to be had at once");
        };
        Ok(held)
    };
    let held: Answer<Vec<Held>> = (0..permits).map(|_| take()).collect();
    let kept = Arc::new(Mutex::new(Kept {
        held: held?,
        owed: 0,
    }));
    let waiters = (0..count).map(|_| -> Answer<BoxFuture> {
        let (mut acquired, keeps) = (acquire(1)?, kept.clone());
        Ok(Box::pin(poll_fn(move |cx| {
            acquired.as_mut().poll(cx).map(|held| keep(&keeps, held))
        })))
    });
    let waiters: Answer<Vec<_>> = waiters.collect();
    let give = move || {
        let mut kept = lock(&kept);
        let held = kept.held.pop();
        kept.owed += usize::from(held.is_none());
        drop(kept);
        drop(held);
    };
    Ok((waiters?, Box::new(give)))
}

/// What is held, and how many gifts were made when there was nothing to give.
struct Kept {
    held: Vec<Held>,
    owed: usize,
}

fn keep(kept: &Mutex<Kept>, held: Held) {
    let mut kept = lock(kept);
    if kept.owed > 0 {
        kept.owed -= 1;
        drop(kept);
        drop(held);
    } else {
        kept.held.push(held);
    }
}

impl Subject {
    fn made_by(name: &'static str, closure: Closure) -> Subject {
        Subject::leaf(name, Box::leak(Box::new(closure)))
    }

    /// A timer under a name: what makes one that is ready after so long.
    ///
    /// ```no_run
    /// # use runtime_contract::{Subject, suite::{self, Promise}};
    /// # async fn sleep(_: std::time::Duration) {}
    /// suite::main(&[Promise::all(Subject::timer("my-sleep", sleep))]);
    /// ```
    pub fn timer<F: Future + Send + 'static>(
        name: &'static str,
        make: impl Fn(Duration) -> F + Send + Sync + 'static,
    ) -> Subject {
        let make = move |after| leaf(make(after));
        Subject::made_by(name, Closure::Timer(Box::new(make)))
    }

    /// A channel under a name: what makes an empty one with room for three messages. It returns what sends a message, which must not
    /// have to wait, and what makes a future that receives one. The channel is closed by dropping the first.
    pub fn channel<P, R, F>(
        name: &'static str,
        make: impl Fn() -> (P, R) + Send + Sync + 'static,
    ) -> Subject
    where
        P: FnMut(Message) + Send + 'static,
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Option<Message>> + Send + 'static,
    {
        let make = move |()| {
            let (put, mut receive) = make();
            Ends {
                put: Box::new(put),
                receive: Box::new(move || -> Receive { Box::pin(receive()) }),
                receivers: Receivers::Several,
            }
        };
        Subject::made_by(name, Closure::Channel(Box::new(make)))
    }

    /// The receiver of a channel as a stream, under a name: what sends a message, and the stream, which ends when the first is
    /// dropped.
    ///
    /// ```
    /// use futures::channel::mpsc;
    /// use runtime_contract::{Side, Subject, leaf_clauses};
    ///
    /// let subject = Subject::stream("futures-mpsc", || {
    ///     let (sender, receiver) = mpsc::unbounded();
    ///     (move |message| _ = sender.unbounded_send(message), receiver)
    /// });
    /// let Side::Leaf(channel) = subject.side else { unreachable!() };
    /// assert_eq!(leaf_clauses::channels::closed(channel), Ok(()));
    /// ```
    pub fn stream<P, S>(
        name: &'static str,
        make: impl Fn() -> (P, S) + Send + Sync + 'static,
    ) -> Subject
    where
        P: FnMut(Message) + Send + 'static,
        S: Stream<Item = Message> + Send + 'static,
    {
        let make = move |()| {
            let (put, stream) = make();
            let stream = Arc::new(Mutex::new(Box::pin(stream)));
            Ends {
                put: Box::new(put),
                receive: Box::new(move || -> Receive {
                    let stream = stream.clone();
                    // Polled after it was ready, it panics. Otherwise it would wait for another message.
                    Box::pin(async move { poll_fn(|cx| lock(&stream).poll_next_unpin(cx)).await })
                }),
                receivers: Receivers::One,
            }
        };
        Subject::made_by(name, Closure::Channel(Box::new(make)))
    }

    /// Something else that is ready once it is completed, such as a notification, under a name. The closure returns a future that
    /// waits, and what completes it.
    pub fn once<F, T>(
        name: &'static str,
        make: impl Fn() -> (F, T) + Send + Sync + 'static,
    ) -> Subject
    where
        F: Future + Send + 'static,
        T: FnOnce() + Send + 'static,
    {
        Subject::made_by(name, Closure::Once(once(make), false))
    }

    /// A channel for one message, under a name: its receiver, and what sends the message. The channel is closed if that is dropped.
    ///
    /// ```
    /// use futures::channel::oneshot;
    /// use runtime_contract::Subject;
    ///
    /// let subject = Subject::oneshot("futures-oneshot", || {
    ///     let (sender, receiver) = oneshot::channel();
    ///     (receiver, || _ = sender.send(7))
    /// });
    /// # _ = subject;
    /// ```
    pub fn oneshot<F, T>(
        name: &'static str,
        make: impl Fn() -> (F, T) + Send + Sync + 'static,
    ) -> Subject
    where
        F: Future + Send + 'static,
        T: FnOnce() + Send + 'static,
    {
        Subject::made_by(name, Closure::Once(once(make), true))
    }

    /// Something that several can wait for and one of them gets, under a name. The closure returns what makes a future that waits,
    /// and what gives one of them what it waits for, or leaves it for the next to come if none waits.
    pub fn waiters<W, G, F>(
        name: &'static str,
        make: impl Fn() -> (W, G) + Send + Sync + 'static,
    ) -> Subject
    where
        W: FnMut() -> F,
        G: FnMut() + Send + 'static,
        F: Future + Send + 'static,
    {
        let make = move |count| -> (Vec<BoxFuture>, Give) {
            let (mut wait, give) = make();
            ((0..count).map(|_| leaf(wait())).collect(), Box::new(give))
        };
        Subject::made_by(name, Closure::Waiters(Box::new(make)))
    }

    /// An event under a name. The closure returns what makes a future that waits for it, and what lets it happen for all of them.
    pub fn event<L, T, F>(
        name: &'static str,
        make: impl Fn() -> (L, T) + Send + Sync + 'static,
    ) -> Subject
    where
        L: FnMut() -> F,
        T: FnOnce() + Send + 'static,
        F: Future + Send + 'static,
    {
        let make = move |count| -> (Vec<BoxFuture>, Trigger) {
            let (mut listen, happens) = make();
            (
                (0..count).map(|_| leaf(listen())).collect(),
                Box::new(happens),
            )
        };
        Subject::made_by(name, Closure::Event(Box::new(make)))
    }

    /// A semaphore under a name: what makes one with so many permits. It returns what makes a future that acquires one of them, and
    /// returns a guard.
    pub fn semaphore<A, F>(
        name: &'static str,
        make: impl Fn(usize) -> A + Send + Sync + 'static,
    ) -> Subject
    where
        A: FnMut() -> F + Send + 'static,
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let make = move |permits| Ok(one_by_one(make(permits)));
        Subject::made_by(name, Closure::Semaphore(Box::new(make)))
    }

    /// The same where several permits can be acquired at once.
    pub fn weighted_semaphore<A, F>(
        name: &'static str,
        make: impl Fn(usize) -> A + Send + Sync + 'static,
    ) -> Subject
    where
        A: FnMut(usize) -> F + Send + 'static,
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let make = move |permits| -> Answer<Acquire> {
            let mut acquire = make(permits);
            Ok(Box::new(move |permits| Ok(held(acquire(permits)))))
        };
        Subject::made_by(name, Closure::Semaphore(Box::new(make)))
    }

    /// The sending half of a channel of which the senders wait while it is full, under a name: what makes an empty one with room for so
    /// many messages. It returns what makes a future that sends, and what receives a message, if there is one. The last receiver is
    /// dropped with the second.
    ///
    /// ```
    /// use runtime_contract::Subject;
    ///
    /// let subject = Subject::sender("async-channel-sender", |room| {
    ///     let (sender, receiver) = async_channel::bounded(room);
    ///     let send = move |message| {
    ///         let sender = sender.clone();
    ///         async move { sender.send(message).await }
    ///     };
    ///     (send, move || receiver.try_recv().ok())
    /// });
    /// # _ = subject;
    /// ```
    pub fn sender<S, R, F>(
        name: &'static str,
        make: impl Fn(usize) -> (S, R) + Send + Sync + 'static,
    ) -> Subject
    where
        S: FnMut(Message) -> F + Send + 'static,
        R: FnMut() -> Option<Message> + Send + 'static,
        F: Future + Send + 'static,
    {
        let make = move |room| {
            let (mut send, receive) = make(room);
            Senders {
                send: Box::new(move || leaf(send(Message::default()))),
                receive: Box::new(receive),
            }
        };
        Subject::made_by(name, Closure::Sender(Box::new(make)))
    }

    /// A lock for several readers or one writer, under a name: what makes one. It returns what makes a future that waits to read, and
    /// what makes one that waits to write. Both return guards.
    ///
    /// ```no_run
    /// # use std::{future::{Ready, ready}, sync::Arc};
    /// # struct MyRwLock;
    /// # impl MyRwLock {
    /// #     fn new() -> MyRwLock { MyRwLock }
    /// #     fn read_owned(self: Arc<Self>) -> Ready<()> { ready(()) }
    /// #     fn write_owned(self: Arc<Self>) -> Ready<()> { ready(()) }
    /// # }
    /// # use runtime_contract::Subject;
    /// let subject = Subject::rw_lock("my-rwlock", || {
    ///     let reads = Arc::new(MyRwLock::new());
    ///     let writes = reads.clone();
    ///     (
    ///         move || reads.clone().read_owned(),
    ///         move || writes.clone().write_owned(),
    ///     )
    /// });
    /// # _ = subject;
    /// ```
    pub fn rw_lock<R, W, F, G>(
        name: &'static str,
        make: impl Fn() -> (R, W) + Send + Sync + 'static,
    ) -> Subject
    where
        R: FnMut() -> F + Send + 'static,
        W: FnMut() -> G + Send + 'static,
        F: Future<Output: Send + 'static> + Send + 'static,
        G: Future<Output: Send + 'static> + Send + 'static,
    {
        let make = move |()| {
            let (mut read, mut write) = make();
            ReadWrite {
                read: Box::new(move || held(read())),
                write: Box::new(move || held(write())),
            }
        };
        Subject::made_by(name, Closure::RwLock(Box::new(make)))
    }

    /// A lock under a name: what makes one. It returns what makes a future that locks it, and returns a guard.
    pub fn lock<A, F>(name: &'static str, make: impl Fn() -> A + Send + Sync + 'static) -> Subject
    where
        A: FnMut() -> F + Send + 'static,
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let make = move |permits| match permits {
            1 => Ok(one_by_one(make())),
            _ => Err(Unsupported),
        };
        Subject::made_by(name, Closure::Semaphore(Box::new(make)))
    }
}

fn one_by_one<A, F>(mut acquire: A) -> Acquire
where
    A: FnMut() -> F + Send + 'static,
    F: Future<Output: Send + 'static> + Send + 'static,
{
    Box::new(move |permits| match permits {
        1 => Ok(held(acquire())),
        _ => Err(Unsupported),
    })
}

fn once<F: Future + Send + 'static, T: FnOnce() + Send + 'static>(
    make: impl Fn() -> (F, T) + Send + Sync + 'static,
) -> Make<(), (BoxFuture, Trigger)> {
    Box::new(move |()| {
        let (future, complete) = make();
        (leaf(future), Box::new(complete))
    })
}

/// Nothing else is put between the future and its waker.
fn held<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Acquired {
    let mut future = Box::pin(future);
    Box::pin(poll_fn(move |cx| {
        let polled = future.as_mut().poll(cx);
        polled.map(|guard| -> Held { Box::new(guard) })
    }))
}
