//! tokio's locks, channels and tasks under the same names, which tell [`within`](crate::within) who has what a future waits for.
//!
//! Put `use why_pending::tokio::sync::Mutex;` in the place of `use tokio::sync::Mutex;`, or `use why_pending::tokio;` at the top of the file, and
//! what waits is watched. Where a type has to be tokio's own, as an argument of another library's, `.into()` makes it that, and a
//! reference to a lock is taken for one to tokio's.
#![expect(missing_docs, reason = "each is as tokio's of the same name")]

use std::{
    ops::{Deref, DerefMut},
    panic::Location,
    pin::Pin,
    sync::{Arc, OnceLock},
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

    #[track_caller]
    pub fn spawn_local<F: Future + 'static>(future: F) -> JoinHandle<F::Output>
    where
        F::Output: 'static,
    {
        let watched = watched_as(None, Location::caller(), future);
        let task = watched.watch.task.0.clone();
        JoinHandle::new(plain::spawn_local(watched), task)
    }

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
    joins: Joins,
}

/// What a handle tells the task of who waits for its end.
#[derive(Debug)]
struct Joins {
    /// `None`: it is not watched.
    task: Option<Arc<Task>>,
    /// Whether the task knows who does. Most handles take no lock for that.
    is_awaited: bool,
}

impl Joins {
    fn awaited_by(&mut self, joiner: impl FnOnce(Line) -> Option<Use>) {
        let Some(task) = &self.task else {
            return;
        };
        let joiner = joiner(task.made);
        if self.is_awaited || joiner.is_some() {
            self.is_awaited = joiner.is_some();
            *own(&task.joiner) = joiner;
        }
    }
}

impl Drop for Joins {
    fn drop(&mut self) {
        self.awaited_by(|_| None);
    }
}

impl<T> JoinHandle<T> {
    fn new(inner: plain::JoinHandle<T>, task: Arc<Task>) -> Self {
        let joins = Joins {
            task: Some(task),
            is_awaited: false,
        };
        Self { inner, joins }
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, plain::JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = Pin::new(&mut self.inner).poll(cx);
        let joiner = |made| Use::here(made, Has::wait(cx), 1);
        let is_pending = poll.is_pending();
        self.joins
            .awaited_by(|made| is_pending.then(|| joiner(made)));
        poll
    }
}

/// Of a task that is not watched, as [`Handle::spawn`](runtime::Handle::spawn) makes it.
impl<T> From<plain::JoinHandle<T>> for JoinHandle<T> {
    fn from(inner: plain::JoinHandle<T>) -> Self {
        let joins = Joins {
            task: None,
            is_awaited: false,
        };
        Self { inner, joins }
    }
}

impl<T> From<JoinHandle<T>> for plain::JoinHandle<T> {
    fn from(handle: JoinHandle<T>) -> Self {
        handle.inner
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

impl<T> JoinSet<T> {
    pub fn new() -> Self {
        Self::default()
    }

    /// The future is watched, and one of this set until it ends.
    fn watched<F: Future<Output = T>>(
        &self,
        it: F,
        at: Line,
    ) -> impl Future<Output = T> + use<T, F> {
        let watched = watched_as(None, at, it);
        let runs = self.tasks.held_by(Use::of(&watched.watch.task.0));
        async move {
            let _runs = runs;
            watched.await
        }
    }

    fn watched_closure<F: FnOnce() -> T>(&self, f: F, at: Line) -> impl FnOnce() -> T + use<T, F> {
        let closure = closure(at);
        let runs = self.tasks.held_by(Use::of(&closure.0));
        move || {
            let _runs = runs;
            tasks::run(&closure.0, f)
        }
    }
}

impl<T: 'static> JoinSet<T> {
    #[track_caller]
    pub fn spawn(&mut self, it: impl Future<Output = T> + Send + 'static) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn(watched)
    }

    #[track_caller]
    pub fn spawn_on(
        &mut self,
        it: impl Future<Output = T> + Send + 'static,
        handle: &runtime::Handle,
    ) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn_on(watched, handle)
    }

