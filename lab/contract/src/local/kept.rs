//! What stays on its thread, for use on any.

use std::{
    any::Any,
    cell::RefCell,
    collections::HashMap,
    future::Future,
    marker::PhantomData,
    panic::{AssertUnwindSafe, resume_unwind},
    pin::Pin,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    task::{Context, Poll},
    thread,
};

use futures_util::Stream;

use super::Local;
use crate::caught;

thread_local! {
    /// What stays on this thread.
    static KEPT: RefCell<HashMap<u64, Box<dyn Any>>> = RefCell::default();
}

fn keep(value: impl Any) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = NEXT.fetch_add(1, Relaxed);
    KEPT.with_borrow_mut(|kept| kept.insert(id, Box::new(value)));
    id
}

fn take(id: u64) -> Option<Box<dyn Any>> {
    KEPT.with_borrow_mut(|kept| kept.remove(&id))
}

/// Something that is kept on a thread. Without a home it may be used on its thread alone.
pub(crate) struct Kept<T: 'static> {
    home: Option<Local>,
    id: u64,
    is: PhantomData<fn() -> T>,
}

/// What a closure that runs at home has kept there.
pub(super) struct Key<T>(u64, PhantomData<fn() -> T>);

impl<T: 'static> Key<T> {
    pub(super) fn of(value: T) -> Key<T> {
        Key(keep(value), PhantomData)
    }
}

impl<T: 'static> Kept<T> {
    pub(crate) fn here(value: T) -> Kept<T> {
        Kept::at(None, Key::of(value))
    }

    pub(super) fn at(home: Option<Local>, Key(id, is): Key<T>) -> Kept<T> {
        Kept { home, id, is }
    }

    fn run<R: Send + 'static>(&self, run: impl FnOnce(u64) -> R + Send + 'static) -> R {
        let id = self.id;
        match &self.home {
            Some(local) => local.home().run(move || run(id)),
            None => run(id),
        }
    }

    /// Meanwhile it is not in the map, because a waker may need that.
    pub(super) fn with<R: Send + 'static>(
        &self,
        f: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> R {
        self.run(move |id| {
            let mut kept = take(id).expect("it is used on its thread, and not by itself");
            let value = kept.downcast_mut().expect("each key is of one type");
            let done = caught(AssertUnwindSafe(|| f(value)));
            KEPT.with_borrow_mut(|all| all.insert(id, kept));
            done.unwrap_or_else(|message| resume_unwind(Box::new(message)))
        })
    }

    /// Keeps what this makes of it.
    pub(super) fn make<U: 'static>(
        &self,
        make: impl FnOnce(&mut T) -> U + Send + 'static,
    ) -> Kept<U> {
        self.beside(self.with(|value| Key::of(make(value))))
    }

    /// What was kept in the same place.
    pub(super) fn beside<U: 'static>(&self, key: Key<U>) -> Kept<U> {
        Kept::at(self.home.clone(), key)
    }
}

impl<F> Future for Kept<Pin<Box<F>>>
where
    F: Future<Output: Send + 'static> + ?Sized + 'static,
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let waker = cx.waker().clone();
        self.with(move |future| future.as_mut().poll(&mut Context::from_waker(&waker)))
    }
}

impl<S> Stream for Kept<Pin<Box<S>>>
where
    S: Stream<Item: Send + 'static> + 'static,
{
    type Item = S::Item;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let waker = cx.waker().clone();
        self.with(move |stream| stream.as_mut().poll_next(&mut Context::from_waker(&waker)))
    }
}

impl<T: 'static> Drop for Kept<T> {
    fn drop(&mut self) {
        let dropped = caught(AssertUnwindSafe(|| self.run(|id| drop(take(id)))));
        if let (Err(message), false) = (dropped, thread::panicking()) {
            resume_unwind(Box::new(message));
        }
    }
}
