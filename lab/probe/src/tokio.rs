//! tokio's locks, channels and tasks under the same names, which tell [`within`](crate::within) who has what a future waits for.
//!
//! Put `use probe::tokio::sync::Mutex;` in the place of `use tokio::sync::Mutex;`, or `use probe::tokio;` at the top of the file, and
//! what waits is watched. Rare methods of tokio's are not there, such as `const_new` and `downgrade`: the compiler says which.
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
    see::{
        facts::{Has, Use},
        lock::own,
        place::Line,
        resource::ResourceKind,
        scope,
        task::{self as tasks, Task},
        watch::{OnDrop, watched_as},
    },
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
pub fn spawn<F: Future<Output: Send> + Send + 'static>(future: F) -> JoinHandle<F::Output> {
    let watched = watched_as(None, Location::caller(), future);
    let task = watched.watch.task.0.clone();
    JoinHandle::new(tokio::spawn(watched), task)
}

pub mod task {
    pub use ::tokio::task::*;

    use super::*;
    pub use super::{JoinHandle, JoinSet, spawn};

    /// The closure is watched as a task, which knows its thread.
    #[track_caller]
    pub fn spawn_blocking<F, T>(f: F) -> JoinHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let runs = closure(Location::caller());
        let task = runs.0.clone();
        JoinHandle::new(plain::spawn_blocking(move || tasks::run(&runs.0, f)), task)
    }
}

fn closure(at: Line) -> OnDrop {
    let name = format!("closure of {}:{}", at.file(), at.line());
    OnDrop(Task::new(Some(name.into()), at, true, scope::watchers()))
}

#[derive(Debug)]
pub struct JoinHandle<T> {
    inner: plain::JoinHandle<T>,
    task: Arc<Task>,
    /// Whether the task knows who waits for its end. Most handles take no lock for that.
    is_awaited: bool,
}

impl<T> JoinHandle<T> {
    fn new(inner: plain::JoinHandle<T>, task: Arc<Task>) -> Self {
        Self {
            inner,
            task,
            is_awaited: false,
        }
    }

    fn awaited_by(&mut self, joiner: Option<Use>) {
        if self.is_awaited || joiner.is_some() {
            self.is_awaited = joiner.is_some();
            *own(&self.task.joiner) = joiner;
        }
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, plain::JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = Pin::new(&mut self.inner).poll(cx);
        let joiner = || Use::here(self.task.made, Has::wait(cx), 1);
        let joiner = poll.is_pending().then(joiner);
        self.awaited_by(joiner);
        poll
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        self.awaited_by(None);
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
        let inner = plain::JoinSet::new();
        let tasks = Resource::new_at(ResourceKind::Tasks, Location::caller());
        Self { inner, tasks }
    }
}

impl<T: Send + 'static> JoinSet<T> {
    pub fn new() -> Self {
        Self::default()
    }

    #[track_caller]
    pub fn spawn(&mut self, it: impl Future<Output = T> + Send + 'static) -> plain::AbortHandle {
        let watched = watched_as(None, Location::caller(), it);
        let runs = self.tasks.held_by(Use::of(&watched.watch.task.0));
        self.inner.spawn(async move {
            let _runs = runs;
            watched.await
        })
    }

    #[track_caller]
    pub fn spawn_blocking(&mut self, f: impl FnOnce() -> T + Send + 'static) -> plain::AbortHandle {
        let closure = closure(Location::caller());
        let runs = self.tasks.held_by(Use::of(&closure.0));
        self.inner.spawn_blocking(move || {
            let _runs = runs;
            tasks::run(&closure.0, f)
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

/// One end of a channel, or a future with a name. Who calls anything of it has it.
#[derive(Debug)]
pub struct End<E> {
    inner: E,
    at: Line,
    mine: Hold,
    others: Resource,
    waits: Option<Hold>,
}

impl<E> End<E> {
    fn made(inner: E, at: Line, mine: &Resource, others: &Resource) -> Self {
        End {
            inner,
            at,
            mine: mine.hold_many(1, at, Has::NotUsedYet),
            others: others.clone(),
            waits: None,
        }
    }
}

fn ends<S, R>((sender, receiver): (S, R), at: Line) -> (End<S>, End<R>) {
    let [senders, receivers] =
        [ResourceKind::Sender, ResourceKind::Receiver].map(|kind| Resource::new_at(kind, at));
    let sender = End::made(sender, at, &senders, &receivers);
    (sender, End::made(receiver, at, &receivers, &senders))
}

impl<F: Future + Unpin> Future for End<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        this.mine.is_here(this.at);
        let inner = Pin::new(&mut this.inner);
        this.others.poll(inner, &mut this.waits, (1, this.at), cx)
    }
}

impl<E: Clone> Clone for End<E> {
    #[track_caller]
    fn clone(&self) -> Self {
        let inner = self.inner.clone();
        End::made(inner, Location::caller(), &self.mine.0, &self.others)
    }
}

impl<E> Deref for End<E> {
    type Target = E;

    #[track_caller]
    fn deref(&self) -> &E {
        self.mine.is_here(Location::caller());
        &self.inner
    }
}

impl<E> DerefMut for End<E> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut E {
        self.mine.is_here(Location::caller());
        &mut self.inner
    }
}

