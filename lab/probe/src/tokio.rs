//! tokio's locks, channels and tasks under the same names, which tell [`within`](crate::within) who has what a future waits for.
//!
//! Put `use probe::tokio::sync::Mutex;` in the place of `use tokio::sync::Mutex;`, and nothing else changes: a lock, a channel and
//! a spawned task know then which task has them, and since which line. Each method is as tokio's of the same name; what neither
//! waits nor holds anything is tokio's own, all the rest of tokio too. So `use probe::tokio;` does for a whole file.
//!
//! ```
//! use probe::tokio::sync::Mutex;
//!
//! # futures::executor::block_on(async {
//! let lock = Mutex::new(1);
//! *lock.lock().await += 1;
//! assert_eq!(lock.into_inner(), 2);
//! # });
//! ```
#![expect(missing_docs, reason = "each is as tokio's of the same name")]

use std::{
    ops::{Deref, DerefMut},
    panic::Location,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use ::tokio::task as plain;
pub use ::tokio::*;

use crate::{
    Hold, Resource,
    mutex::own,
    resource::{Has, Here},
    task::Task,
};

/// For what neither waits nor holds anything.
macro_rules! derefs {
    ($($name:ident $(<$T:ident>)? to $inner:ty;)*) => {$(
        impl $(<$T>)? Deref for $name $(<$T>)? {
            type Target = $inner;

            fn deref(&self) -> &$inner {
                &self.inner
            }
        }

        impl $(<$T>)? DerefMut for $name $(<$T>)? {
            fn deref_mut(&mut self) -> &mut $inner {
                &mut self.inner
            }
        }
    )*};
}

/// The task is [`watched`](crate::watched), and who joins it waits for it.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let watched = crate::watched(future);
    let task = watched.task.0.clone();
    let (inner, closure) = (tokio::spawn(watched), None);
    JoinHandle {
        inner,
        task,
        closure,
    }
}

pub mod task {
    pub use ::tokio::task::*;

    use super::*;
    pub use super::{JoinHandle, JoinSet, spawn};

    /// Who joins it knows whether its thread is inside of it.
    #[track_caller]
    pub fn spawn_blocking<F, T>(f: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let at = Location::caller();
        let closure = Resource::new_at("closure", at);
        let runs = closure.clone();
        let inner = plain::spawn_blocking(move || {
            let _runs = runs.hold_at(at, Has::Runs);
            f()
        });
        JoinHandle {
            inner,
            task: Task::new(None, at),
            closure: Some((closure, None)),
        }
    }
}

#[derive(Debug)]
pub struct JoinHandle<T> {
    inner: plain::JoinHandle<T>,
    task: Arc<Task>,
    /// In the place of a task, and the wait for its end.
    closure: Option<(Resource, Option<Hold>)>,
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, plain::JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let inner = Pin::new(&mut this.inner);
        if let Some((closure, waits)) = &mut this.closure {
            return closure.poll(inner, waits, (1, this.task.made), cx);
        }
        let poll = inner.poll(cx);
        let waits = poll.is_pending().then(crate::task::innermost).flatten();
        *own(&this.task.joiner) = waits.map(|it| (it, Has::wait(cx)));
        poll
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        *own(&self.task.joiner) = None;
    }
}

/// Its tasks are watched.
#[derive(Debug)]
pub struct JoinSet<T> {
    inner: plain::JoinSet<T>,
    tasks: Resource,
}

impl<T> Default for JoinSet<T> {
    fn default() -> Self {
        let (inner, tasks) = (plain::JoinSet::new(), Resource::new("tasks"));
        Self { inner, tasks }
    }
}

impl<T: Send + 'static> JoinSet<T> {
    pub fn new() -> Self {
        Self::default()
    }

    #[track_caller]
    pub fn spawn(&mut self, it: impl Future<Output = T> + Send + 'static) -> plain::AbortHandle {
        let watched = crate::watched(it);
        let runs = self.tasks.held_by(&watched.task.0);
        self.inner.spawn(async move {
            let _runs = runs;
            watched.await
        })
    }

    #[track_caller]
    pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, plain::JoinError>>> {
        self.tasks.uses().total = Some(self.inner.len());
        let next = self.inner.join_next();
        self.tasks.wait_many(1, next, Location::caller())
    }

    #[track_caller]
    pub fn join_all(self) -> impl Future<Output = Vec<T>> {
        let (number, at) = (self.inner.len(), Location::caller());
        self.tasks.uses().total = Some(number);
        async move {
            let all = self.inner.join_all();
            self.tasks.wait_many(number, all, at).await
        }
    }
}

