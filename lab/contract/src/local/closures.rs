//! The closures of [`Subject`] for what is bound to a thread.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::Pin,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use futures_util::{Stream, StreamExt};

use super::{
    Local,
    kept::{Kept, Key},
};
use crate::{
    Acquire, Acquired, Answer, BoxFuture, Ends, Give, Held, Message, Receive, Receivers, Subject,
    Trigger, Unsupported,
    closures::{Closures, Kind},
};

/// A future that is kept, and returns nothing. Nothing is put between it and its waker.
type KeptLeaf = Pin<Box<dyn Future<Output = ()>>>;

fn leaf(future: impl Future + 'static) -> KeptLeaf {
    let mut future = Box::pin(future);
    Box::pin(poll_fn(move |cx| future.as_mut().poll(cx).map(drop)))
}

fn boxed(kept: Kept<KeptLeaf>) -> BoxFuture {
    Box::pin(kept)
}

impl Local {
    fn subject(&self, name: &'static str, kind: Kind) -> Subject {
        let home = Some(self.clone());
        Subject::by(name, Closures { kind, home })
    }

    /// Calls `make` at home, and keeps what it returns there.
    fn keep<T: 'static>(&self, make: impl FnOnce() -> T + Send + 'static) -> Kept<T> {
        let key = self.home().run(|| Key::of(make()));
        Kept::at(Some(self.clone()), key)
    }

    /// The same for two.
    fn keep_both<T: 'static, U: 'static>(
        &self,
        make: impl FnOnce() -> (T, U) + Send + 'static,
    ) -> (Kept<T>, Kept<U>) {
        let (one, other) = self.home().run(|| {
            let (one, other) = make();
            (Key::of(one), Key::of(other))
        });
        let home = Some(self.clone());
        (Kept::at(home.clone(), one), Kept::at(home, other))
    }

    /// [`Subject::timer`] on this thread.
    pub fn timer<F: Future + 'static>(
        &self,
        name: &'static str,
        make: impl Fn(Duration) -> F + Send + Sync + 'static,
    ) -> Subject {
        let (local, make) = (self.clone(), Arc::new(make));
        let make = move |after| {
            let make = make.clone();
            boxed(local.keep(move || leaf(make(after))))
        };
        self.subject(name, Kind::Timer(Box::new(make)))
    }

    /// [`Subject::channel`] on this thread.
    pub fn channel<P, R, F>(
        &self,
        name: &'static str,
        make: impl Fn() -> (P, R) + Send + Sync + 'static,
    ) -> Subject
    where
        P: FnMut(Message) + 'static,
        R: FnMut() -> F + 'static,
        F: Future<Output = Option<Message>> + 'static,
    {
        self.channel_for(name, Receivers::Several, make)
    }

    /// [`Subject::stream`] on this thread.
    pub fn stream<P, S>(
        &self,
        name: &'static str,
        make: impl Fn() -> (P, S) + Send + Sync + 'static,
    ) -> Subject
    where
        P: FnMut(Message) + 'static,
        S: Stream<Item = Message> + 'static,
    {
        self.channel_for(name, Receivers::One, move || {
            let (put, stream) = make();
            let stream = Rc::new(RefCell::new(Box::pin(stream)));
            let receive = move || {
                let stream = stream.clone();
                poll_fn(move |cx| stream.borrow_mut().poll_next_unpin(cx))
            };
            (put, receive)
        })
    }

    fn channel_for<P, R, F>(
        &self,
        name: &'static str,
        receivers: Receivers,
        make: impl Fn() -> (P, R) + Send + Sync + 'static,
    ) -> Subject
    where
        P: FnMut(Message) + 'static,
        R: FnMut() -> F + 'static,
        F: Future<Output = Option<Message>> + 'static,
    {
        let (local, make) = (self.clone(), Arc::new(make));
        let make = move |()| {
            let make = make.clone();
            let (put, receive) = local.keep_both(move || make());
            Ends {
                put: Box::new(move |message| put.with(|put| put(message))),
                receive: Box::new(move || -> Receive {
                    Box::pin(receive.make(|receive| Box::pin(receive())))
                }),
                receivers,
            }
        };
        self.subject(name, Kind::Channel(Box::new(make)))
    }

    /// [`Subject::once`] on this thread.
    pub fn once<F, T>(
        &self,
        name: &'static str,
        make: impl Fn() -> (F, T) + Send + Sync + 'static,
    ) -> Subject
    where
        F: Future + 'static,
        T: FnOnce() + 'static,
    {
        self.subject(name, Kind::Once(self.completed(make), false))
    }

    /// [`Subject::oneshot`] on this thread.
    pub fn oneshot<F, T>(
        &self,
        name: &'static str,
        make: impl Fn() -> (F, T) + Send + Sync + 'static,
    ) -> Subject
    where
        F: Future + 'static,
        T: FnOnce() + 'static,
    {
        self.subject(name, Kind::Once(self.completed(make), true))
    }

    fn completed<F, T>(
        &self,
        make: impl Fn() -> (F, T) + Send + Sync + 'static,
    ) -> Box<dyn Fn(()) -> (BoxFuture, Trigger) + Send + Sync>
    where
        F: Future + 'static,
        T: FnOnce() + 'static,
    {
        let (local, make) = (self.clone(), Arc::new(make));
        Box::new(move |()| {
            let make = make.clone();
            let (future, completes) = local.keep_both(move || {
                let (future, completes) = make();
                (leaf(future), Some(completes))
            });
            (boxed(future), trigger(completes))
        })
    }

    /// [`Subject::waiters`] on this thread.
    pub fn waiters<W, G, F>(
        &self,
        name: &'static str,
        make: impl Fn() -> (W, G) + Send + Sync + 'static,
    ) -> Subject
    where
        W: FnMut() -> F + 'static,
        G: FnMut() + 'static,
        F: Future + 'static,
    {
        let (local, make) = (self.clone(), Arc::new(make));
        let make = move |count| -> (Vec<BoxFuture>, Give) {
            let make = make.clone();
            let (wait, give) = local.keep_both(move || make());
            (
                several(count, &wait),
                Box::new(move || give.with(|give| give())),
            )
        };
        self.subject(name, Kind::Waiters(Box::new(make)))
    }

    /// [`Subject::event`] on this thread.
    pub fn event<L, T, F>(
        &self,
        name: &'static str,
        make: impl Fn() -> (L, T) + Send + Sync + 'static,
    ) -> Subject
    where
        L: FnMut() -> F + 'static,
        T: FnOnce() + 'static,
        F: Future + 'static,
    {
        let (local, make) = (self.clone(), Arc::new(make));
        let make = move |count| -> (Vec<BoxFuture>, Trigger) {
            let make = make.clone();
            let (listen, happens) = local.keep_both(move || {
                let (listen, happens) = make();
                (listen, Some(happens))
            });
            (several(count, &listen), trigger(happens))
        };
        self.subject(name, Kind::Event(Box::new(make)))
    }

    /// [`Subject::semaphore`] on this thread.
    pub fn semaphore<A, F>(
        &self,
        name: &'static str,
        make: impl Fn(usize) -> A + Send + Sync + 'static,
    ) -> Subject
    where
        A: FnMut() -> F + 'static,
        F: Future<Output: 'static> + 'static,
    {
        self.permits(name, move |permits| {
            let mut acquire = make(permits);
            Ok(move |permits| match permits {
                1 => Ok(acquire()),
                _ => Err(Unsupported),
            })
        })
    }

    /// [`Subject::weighted_semaphore`] on this thread.
    pub fn weighted_semaphore<A, F>(
        &self,
        name: &'static str,
        make: impl Fn(usize) -> A + Send + Sync + 'static,
    ) -> Subject
    where
        A: FnMut(usize) -> F + 'static,
        F: Future<Output: 'static> + 'static,
    {
        self.permits(name, move |permits| {
            let mut acquire = make(permits);
            Ok(move |permits| Ok(acquire(permits)))
        })
    }

    /// [`Subject::lock`] on this thread.
    pub fn lock<A, F>(
        &self,
        name: &'static str,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Subject
    where
        A: FnMut() -> F + 'static,
        F: Future<Output: 'static> + 'static,
    {
        self.permits(name, move |permits| {
            let mut acquire = match permits {
                1 => make(),
                _ => return Err(Unsupported),
            };
            Ok(move |permits| match permits {
                1 => Ok(acquire()),
                _ => Err(Unsupported),
            })
        })
    }

    fn permits<A, F>(
        &self,
        name: &'static str,
        make: impl Fn(usize) -> Answer<A> + Send + Sync + 'static,
    ) -> Subject
    where
        A: FnMut(usize) -> Answer<F> + 'static,
        F: Future<Output: 'static> + 'static,
    {
        let (local, make) = (self.clone(), Arc::new(make));
        let make = move |permits| -> Answer<Acquire> {
            let make = make.clone();
            let key = local.home().run(move || make(permits).map(Key::of))?;
            let acquire = Kept::at(Some(local.clone()), key);
            let local = local.clone();
            Ok(Box::new(move |permits| {
                let future = acquire.with(move |acquire| -> Answer<_> {
                    let future = acquire(permits)?;
                    Ok(Key::of(guarded(future)))
                })?;
                Ok(held(Kept::at(Some(local.clone()), future), local.clone()))
            }))
        };
        self.subject(name, Kind::Semaphore(Box::new(make)))
    }
}

/// Its guard stays at home, too.
fn guarded<F>(future: F) -> Pin<Box<dyn Future<Output = Key<F::Output>>>>
where
    F: Future<Output: 'static> + 'static,
{
    let mut future = Box::pin(future);
    Box::pin(poll_fn(move |cx| future.as_mut().poll(cx).map(Key::of)))
}

fn held<G: 'static>(
    mut future: Kept<Pin<Box<dyn Future<Output = Key<G>>>>>,
    local: Local,
) -> Acquired {
    Box::pin(poll_fn(move |cx| {
        let polled = Pin::new(&mut future).poll(cx);
        polled.map(|guard| -> Held { Box::new(Kept::at(Some(local.clone()), guard)) })
    }))
}

fn several<W, F>(count: usize, wait: &Kept<W>) -> Vec<BoxFuture>
where
    W: FnMut() -> F + 'static,
    F: Future + 'static,
{
    let waiters = (0..count).map(|_| boxed(wait.make(|wait| leaf(wait()))));
    waiters.collect()
}

fn trigger<T: FnOnce() + 'static>(triggers: Kept<Option<T>>) -> Trigger {
    Box::new(move || triggers.with(|it| it.take().into_iter().for_each(|it| it())))
}