/// What waits at one end of a channel for who has the other.
macro_rules! at_end {
    ($($name:ident($this:ty $(, $with:ident: $of:ty)?) => $output:ty $(, $is_over:ident)?;)*) => {$(
        #[track_caller]
        pub fn $name(self: $this $(, $with: $of)?) -> impl Future<Output = $output> {
            let at = Location::caller();
            async move {
                self.mine.is_here(at);
                let got = self.others.wait_many(1, self.inner.$name($($with)?), at).await;
                $(if got.$is_over() {
                    self.others.asked_in_vain(at);
                })?
                got
            }
        }
    )*};
}

/// A channel and its two ends. Who waits at one end waits for who has the other.
macro_rules! ends {
    ($channel:ident($($room:ident: $size:ty)?) $sender:ident $receiver:ident; $waits:ident $(, $blocks:ident)? => $output:ty, $is_over:ident $(, $bound:ident)? $(; $subscribe:ident)?;) => {
        pub type $sender<T> = End<plain::$sender<T>>;
        pub type $receiver<T> = End<plain::$receiver<T>>;

        #[track_caller]
        pub fn $channel<T $(: $bound)?>($($room: $size)?) -> ($sender<T>, $receiver<T>) {
            ends(plain::$channel($($room)?), Location::caller())
        }

        impl<T $(: $bound)?> $receiver<T> {
            at_end! { $waits(&mut Self) => $output, $is_over; }

            $(#[track_caller]
            pub fn $blocks(&mut self) -> $output {
                let at = Location::caller();
                self.mine.is_here(at);
                self.others.block(at, || self.inner.$blocks())
            })?
        }

        impl<T> $sender<T> {
            at_end! { closed(&Self) => (); }

            $(#[track_caller]
            pub fn $subscribe(&self) -> $receiver<T> {
                let inner = self.inner.$subscribe();
                End::made(inner, Location::caller(), &self.others, &self.mine.0)
            })?
        }
    };
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
        hold: Hold,
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
        ($($permit:ty),*) => {$(impl Held<$permit> {
            #[track_caller]
            pub fn forget(self) {
                self.hold.forget(Location::caller());
                self.guard.forget();
            }
        })*};
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
                    waits!(= guard, |guard| Held { guard, hold: hold() } $(, $error)?)
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

    /// What blocks its thread, or does not wait at all.
    macro_rules! calls {
        ($($name:ident($this:ty $(, $number:ident)?) $(.$clone:ident())? => $guard:ty $(, $error:ty)?;)*) => {$(
            #[track_caller]
            pub fn $name(self: $this $(, $number: u32)?) -> waits!(@ Held<$guard> $(, $error)?) {
                let at = Location::caller();
                let guard = self.resource.block(at, || self.inner$(.$clone())?.$name($($number)?));
                let hold = || self.resource.hold_many(waits!(# $($number)?), at, waits!(? $($clone)?));
                waits!(= guard, |guard| Held { guard, hold: hold() } $(, $error)?)
            }
        )*};
    }

    /// What tasks share, and who has it or waits for it.
    #[derive(Debug)]
    pub struct Shared<S> {
        resource: Resource,
        inner: Arc<S>,
    }

    macro_rules! shared {
        ($($name:ident $(<$T:ident>)? ($($with:ident: $of:ty)?) is $kind:ident $(of $total:ident)?;)*) => {$(
            pub type $name $(<$T>)? = Shared<plain::$name $(<$T>)?>;

            impl $(<$T>)? $name $(<$T>)? {
                #[track_caller]
                pub fn new($($with: $of)?) -> Self {
                    let resource = Resource::new_at(ResourceKind::$kind, Location::caller());
                    $(resource.uses().total = Some($total);)?
                    Self { resource, inner: Arc::new(plain::$name::new($($with)?)) }
                }
            }
        )*};
    }

    // Who will notify is not known.
    shared! {
        Mutex<T>(value: T) is Lock; RwLock<T>(value: T) is Lock; Semaphore(permits: usize) is Permits of permits;
        Notify() is Notification; Barrier(n: usize) is Barrier of n;
    }
    derefs! { Semaphore to Arc<plain::Semaphore>; Notify to Arc<plain::Notify>; Barrier to Arc<plain::Barrier>; }

    macro_rules! lock {
        ($lock:ident { $($waits:tt)* } { $($calls:tt)* }) => {
            impl<T> $lock<T> {
                pub fn into_inner(self) -> T {
                    let inner = Arc::into_inner(self.inner);
                    inner.expect("a guard that owns the lock keeps it from being moved").into_inner()
                }

                pub fn get_mut(&mut self) -> &mut T {
                    let inner = Arc::get_mut(&mut self.inner);
                    inner.expect("no guard that owns the lock is left").get_mut()
                }

                waits! { $($waits)* }
                calls! { $($calls)* }
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
        try_lock(&Self) => plain::MutexGuard<'_, T>, TryLockError;
        try_lock_owned(Arc<Self>).clone() => plain::OwnedMutexGuard<T>, TryLockError;
        blocking_lock(&Self) => plain::MutexGuard<'_, T>;
        blocking_lock_owned(Arc<Self>).clone() => plain::OwnedMutexGuard<T>;
    } }

    lock! { RwLock {
        read(&Self) => plain::RwLockReadGuard<'_, T>;
        write(&Self) => plain::RwLockWriteGuard<'_, T>;
        read_owned(Arc<Self>).clone() => plain::OwnedRwLockReadGuard<T>;
        write_owned(Arc<Self>).clone() => plain::OwnedRwLockWriteGuard<T>;
    } {
        try_read(&Self) => plain::RwLockReadGuard<'_, T>, TryLockError;
        try_write(&Self) => plain::RwLockWriteGuard<'_, T>, TryLockError;
        blocking_read(&Self) => plain::RwLockReadGuard<'_, T>;
        blocking_write(&Self) => plain::RwLockWriteGuard<'_, T>;
    } }

    impl Semaphore {
        waits! {
            acquire(&Self) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_owned(Arc<Self>).clone() => plain::OwnedSemaphorePermit, AcquireError;
            acquire_many(&Self, n) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_many_owned(Arc<Self>, n).clone() => plain::OwnedSemaphorePermit, AcquireError;
        }
        calls! {
            try_acquire(&Self) => plain::SemaphorePermit<'_>, TryAcquireError;
            try_acquire_owned(Arc<Self>).clone() => plain::OwnedSemaphorePermit, TryAcquireError;
            try_acquire_many(&Self, n) => plain::SemaphorePermit<'_>, TryAcquireError;
            try_acquire_many_owned(Arc<Self>, n).clone() => plain::OwnedSemaphorePermit, TryAcquireError;
        }

        pub fn add_permits(&self, n: usize) {
            self.resource.uses().come += n;
            self.inner.add_permits(n);
        }

        #[track_caller]
        pub fn forget_permits(&self, n: usize) -> usize {
            let (forgotten, at) = (self.inner.forget_permits(n), Location::caller());
            self.resource.lose(forgotten, at, Has::Forgot);
            forgotten
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

    impl Default for Notify {
        #[track_caller]
        fn default() -> Self {
            Self::new()
        }
    }

    impl Notify {
        #[track_caller]
        pub fn notified(&self) -> Notified<'_> {
            let (inner, at) = (Box::pin(self.inner.notified()), Location::caller());
            let mine = Resource::new_at(ResourceKind::Future, at);
            End::made(inner, at, &mine, &self.resource)
        }

        #[track_caller]
        pub fn notify_waiters(&self) {
            self.resource.lose(1, Location::caller(), Has::Notified);
            self.inner.notify_waiters();
        }
    }

    type Notified<'a> = End<Pin<Box<plain::futures::Notified<'a>>>>;

    impl Notified<'_> {
        pub fn enable(mut self: Pin<&mut Self>) -> bool {
            self.inner.as_mut().enable()
        }
    }

    pub mod mpsc {
        pub use ::tokio::sync::mpsc::*;
        use ::tokio::sync::mpsc::{self as plain, error::SendError};

        use super::{super::*, Held};

        ends! { channel(room: usize) Sender Receiver; recv, blocking_recv => Option<T>, is_none; }
        ends! { unbounded_channel() UnboundedSender UnboundedReceiver; recv, blocking_recv => Option<T>, is_none; }

        pub type Permit<'a, T> = Held<plain::Permit<'a, T>>;

        impl<T> Permit<'_, T> {
            pub fn send(self, value: T) {
                self.guard.send(value);
            }
        }

        impl<T> Sender<T> {
            at_end! { send(&Self, value: T) => Result<(), SendError<T>>; }

            #[track_caller]
            pub fn reserve(&self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>> {
                let at = Location::caller();
                async move {
                    self.mine.is_here(at);
                    let guard = self.others.wait_many(1, self.inner.reserve(), at).await?;
                    let hold = self.others.hold_many(1, at, Has::Reserved);
                    Ok(Held { guard, hold })
                }
            }

            #[track_caller]
            pub fn blocking_send(&self, value: T) -> Result<(), SendError<T>> {
                let at = Location::caller();
                self.mine.is_here(at);
                self.others.block(at, || self.inner.blocking_send(value))
            }
        }
    }

    pub mod broadcast {
        use ::tokio::sync::broadcast as plain;
        pub use ::tokio::sync::broadcast::*;

        use super::super::*;

        ends! { channel(room: usize) Sender Receiver; recv, blocking_recv => Result<T, error::RecvError>, is_err, Clone; subscribe; }
    }

    pub mod watch {
        use ::tokio::sync::watch as plain;
        pub use ::tokio::sync::watch::*;

        use super::super::*;

        ends! { channel(first: T) Sender Receiver; changed => Result<(), error::RecvError>, is_err; subscribe; }

        impl<T> Receiver<T> {
            at_end! { wait_for(&mut Self, is: impl FnMut(&T) -> bool) => Result<Ref<'_, T>, error::RecvError>, is_err; }
        }
    }

    pub mod oneshot {
        use ::tokio::sync::oneshot as plain;
        pub use ::tokio::sync::oneshot::*;

        use super::super::*;

        pub type Sender<T> = End<plain::Sender<T>>;

        impl<T> Sender<T> {
            at_end! { closed(&mut Self) => (); }

            pub fn send(self, value: T) -> Result<(), T> {
                self.inner.send(value)
            }
        }

        pub type Receiver<T> = End<plain::Receiver<T>>;

        impl<T> Receiver<T> {
            #[track_caller]
            pub fn blocking_recv(self) -> Result<T, error::RecvError> {
                self.others
                    .block(Location::caller(), || self.inner.blocking_recv())
            }
        }

        #[track_caller]
        pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
            ends(plain::channel(), Location::caller())
        }
    }
}