derefs! {
    JoinHandle<T> to plain::JoinHandle<T>;
    JoinSet<T> to plain::JoinSet<T>;
}

/// One end of a channel of which there may be several.
macro_rules! clones {
    ($($end:ident)*) => {$(
        impl<T> Clone for $end<T> {
            #[track_caller]
            fn clone(&self) -> Self {
                let mine = self.mine.again(Location::caller());
                Self { inner: self.inner.clone(), mine, others: self.others.clone() }
            }
        }
    )*};
}

/// A channel and its two ends. Who waits at one end waits for who has the other.
macro_rules! ends {
    ($channel:ident($($room:ident: $size:ty)?) $sender:ident $receiver:ident; $waits:ident => $output:ty $(, $bound:ident)?;) => {
        #[derive(Debug)]
        pub struct $sender<T> {
            inner: plain::$sender<T>,
            mine: Hold,
            others: Resource,
        }

        #[derive(Debug)]
        pub struct $receiver<T> {
            inner: plain::$receiver<T>,
            mine: Hold,
            others: Resource,
        }

        #[track_caller]
        pub fn $channel<T $(: $bound)?>($($room: $size)?) -> ($sender<T>, $receiver<T>) {
            let (at, ends) = (Location::caller(), plain::$channel($($room)?));
            let (senders, receivers) = (Resource::new("sender"), Resource::new("receiver"));
            let has = |it: &Resource| it.hold_at(at, Has::NotUsedYet);
            let (mine, of_receiver) = (has(&senders), has(&receivers));
            let sender = $sender { inner: ends.0, mine, others: receivers };
            (sender, $receiver { inner: ends.1, mine: of_receiver, others: senders })
        }

        clones! { $sender }

        impl<T $(: $bound)?> $receiver<T> {
            #[track_caller]
            pub fn $waits(&mut self) -> impl Future<Output = $output> {
                let at = Location::caller();
                async move {
                    self.mine.is_here(at, Has::UsedLast);
                    self.others.wait_many(1, self.inner.$waits(), at).await
                }
            }
        }

        derefs! {
            $sender<T> to plain::$sender<T>;
            $receiver<T> to plain::$receiver<T>;
        }
    };
}

/// A sender that does not wait, and can be subscribed to.
macro_rules! subscribes {
    ($($sent:ty)?) => {$(
        impl<T> Sender<T> {
            #[track_caller]
            pub fn send(&self, value: T) -> Result<$sent, error::SendError<T>> {
                self.mine.is_here(Location::caller(), Has::UsedLast);
                self.inner.send(value)
            }

            #[track_caller]
            pub fn subscribe(&self) -> Receiver<T> {
                let mine = self.others.hold_at(Location::caller(), Has::NotUsedYet);
                Receiver { inner: self.inner.subscribe(), mine, others: self.mine.0.clone() }
            }
        }
    )?};
}

pub mod sync {
    pub use ::tokio::sync::*;
    use ::tokio::sync::{self as plain};

    use super::*;

    /// A guard of a library, and the hold that it is.
    #[derive(Debug)]
    pub struct Held<G> {
        // Before the hold: it ends when the lock is free.
        guard: G,
        _hold: Hold,
    }

    impl<G: Deref> Deref for Held<G> {
        type Target = G::Target;

        fn deref(&self) -> &G::Target {
            &self.guard
        }
    }

    impl<G: DerefMut> DerefMut for Held<G> {
        fn deref_mut(&mut self) -> &mut G::Target {
            &mut self.guard
        }
    }

    pub type MutexGuard<'a, T> = Held<plain::MutexGuard<'a, T>>;
    pub type OwnedMutexGuard<T> = Held<plain::OwnedMutexGuard<T>>;
    pub type RwLockReadGuard<'a, T> = Held<plain::RwLockReadGuard<'a, T>>;
    pub type RwLockWriteGuard<'a, T> = Held<plain::RwLockWriteGuard<'a, T>>;
    pub type OwnedRwLockReadGuard<T> = Held<plain::OwnedRwLockReadGuard<T>>;
    pub type OwnedRwLockWriteGuard<T> = Held<plain::OwnedRwLockWriteGuard<T>>;
    pub type SemaphorePermit<'a> = Held<plain::SemaphorePermit<'a>>;
    pub type OwnedSemaphorePermit = Held<plain::OwnedSemaphorePermit>;

