//! The leaf future of which several wait for one thing: a semaphore without a permit.

use std::{
    collections::VecDeque,
    future::Future,
    mem,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use crate::lock;
use runtime_contract::{Answer, BoxFuture, Give, Leaf, LeafFault, Trigger};

pub(super) struct FaultySemaphore(pub(super) LeafFault);

impl Leaf for FaultySemaphore {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (mut waiters, give) = self.waiters(1)?;
        Ok((waiters.remove(0), give))
    }

    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        let semaphore = Arc::new(Semaphore::default());
        let waiters = (0..count).map(|id| -> BoxFuture {
            let (fault, semaphore) = (self.0, semaphore.clone());
            Box::pin(Acquire {
                fault,
                semaphore,
                id,
                done: false,
            })
        });
        let waiters = waiters.collect();
        Ok((waiters, Box::new(move || semaphore.give())))
    }
}

#[derive(Default)]
struct Semaphore(Mutex<State>);

#[derive(Default)]
struct State {
    permits: usize,
    /// Those that wait, by number, the first of them first.
    waiting: VecDeque<(usize, Waker)>,
    /// Those that have been given a permit, and have not been polled since.
    given: Vec<usize>,
}

impl Semaphore {
    fn give(&self) {
        let mut state = lock(&self.0);
        let Some((id, waker)) = state.waiting.pop_front() else {
            state.permits += 1;
            return;
        };
        state.given.push(id);
        drop(state);
        waker.wake();
    }
}

impl State {
    fn takes(&mut self, id: usize) -> bool {
        if let Some(place) = self.given.iter().position(|it| *it == id) {
            self.given.swap_remove(place);
            return true;
        }
        let free = self.permits > 0;
        self.permits -= usize::from(free);
        free
    }
}

struct Acquire {
    fault: LeafFault,
    semaphore: Arc<Semaphore>,
    id: usize,
    done: bool,
}

impl Future for Acquire {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let checks_first = self.fault == LeafFault::ChecksBeforeItClones;
        self.done |= checks_first && lock(&self.semaphore.0).takes(self.id);
        // A waker is code of others. So it is cloned before the lock is taken, and what it replaces is dropped after.
        let waker = cx.waker().clone();
        let (id, semaphore) = (self.id, self.semaphore.clone());
        let mut state = lock(&semaphore.0);
        self.done = self.done || !checks_first && state.takes(id);
        if self.done {
            return Poll::Ready(());
        }
        let place = state.waiting.iter().position(|(it, _)| *it == id);
        let earlier = match place {
            Some(place) => Some(mem::replace(&mut state.waiting[place].1, waker)),
            None => {
                state.waiting.push_back((id, waker));
                None
            }
        };
        drop(state);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        let mut state = lock(&self.semaphore.0);
        let place = state.waiting.iter().position(|(id, _)| *id == self.id);
        let waker = place.and_then(|place| state.waiting.remove(place));
        let was_given = state.given.contains(&self.id);
        state.given.retain(|id| *id != self.id);
        drop(state);
        drop(waker);
        if was_given && self.fault != LeafFault::LosesThePermit {
            self.semaphore.give();
        }
    }
}