    #[track_caller]
    pub fn spawn_local(&mut self, it: impl Future<Output = T> + 'static) -> plain::AbortHandle {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn_local(watched)
    }

    #[track_caller]
    pub fn spawn_local_on(
        &mut self,
        it: impl Future<Output = T> + 'static,
        local_set: &plain::LocalSet,
    ) -> plain::AbortHandle {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn_local_on(watched, local_set)
    }

    #[track_caller]
    pub fn spawn_blocking(&mut self, f: impl FnOnce() -> T + Send + 'static) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched_closure(f, Location::caller());
        self.inner.spawn_blocking(watched)
    }

    #[track_caller]
    pub fn spawn_blocking_on(
        &mut self,
        f: impl FnOnce() -> T + Send + 'static,
        handle: &runtime::Handle,
    ) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched_closure(f, Location::caller());
        self.inner.spawn_blocking_on(watched, handle)
    }

    #[track_caller]
    pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, plain::JoinError>>> {
        self.tasks.uses().total = Some(self.inner.len());
        let next = self.inner.join_next();
        self.tasks.wait_many(1, next, Location::caller())
    }

    #[track_caller]
    pub fn join_next_with_id(
        &mut self,
    ) -> impl Future<Output = Option<Result<(plain::Id, T), plain::JoinError>>> {
        self.tasks.uses().total = Some(self.inner.len());
        let next = self.inner.join_next_with_id();
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

impl<T: Send + 'static, F: Future<Output = T> + Send + 'static> FromIterator<F> for JoinSet<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = F>>(iter: I) -> Self {
        let mut set = Self::new();
        for future in iter {
            set.spawn(future);
        }
        set
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

/// An end is tokio's own again, or one of tokio's is watched from now on.
macro_rules! into_ends {
    ($($end:ident $mine:ident $others:ident;)*) => {$(
        impl<T> From<End<plain::$end<T>>> for plain::$end<T> {
            fn from(end: End<plain::$end<T>>) -> Self {
                end.inner
            }
        }

        impl<T> From<plain::$end<T>> for End<plain::$end<T>> {
            #[track_caller]
            fn from(inner: plain::$end<T>) -> Self {
                let at = Location::caller();
                let [mine, others] = [ResourceKind::$mine, ResourceKind::$others].map(|kind| Resource::new_at(kind, at));
                End::made(inner, at, &mine, &others)
            }
        }
    )*};
}

/// A sender that keeps no channel open, and so is none that one waits for.
#[derive(Clone, Debug)]
pub struct WeakEnd<E> {
    inner: E,
    mine: Resource,
    others: Resource,
}

impl<E> Deref for WeakEnd<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.inner
    }
}

