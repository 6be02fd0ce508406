//! tokio's locks, channels and tasks under the same names, which tell [`within`](crate::within) who has what a future waits for.
//!
//! Put `use probe::tokio::sync::Mutex;` in the place of `use tokio::sync::Mutex;`, and nothing else changes: a lock, a channel and
//! a spawned task know then which task has them, and since which line. Each method is as tokio's of the same name; those that
//! neither wait nor hold anything are tokio's own.
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
    task::{Context, Poll},
};

use crate::{Hold, Resource, resource::Has};

type Here = &'static Location<'static>;

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
    let at = Location::caller();
    let others = Resource::new("task");
    let hold = others.hold_at(at, Has::NotUsedYet);
    let inner = tokio::spawn(crate::watched(async move {
        hold.is_here(at, Has::Now);
        future.await
    }));
    JoinHandle {
        inner,
        others,
        waits: None,
        at,
    }
}

/// Futures with names of their own: the name, what is inside, and what comes out.
macro_rules! futures {
    ($($name:ident: $inner:ty => $output:ty;)*) => {$(
        #[derive(Debug)]
        pub struct $name<T> {
            inner: $inner,
            others: Resource,
            waits: Option<Hold>,
            at: Here,
        }

        impl<T> Future for $name<T> {
            type Output = $output;

            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<$output> {
                let this = &mut *self;
                let inner = Pin::new(&mut this.inner);
                this.others.poll(inner, &mut this.waits, this.at, cx)
            }
        }

        derefs! { $name<T> to $inner; }
    )*};
}

futures! { JoinHandle: tokio::task::JoinHandle<T> => Result<T, tokio::task::JoinError>; }

pub mod sync {
    use std::sync::Arc;

    use ::tokio::sync::{self as plain};
    pub use ::tokio::sync::{AcquireError, TryAcquireError, TryLockError};

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

    /// What waits, and what it gives: a guard, or a guard or an error.
    macro_rules! waits {
        ($($name:ident($this:ty) $(.$clone:ident())? => $guard:ty $(, $error:ty)?;)*) => {$(
            #[track_caller]
            pub fn $name(self: $this) -> impl Future<Output = waits!(@ Held<$guard> $(, $error)?)> {
                let at = Location::caller();
                async move {
                    let wait = self.inner$(.$clone())?.$name();
                    let guard = self.resource.wait_at(wait, at).await;
                    waits!(= guard, |guard| Held { guard, _hold: self.resource.hold_at(at, Has::Now) } $(, $error)?)
                }
            }
        )*};
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

    #[derive(Debug)]
    pub struct Semaphore {
        resource: Resource,
        inner: Arc<plain::Semaphore>,
    }

    impl Semaphore {
        #[track_caller]
        pub fn new(permits: usize) -> Self {
            let inner = Arc::new(plain::Semaphore::new(permits));
            Self {
                resource: Resource::new("permits"),
                inner,
            }
        }

        waits! {
            acquire(&Self) => plain::SemaphorePermit<'_>, AcquireError;
            acquire_owned(Arc<Self>).clone() => plain::OwnedSemaphorePermit, AcquireError;
        }
        tries! { try_acquire => plain::SemaphorePermit<'_>, TryAcquireError; }
    }

    /// Who will notify is not known.
    #[derive(Debug)]
    pub struct Notify {
        resource: Resource,
        inner: plain::Notify,
    }

    impl Notify {
        #[track_caller]
        #[expect(
            clippy::new_without_default,
            reason = "it is named by the line that makes it"
        )]
        pub fn new() -> Self {
            let inner = plain::Notify::new();
            Self {
                resource: Resource::new("notification"),
                inner,
            }
        }

        #[track_caller]
        pub fn notified(&self) -> impl Future<Output = ()> {
            let at = Location::caller();
            self.resource.wait_at(self.inner.notified(), at)
        }
    }

    derefs! {
        Semaphore to Arc<plain::Semaphore>;
        Notify to plain::Notify;
    }

    pub mod mpsc {
        use ::tokio::sync::mpsc as plain;
        pub use ::tokio::sync::mpsc::error;

        use super::super::*;

        /// The sender and the receiver. Who waits at one end waits for who has the other.
        macro_rules! channel {
            ($channel:ident($($room:ident: usize)?) $sender:ident $receiver:ident) => {
                #[derive(Debug)]
                pub struct $sender<T> {
                    inner: plain::$sender<T>,
                    mine: Hold,
                    others: Resource,
                }

                impl<T> Clone for $sender<T> {
                    #[track_caller]
                    fn clone(&self) -> Self {
                        let (inner, others) = (self.inner.clone(), self.others.clone());
                        let mine = self.mine.again(Location::caller());
                        Self { inner, mine, others }
                    }
                }

                #[derive(Debug)]
                pub struct $receiver<T> {
                    inner: plain::$receiver<T>,
                    mine: Hold,
                    others: Resource,
                }

                impl<T> $receiver<T> {
                    #[track_caller]
                    pub fn recv(&mut self) -> impl Future<Output = Option<T>> {
                        let at = Location::caller();
                        async move {
                            self.mine.is_here(at, Has::UsedLast);
                            self.others.wait_at(self.inner.recv(), at).await
                        }
                    }
                }

                #[track_caller]
                pub fn $channel<T>($($room: usize)?) -> ($sender<T>, $receiver<T>) {
                    let (sender, receiver) = plain::$channel($($room)?);
                    let at = Location::caller();
                    let (senders, receivers) = (Resource::new("sender"), Resource::new("receiver"));
                    let has = |it: &Resource| it.hold_at(at, Has::NotUsedYet);
                    let (mine, of_receiver) = (has(&senders), has(&receivers));
                    let sender = $sender { inner: sender, mine, others: receivers };
                    (sender, $receiver { inner: receiver, mine: of_receiver, others: senders })
                }

                derefs! {
                    $sender<T> to plain::$sender<T>;
                    $receiver<T> to plain::$receiver<T>;
                }
            };
        }

        channel! { channel(room: usize) Sender Receiver }
        channel! { unbounded_channel() UnboundedSender UnboundedReceiver }

        impl<T> Sender<T> {
            #[track_caller]
            pub fn send(&self, value: T) -> impl Future<Output = Result<(), error::SendError<T>>> {
                let at = Location::caller();
                async move {
                    self.mine.is_here(at, Has::UsedLast);
                    self.others.wait_at(self.inner.send(value), at).await
                }
            }
        }
    }

    pub mod oneshot {
        use ::tokio::sync::oneshot as plain;
        pub use ::tokio::sync::oneshot::error;

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
        futures! { Receiver: plain::Receiver<T> => Result<T, error::RecvError>; }

        #[track_caller]
        pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
            let (sender, inner) = plain::channel();
            let (others, at) = (Resource::new("sender"), Location::caller());
            let _mine = others.hold_at(at, Has::NotUsedYet);
            let sender = Sender {
                inner: sender,
                _mine,
            };
            (
                sender,
                Receiver {
                    inner,
                    others,
                    waits: None,
                    at,
                },
            )
        }
    }
}
