//! The closures of [`Subject`] for what is bound to a thread. Each is wrapped in one that may be called on any thread, and goes to
//! [`Subject`]'s own function, which makes a leaf future of it.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use futures_util::Stream;

use super::{
    Local,
    kept::{Kept, Key},
};
use crate::{Message, Subject};

impl Local {
    /// What a closure makes at home is kept there.
    fn keeping<T: 'static, A: Send + 'static>(
        &self,
        make: impl Fn(A) -> T + Send + Sync + 'static,
    ) -> impl Fn(A) -> Kept<T> + Send + Sync + 'static {
        let (local, make) = (self.clone(), Arc::new(make));
        move |argument| {
            let make = make.clone();
            let key = local.home().run(move || Key::of(make(argument)));
            Kept::at(Some(local.clone()), key)
        }
    }

    /// The same for two.
    fn keeping_both<T: 'static, U: 'static>(
        &self,
        make: impl Fn() -> (T, U) + Send + Sync + 'static,
    ) -> impl Fn() -> (Kept<T>, Kept<U>) + Send + Sync + 'static {
        let (local, make) = (self.clone(), Arc::new(make));
        move || {
            let make = make.clone();
            let (first, second) = local.home().run(move || {
                let (first, second) = make();
                (Key::of(first), Key::of(second))
            });
            let home = Some(local.clone());
            (Kept::at(home.clone(), first), Kept::at(home, second))
        }
    }

    /// [`Subject::timer`] on this thread.
    pub fn timer<F: Future + 'static>(
        &self,
        name: &'static str,
        make: impl Fn(Duration) -> F + Send + Sync + 'static,
    ) -> Subject {
        let make = self.keeping(move |after| leaf(make(after)));
        self.bound(Subject::timer(name, make))
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
        let make = self.keeping_both(make);
        self.bound(Subject::channel(name, move || {
            let (put, receive) = make();
            (
                move |message| put.with(|put| put(message)),
                move || receive.make(|receive| Box::pin(receive())),
            )
        }))
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
        let make = self.keeping_both(move || {
            let (put, stream) = make();
            (put, Box::pin(stream))
        });
        self.bound(Subject::stream(name, move || {
            let (put, stream) = make();
            (move |message| put.with(|put| put(message)), stream)
        }))
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
        self.bound(Subject::once(name, self.completed(make)))
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
        self.bound(Subject::oneshot(name, self.completed(make)))
    }

    fn completed<F, T>(
        &self,
        make: impl Fn() -> (F, T) + Send + Sync + 'static,
    ) -> impl Fn() -> (Kept<Leaf>, Box<dyn FnOnce() + Send>) + Send + Sync + 'static
    where
        F: Future + 'static,
        T: FnOnce() + 'static,
    {
        let make = self.keeping_both(move || {
            let (future, complete) = make();
            (leaf(future), Some(complete))
        });
        move || {
            let (future, complete) = make();
            (future, Box::new(move || called(&complete)))
        }
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
        let make = self.keeping_both(make);
        self.bound(Subject::waiters(name, move || {
            let (wait, give) = make();
            (
                move || wait.make(|wait| leaf(wait())),
                move || give.with(|give| give()),
            )
        }))
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
        let make = self.keeping_both(move || {
            let (listen, happen) = make();
            (listen, Some(happen))
        });
        self.bound(Subject::event(name, move || {
            let (listen, happen) = make();
            (
                move || listen.make(|listen| leaf(listen())),
                move || called(&happen),
            )
        }))
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
        let make = self.keeping(make);
        self.bound(Subject::semaphore(name, move |permits| {
            let acquire = make(permits);
            move || guarded(acquire.make(|acquire| keeps_its_guard(acquire())))
        }))
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
        let make = self.keeping(make);
        self.bound(Subject::weighted_semaphore(name, move |permits| {
            let acquire = make(permits);
            move |permits| guarded(acquire.make(move |acquire| keeps_its_guard(acquire(permits))))
        }))
    }

    /// [`Subject::sender`] on this thread.
    pub fn sender<S, R, F>(
        &self,
        name: &'static str,
        make: impl Fn(usize) -> (S, R) + Send + Sync + 'static,
    ) -> Subject
    where
        S: FnMut(Message) -> F + 'static,
        R: FnMut() -> Option<Message> + 'static,
        F: Future + 'static,
    {
        let (local, make) = (self.clone(), Arc::new(make));
        self.bound(Subject::sender(name, move |room| {
            let make = make.clone();
            let (send, receive) = local.home().run(move || {
                let (send, receive) = make(room);
                (Key::of(send), Key::of(receive))
            });
            let home = Some(local.clone());
            let (send, receive) = (Kept::at(home.clone(), send), Kept::at(home, receive));
            (
                move |message| send.make(move |send| leaf(send(message))),
                move || receive.with(|receive| receive()),
            )
        }))
    }

    /// [`Subject::rw_lock`] on this thread.
    pub fn rw_lock<R, W, F, G>(
        &self,
        name: &'static str,
        make: impl Fn() -> (R, W) + Send + Sync + 'static,
    ) -> Subject
    where
        R: FnMut() -> F + 'static,
        W: FnMut() -> G + 'static,
        F: Future<Output: 'static> + 'static,
        G: Future<Output: 'static> + 'static,
    {
        let make = self.keeping_both(make);
        self.bound(Subject::rw_lock(name, move || {
            let (read, write) = make();
            (
                move || guarded(read.make(|read| keeps_its_guard(read()))),
                move || guarded(write.make(|write| keeps_its_guard(write()))),
            )
        }))
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
        let make = self.keeping(move |()| make());
        self.bound(Subject::lock(name, move || {
            let acquire = make(());
            move || guarded(acquire.make(|acquire| keeps_its_guard(acquire())))
        }))
    }
}

/// A leaf future at home, which returns nothing. Nothing is put between it and its waker.
type Leaf = Pin<Box<dyn Future<Output = ()>>>;

fn leaf(future: impl Future + 'static) -> Leaf {
    let mut future = Box::pin(future);
    Box::pin(poll_fn(move |cx| future.as_mut().poll(cx).map(drop)))
}

/// A future of which the output is kept at home, too.
type KeepsItsGuard<G> = Pin<Box<dyn Future<Output = Key<G>>>>;

fn keeps_its_guard<F>(future: F) -> KeepsItsGuard<F::Output>
where
    F: Future<Output: 'static> + 'static,
{
    let mut future = Box::pin(future);
    Box::pin(poll_fn(move |cx| future.as_mut().poll(cx).map(Key::of)))
}

/// Ready with the guard, which any thread may drop.
fn guarded<G: 'static>(
    mut future: Kept<KeepsItsGuard<G>>,
) -> impl Future<Output = Kept<G>> + Send + 'static {
    poll_fn(move |cx| {
        let polled = Pin::new(&mut future).poll(cx);
        polled.map(|guard| future.beside(guard))
    })
}

fn called<T: FnOnce() + 'static>(once: &Kept<Option<T>>) {
    once.with(|once| {
        if let Some(call) = once.take() {
            call();
        }
    });
}