    macro_rules! forgets {
        ($($permit:ty),*) => {$(impl Held<$permit> { pub fn forget(self) { self.guard.forget(); } })*};
    }

    forgets! { plain::SemaphorePermit<'_>, plain::OwnedSemaphorePermit }

    /// What waits, and what it gives: a guard, or a guard or an error.
    macro_rules! waits {
        ($($name:ident($this:ty $(, $number:ident)?) $(.$clone:ident())? => $guard:ty $(, $error:ty)?;)*) => {$(
            #[track_caller]
            pub fn $name(self: $this $(, $number: u32)?) -> impl Future<Output = waits!(@ Held<$guard> $(, $error)?)> {
                let at = Location::caller();
                async move {
                    let wait = self.inner$(.$clone())?.$name($($number)?);
                    let number = waits!(# $($number)?);
                    let guard = self.resource.wait_many(number, wait, at).await;
                    let hold = || self.resource.hold_many(number, at, waits!(? $($clone)?));
                    waits!(= guard, |guard| Held { guard, _hold: hold() } $(, $error)?)
                }
            }
        )*};
        (#) => { 1 };
        (# $number:ident) => { $number as usize };
        (?) => { Has::Now };
        (? $clone:ident) => { Has::Took };
        (@ $guard:ty, $error:ty) => { Result<$guard, $error> };
        (@ $guard:ty) => { $guard };
        (= $guard:ident, $held:expr, $error:ty) => { $guard.map($held) };
        (= $guard:ident, $held:expr) => { ($held)($guard) };
    }

    /// What does not wait.
    macro_rules! tries {
        ($($name:ident => $guard:ty, $error:ty;)*) => {$(
            #[track_caller]
            pub fn $name(&self) -> Result<Held<$guard>, $error> {
                let guard = self.inner.$name()?;
                Ok(Held { guard, _hold: self.resource.hold() })
            }
        )*};
    }

    macro_rules! lock {
        ($lock:ident { $($waits:tt)* } { $($tries:tt)* }) => {
            #[derive(Debug)]
            pub struct $lock<T: ?Sized> {
                resource: Resource,
                inner: Arc<plain::$lock<T>>,
            }

            impl<T> $lock<T> {
                #[track_caller]
                pub fn new(value: T) -> Self {
                    let inner = Arc::new(plain::$lock::new(value));
                    Self { resource: Resource::new("lock"), inner }
                }

                pub fn into_inner(self) -> T {
                    let inner = Arc::into_inner(self.inner);
                    inner.expect("a guard that owns the lock keeps it from being moved").into_inner()
                }
            }

            impl<T: ?Sized> $lock<T> {
                waits! { $($waits)* }
                tries! { $($tries)* }
            }

            impl<T: Default> Default for $lock<T> {
                #[track_caller]
                fn default() -> Self {
                    Self::new(T::default())
                }
            }
        };
    }

    lock! { Mutex {
        lock(&Self) => plain::MutexGuard<'_, T>;
        lock_owned(Arc<Self>).clone() => plain::OwnedMutexGuard<T>;
    } {
        try_lock => plain::MutexGuard<'_, T>, TryLockError;
    } }

    lock! { RwLock {
        read(&Self) => plain::RwLockReadGuard<'_, T>;
        write(&Self) => plain::RwLockWriteGuard<'_, T>;
        read_owned(Arc<Self>).clone() => plain::OwnedRwLockReadGuard<T>;
        write_owned(Arc<Self>).clone() => plain::OwnedRwLockWriteGuard<T>;
    } {
        try_read => plain::RwLockReadGuard<'_, T>, TryLockError;
        try_write => plain::RwLockWriteGuard<'_, T>, TryLockError;
    } }

    /// What has no value inside.
    macro_rules! made {
        ($($name:ident($($permits:ident: usize)?) is $kind:literal;)*) => {$(
            #[derive(Debug)]
            pub struct $name {
                resource: Resource,
                inner: Arc<plain::$name>,
            }

            impl $name {
                #[track_caller]
                #[allow(clippy::new_without_default, reason = "it is named by the line that makes it")]
                pub fn new($($permits: usize)?) -> Self {
                    let resource = Resource::new($kind);
                    $(resource.uses().total = Some($permits);)?
                    Self { resource, inner: Arc::new(plain::$name::new($($permits)?)) }
                }
            }

            derefs! { $name to Arc<plain::$name>; }
        )*};
    }

    // Who will notify is not known.
    made! { Semaphore(permits: usize) is "permits"; Notify() is "notification"; Barrier(n: usize) is "barrier"; }

    impl Semaphore {
        waits! {
            acquire(&Self) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_owned(Arc<Self>).clone() => plain::OwnedSemaphorePermit, AcquireError;
            acquire_many(&Self, n) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_many_owned(Arc<Self>, n).clone() => plain::OwnedSemaphorePermit, AcquireError;
        }
        tries! { try_acquire => plain::SemaphorePermit<'_>, TryAcquireError; }

        pub fn add_permits(&self, n: usize) {
            // Who does it once may do it again.
            self.resource.uses().total = Some(usize::MAX);
            self.inner.add_permits(n);
        }
    }

    impl Barrier {
        #[track_caller]
        pub fn wait(&self) -> impl Future<Output = BarrierWaitResult> {
            let at = Location::caller();
            async move {
                self.resource.uses().come += 1;
                self.resource.wait_many(1, self.inner.wait(), at).await
            }
        }
    }

    impl Notify {
        #[track_caller]
        pub fn notified(&self) -> impl Future<Output = ()> {
            self.resource
                .wait_many(1, self.inner.notified(), Location::caller())
        }
    }

    pub mod mpsc {
        use ::tokio::sync::mpsc as plain;
        pub use ::tokio::sync::mpsc::*;

        use super::super::*;

        ends! { channel(room: usize) Sender Receiver; recv => Option<T>; }
        ends! { unbounded_channel() UnboundedSender UnboundedReceiver; recv => Option<T>; }

        impl<T> Sender<T> {
            #[track_caller]
            pub fn send(&self, value: T) -> impl Future<Output = Result<(), error::SendError<T>>> {
                let at = Location::caller();
                async move {
                    self.mine.is_here(at, Has::UsedLast);
                    self.others.wait_many(1, self.inner.send(value), at).await
                }
            }
        }
    }

    pub mod broadcast {
        use ::tokio::sync::broadcast as plain;
        pub use ::tokio::sync::broadcast::*;

        use super::super::*;

        ends! { channel(room: usize) Sender Receiver; recv => Result<T, error::RecvError>, Clone; }
        subscribes! { usize }
    }

    pub mod watch {
        use ::tokio::sync::watch as plain;
        pub use ::tokio::sync::watch::*;

        use super::super::*;

        ends! { channel(first: T) Sender Receiver; changed => Result<(), error::RecvError>; }
        subscribes! { () }
        clones! { Receiver }
    }

    pub mod oneshot {
        use ::tokio::sync::oneshot as plain;
        pub use ::tokio::sync::oneshot::*;

        use super::super::*;

        #[derive(Debug)]
        pub struct Sender<T> {
            inner: plain::Sender<T>,
            _mine: Hold,
        }

        impl<T> Sender<T> {
            pub fn send(self, value: T) -> Result<(), T> {
                self.inner.send(value)
            }
        }

        derefs! { Sender<T> to plain::Sender<T>; }
        derefs! { Receiver<T> to plain::Receiver<T>; }

        #[derive(Debug)]
        pub struct Receiver<T> {
            inner: plain::Receiver<T>,
            others: Resource,
            waits: Option<Hold>,
            at: Here,
        }

        impl<T> Future for Receiver<T> {
            type Output = Result<T, error::RecvError>;

            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let this = &mut *self;
                let inner = Pin::new(&mut this.inner);
                this.others.poll(inner, &mut this.waits, (1, this.at), cx)
            }
        }

        #[track_caller]
        pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
            let (inner, receiver) = plain::channel();
            let (others, at) = (Resource::new("sender"), Location::caller());
            let _mine = others.hold_at(at, Has::NotUsedYet);
            let receiver = Receiver {
                inner: receiver,
                others,
                waits: None,
                at,
            };
            (Sender { inner, _mine }, receiver)
        }
    }
}