macro_rules! weak_ends {
    ($($weak:ident of $sender:ident;)*) => {$(
        pub type $weak<T> = WeakEnd<plain::$weak<T>>;

        impl<T> $weak<T> {
            #[track_caller]
            pub fn upgrade(&self) -> Option<$sender<T>> {
                let inner = self.inner.upgrade()?;
                Some(End::made(inner, Location::caller(), &self.mine, &self.others))
            }
        }

        impl<T> $sender<T> {
            pub fn downgrade(&self) -> $weak<T> {
                WeakEnd {
                    inner: self.inner.downgrade(),
                    mine: self.mine.0.clone(),
                    others: self.others.clone(),
                }
            }
        }
    )*};
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
    ($($name:ident($this:ty $(, $with:ident: $of:ty)*) => $output:ty $(, $is_over:ident)?;)*) => {$(
        #[track_caller]
        pub fn $name(self: $this $(, $with: $of)*) -> impl Future<Output = $output> {
            let at = Location::caller();
            async move {
                self.mine.is_here(at);
                let got = self.others.wait_many(1, self.inner.$name($($with),*), at).await;
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

    macro_rules! permits {
        ($($permit:ty),*) => {$(impl Held<$permit> {
            #[track_caller]
            pub fn forget(self) {
                self.hold.forget(Location::caller());
                self.guard.forget();
            }

            pub fn num_permits(&self) -> usize {
                self.guard.num_permits()
            }

            pub fn split(&mut self, n: usize) -> Option<Self> {
                let guard = self.guard.split(n)?;
                let hold = self.hold.split(n);
                Some(Held { guard, hold })
            }

            #[track_caller]
            pub fn merge(&mut self, other: Self) {
                self.guard.merge(other.guard);
                self.hold.merge(other.hold);
            }
        })*};
    }

    permits! { plain::SemaphorePermit<'_>, plain::OwnedSemaphorePermit }

    /// A guard of a part of what is locked, and no two of them: it holds what the whole one held.
    macro_rules! maps {
        ($([$($generics:tt)*] $guard:ty, $($mutable:ident)? => $part:ty;)*) => {$(
            impl<$($generics)*> Held<$guard> {
                pub fn map<U: ?Sized>(
                    this: Self,
                    f: impl FnOnce(maps!(@ $($mutable)? T)) -> maps!(@ $($mutable)? U),
                ) -> Held<$part> {
                    let guard = <$guard>::map(this.guard, f);
                    Held { guard, hold: this.hold }
                }

                pub fn try_map<U: ?Sized>(
                    this: Self,
                    f: impl FnOnce(maps!(@ $($mutable)? T)) -> Option<maps!(@ $($mutable)? U)>,
                ) -> Result<Held<$part>, Self> {
                    let hold = this.hold;
                    match <$guard>::try_map(this.guard, f) {
                        Ok(guard) => Ok(Held { guard, hold }),
                        Err(guard) => Err(Held { guard, hold }),
                    }
                }
            }
        )*};
        (@ mutable $T:ident) => { &mut $T };
        (@ $T:ident) => { &$T };
    }

    maps! {
        ['a, T: ?Sized] plain::MutexGuard<'a, T>, mutable => plain::MappedMutexGuard<'a, U>;
        [T: ?Sized] plain::OwnedMutexGuard<T>, mutable => plain::OwnedMappedMutexGuard<T, U>;
        ['a, T: ?Sized] plain::RwLockReadGuard<'a, T>, => plain::RwLockReadGuard<'a, U>;
        ['a, T: ?Sized] plain::RwLockWriteGuard<'a, T>, mutable => plain::RwLockMappedWriteGuard<'a, U>;
        [T: ?Sized] plain::OwnedRwLockWriteGuard<T>, mutable => plain::OwnedRwLockMappedWriteGuard<T, U>;
    }

    pub type MappedMutexGuard<'a, T> = Held<plain::MappedMutexGuard<'a, T>>;
    pub type OwnedMappedMutexGuard<T, U = T> = Held<plain::OwnedMappedMutexGuard<T, U>>;
    pub type RwLockMappedWriteGuard<'a, T> = Held<plain::RwLockMappedWriteGuard<'a, T>>;
    pub type OwnedRwLockMappedWriteGuard<T, U = T> = Held<plain::OwnedRwLockMappedWriteGuard<T, U>>;

    macro_rules! downgrades {
        ($([$($generics:tt)*] $guard:ty => $reads:ty;)*) => {$(
            impl<$($generics)*> Held<$guard> {
                pub fn downgrade(self) -> Held<$reads> {
                    let guard = self.guard.downgrade();
                    Held { guard, hold: self.hold }
                }
            }
        )*};
    }

    downgrades! {
        ['a, T: ?Sized] plain::RwLockWriteGuard<'a, T> => plain::RwLockReadGuard<'a, T>;
        [T: ?Sized] plain::OwnedRwLockWriteGuard<T> => plain::OwnedRwLockReadGuard<T>;
    }

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

    /// What tasks share, and who has it or waits for it. As tokio's own, it is what this derefs to.
    #[derive(Debug)]
    pub struct Shared<S> {
        resource: Known,
        inner: Store<S>,
    }

    /// Made at the first use, because a `const fn` cannot allocate.
    #[derive(Debug)]
    struct Known {
        kind: ResourceKind,
        at: Line,
        total: Option<usize>,
        resource: OnceLock<Resource>,
    }

    #[derive(Debug)]
    enum Store<S> {
        /// A guard may own a part of it.
        Shared(Arc<S>),
        /// By `const_new`.
        Fixed(S),
    }

    impl Known {
        const fn new(kind: ResourceKind, at: Line, total: Option<usize>) -> Self {
            let resource = OnceLock::new();
            Known {
                kind,
                at,
                total,
                resource,
            }
        }
    }

    impl Deref for Known {
        type Target = Resource;

        fn deref(&self) -> &Resource {
            self.resource.get_or_init(|| {
                let resource = Resource::new_at(self.kind, self.at);
                resource.uses().total = self.total;
                resource
            })
        }
    }

    impl<S> Store<S> {
        fn new(shared: S) -> Self {
            Store::Shared(Arc::new(shared))
        }

        fn owned(&self) -> Arc<S> {
            match self {
                Store::Shared(shared) => shared.clone(),
                Store::Fixed(_) => {
                    panic!("what `const_new` made is owned by no guard here: make it by `new`")
                }
            }
        }

        fn into_inner(self) -> S {
            match self {
                Store::Shared(shared) => {
                    Arc::into_inner(shared).expect("a guard that owns it keeps it from being moved")
                }
                Store::Fixed(shared) => shared,
            }
        }

        fn get_mut(&mut self) -> &mut S {
            match self {
                Store::Shared(shared) => {
                    Arc::get_mut(shared).expect("no guard that owns it is left")
                }
                Store::Fixed(shared) => shared,
            }
        }
    }

    impl<S> Deref for Store<S> {
        type Target = S;

        fn deref(&self) -> &S {
            match self {
                Store::Shared(shared) => shared,
                Store::Fixed(shared) => shared,
            }
        }
    }

    impl<S> Deref for Shared<S> {
        type Target = S;

        fn deref(&self) -> &S {
            &self.inner
        }
    }

    impl<S> Shared<S> {
        /// As tokio's own, for what owns it. What waits for it there is not known here.
        pub fn to_tokio(&self) -> Arc<S> {
            self.inner.owned()
        }
    }

    macro_rules! shared {
        ($($name:ident $(<$T:ident>)? ($($with:ident: $of:ty)?) is $kind:ident $(of $total:ident)?;)*) => {$(
            pub type $name $(<$T>)? = Shared<plain::$name $(<$T>)?>;

            impl $(<$T>)? $name $(<$T>)? {
                #[track_caller]
                pub fn new($($with: $of)?) -> Self {
                    let total = shared!(@ $($total)?);
                    Self {
                        resource: Known::new(ResourceKind::$kind, Location::caller(), total),
                        inner: Store::new(plain::$name::new($($with)?)),
                    }
                }
            }
        )*};
        (@) => { None };
        (@ $total:ident) => { Some($total) };
    }

    // Who will notify is not known.
    shared! {
        Mutex<T>(value: T) is Lock; RwLock<T>(value: T) is Lock; Semaphore(permits: usize) is Permits of permits;
        Notify() is Notification; Barrier(n: usize) is Barrier of n;
    }

    macro_rules! fixed {
        ($($name:ident $(<$T:ident>)? ($($with:ident: $of:ty)?) is $kind:ident $(of $total:ident)?;)*) => {$(
            impl $(<$T>)? $name $(<$T>)? {
                #[track_caller]
                pub const fn const_new($($with: $of)?) -> Self {
                    let total = shared!(@ $($total)?);
                    Self {
                        resource: Known::new(ResourceKind::$kind, Location::caller(), total),
                        inner: Store::Fixed(plain::$name::const_new($($with)?)),
                    }
                }
            }
        )*};
    }

    fixed! {
        Mutex<T>(value: T) is Lock; RwLock<T>(value: T) is Lock; Semaphore(permits: usize) is Permits of permits;
        Notify() is Notification;
    }

    macro_rules! lock {
        ($lock:ident { $($waits:tt)* } { $($calls:tt)* }) => {
            impl<T> $lock<T> {
                pub fn into_inner(self) -> T {
                    self.inner.into_inner().into_inner()
                }

                pub fn get_mut(&mut self) -> &mut T {
                    self.inner.get_mut().get_mut()
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

            impl<T> From<T> for $lock<T> {
                #[track_caller]
                fn from(value: T) -> Self {
                    Self::new(value)
                }
            }
        };
    }

    lock! { Mutex {
        lock(&Self) => plain::MutexGuard<'_, T>;
        lock_owned(Arc<Self>).owned() => plain::OwnedMutexGuard<T>;
    } {
        try_lock(&Self) => plain::MutexGuard<'_, T>, TryLockError;
        try_lock_owned(Arc<Self>).owned() => plain::OwnedMutexGuard<T>, TryLockError;
        blocking_lock(&Self) => plain::MutexGuard<'_, T>;
        blocking_lock_owned(Arc<Self>).owned() => plain::OwnedMutexGuard<T>;
    } }

    lock! { RwLock {
        read(&Self) => plain::RwLockReadGuard<'_, T>;
        write(&Self) => plain::RwLockWriteGuard<'_, T>;
        read_owned(Arc<Self>).owned() => plain::OwnedRwLockReadGuard<T>;
        write_owned(Arc<Self>).owned() => plain::OwnedRwLockWriteGuard<T>;
    } {
        try_read(&Self) => plain::RwLockReadGuard<'_, T>, TryLockError;
        try_write(&Self) => plain::RwLockWriteGuard<'_, T>, TryLockError;
        try_read_owned(Arc<Self>).owned() => plain::OwnedRwLockReadGuard<T>, TryLockError;
        try_write_owned(Arc<Self>).owned() => plain::OwnedRwLockWriteGuard<T>, TryLockError;
        blocking_read(&Self) => plain::RwLockReadGuard<'_, T>;
        blocking_write(&Self) => plain::RwLockWriteGuard<'_, T>;
    } }

    impl Semaphore {
        waits! {
            acquire(&Self) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_owned(Arc<Self>).owned() => plain::OwnedSemaphorePermit, AcquireError;
            acquire_many(&Self, n) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_many_owned(Arc<Self>, n).owned() => plain::OwnedSemaphorePermit, AcquireError;
        }
        calls! {
            try_acquire(&Self) => plain::SemaphorePermit<'_>, TryAcquireError;
            try_acquire_owned(Arc<Self>).owned() => plain::OwnedSemaphorePermit, TryAcquireError;
            try_acquire_many(&Self, n) => plain::SemaphorePermit<'_>, TryAcquireError;
            try_acquire_many_owned(Arc<Self>, n).owned() => plain::OwnedSemaphorePermit, TryAcquireError;
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
        pub fn notified_owned(self: Arc<Self>) -> OwnedNotified {
            let (inner, at) = (
                Box::pin(self.inner.owned().notified_owned()),
                Location::caller(),
            );
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
    type OwnedNotified = End<Pin<Box<plain::futures::OwnedNotified>>>;

    impl Notified<'_> {
        pub fn enable(mut self: Pin<&mut Self>) -> bool {
            self.inner.as_mut().enable()
        }
    }

    impl OwnedNotified {
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

        into_ends! {
            Sender Sender Receiver; Receiver Receiver Sender;
            UnboundedSender Sender Receiver; UnboundedReceiver Receiver Sender;
        }
        weak_ends! { WeakSender of Sender; WeakUnboundedSender of UnboundedSender; }

        impl<T> Receiver<T> {
            at_end! { recv_many(&mut Self, buffer: &mut Vec<T>, limit: usize) => usize; }
        }

        impl<T> UnboundedSender<T> {
            #[track_caller]
            pub fn send(&self, value: T) -> Result<(), SendError<T>> {
                self.mine.is_here(Location::caller());
                self.others.is_sent::<T>(Location::caller());
                self.inner.send(value)
            }
        }

        impl<T> UnboundedReceiver<T> {
            at_end! { recv_many(&mut Self, buffer: &mut Vec<T>, limit: usize) => usize; }
        }

        pub type Permit<'a, T> = Held<plain::Permit<'a, T>>;

        /// A place that is kept, and the sender that goes with it.
        #[derive(Debug)]
        pub struct OwnedPermit<T> {
            inner: plain::OwnedPermit<T>,
            hold: crate::Hold,
            mine: crate::Resource,
            others: crate::Resource,
        }

        impl<T> OwnedPermit<T> {
            #[track_caller]
            pub fn send(self, value: T) -> Sender<T> {
                let inner = self.inner.send(value);
                drop(self.hold);
                End::made(inner, Location::caller(), &self.mine, &self.others)
            }

            #[track_caller]
            pub fn release(self) -> Sender<T> {
                let inner = self.inner.release();
                drop(self.hold);
                End::made(inner, Location::caller(), &self.mine, &self.others)
            }
        }

        impl<T> Permit<'_, T> {
            pub fn send(self, value: T) {
                self.guard.send(value);
            }
        }

        impl<T> Sender<T> {
            #[track_caller]
            pub fn send(&self, value: T) -> impl Future<Output = Result<(), SendError<T>>> {
                let at = Location::caller();
                async move {
                    self.mine.is_here(at);
                    self.others.is_sent::<T>(at);
                    self.others.wait_many(1, self.inner.send(value), at).await
                }
            }

            #[track_caller]
            pub fn try_send(&self, value: T) -> Result<(), error::TrySendError<T>> {
                self.mine.is_here(Location::caller());
                self.others.is_sent::<T>(Location::caller());
                self.inner.try_send(value)
            }

            at_end! {
                reserve_many(&Self, n: usize) => Result<plain::PermitIterator<'_, T>, SendError<()>>;
            }

            #[track_caller]
            pub fn reserve_owned(
                self,
            ) -> impl Future<Output = Result<OwnedPermit<T>, SendError<()>>> {
                let at = Location::caller();
                async move {
                    let End {
                        inner,
                        mine,
                        others,
                        ..
                    } = self;
                    mine.is_here(at);
                    let inner = others.wait_many(1, inner.reserve_owned(), at).await?;
                    let hold = others.hold_many(1, at, Has::Reserved);
                    let mine = mine.0.clone();
                    Ok(OwnedPermit {
                        inner,
                        hold,
                        mine,
                        others,
                    })
                }
            }

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
                self.others.is_sent::<T>(at);
                self.others.block(at, || self.inner.blocking_send(value))
            }
        }
    }

    pub mod broadcast {
        use ::tokio::sync::broadcast as plain;
        pub use ::tokio::sync::broadcast::*;

        use super::super::*;

        ends! { channel(room: usize) Sender Receiver; recv, blocking_recv => Result<T, error::RecvError>, is_err, Clone; subscribe; }
        into_ends! { Sender Sender Receiver; Receiver Receiver Sender; }
        weak_ends! { WeakSender of Sender; }

        impl<T: Clone> Sender<T> {
            /// Without a receiver.
            #[track_caller]
            pub fn new(room: usize) -> Self {
                channel(room).0
            }
        }

        impl<T: Clone> Receiver<T> {
            #[track_caller]
            pub fn resubscribe(&self) -> Self {
                let inner = self.inner.resubscribe();
                End::made(inner, Location::caller(), &self.mine.0, &self.others)
            }
        }
    }

    pub mod watch {
        use ::tokio::sync::watch as plain;
        pub use ::tokio::sync::watch::*;

        use super::super::*;

        ends! { channel(first: T) Sender Receiver; changed => Result<(), error::RecvError>, is_err; subscribe; }
        into_ends! { Sender Sender Receiver; Receiver Receiver Sender; }

        impl<T> Sender<T> {
            /// Without a receiver.
            #[track_caller]
            pub fn new(first: T) -> Self {
                channel(first).0
            }
        }

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

        into_ends! { Sender Sender Receiver; Receiver Receiver Sender; }

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
