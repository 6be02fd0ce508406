//! The leaf future that waits for permits, in a queue.

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use crate::{lock, subjects::leaf_of};
use futures::executor::block_on;
use runtime_contract::{Leaf, LeafFault, Local, Subject};

pub(super) fn leaf(fault: LeafFault) -> &'static dyn Leaf {
    let make = move |permits| {
        let semaphore = Arc::new(Semaphore {
            fault,
            state: Mutex::new(State {
                permits,
                ..State::default()
            }),
        });
        move |wants| Acquire {
            semaphore: semaphore.clone(),
            wants,
            id: None,
            done: false,
        }
    };
    leaf_of(match fault {
        LeafFault::IsALocalSemaphore => Local::on(block_on).weighted_semaphore("a semaphore", make),
        _ => Subject::weighted_semaphore("a semaphore", make),
    })
}

struct Semaphore {
    fault: LeafFault,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    permits: usize,
    next: usize,
    queue: VecDeque<Waiter>,
}

struct Waiter {
    id: usize,
    wants: usize,
    /// `None` when it was woken.
    waker: Option<Waker>,
    /// Its permits have been taken for it.
    served: bool,
}

impl State {
    /// Takes permits for those that have waited longest. Returns their wakers.
    fn serve(&mut self) -> Vec<Waker> {
        let mut wakers = Vec::new();
        for waiter in self.queue.iter_mut().filter(|waiter| !waiter.served) {
            if waiter.wants > self.permits {
                break;
            }
            self.permits -= waiter.wants;
            waiter.served = true;
            wakers.extend(waiter.waker.take());
        }
        wakers
    }
}

impl Semaphore {
    fn give_back(&self, permits: usize) {
        let mut state = lock(&self.state);
        state.permits += permits;
        let wakers = state.serve();
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }
}

struct Acquire {
    semaphore: Arc<Semaphore>,
    wants: usize,
    /// Its place in the queue, once it has one.
    id: Option<usize>,
    done: bool,
}

struct Guard(Arc<Semaphore>, usize);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.give_back(self.1);
    }
}

impl Future for Acquire {
    type Output = Guard;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Guard> {
        assert!(!self.done, "polled after it was ready");
        let waker = cx.waker().clone();
        let semaphore = self.semaphore.clone();
        let mut state = lock(&semaphore.state);
        let place = self.id.take();
        let place = place.and_then(|id| state.queue.iter().position(|waiter| waiter.id == id));
        let Some(place) = place else {
            let id = state.next;
            let is_first = state.queue.iter().all(|waiter| waiter.served);
            if is_first && state.permits >= self.wants {
                state.permits -= self.wants;
                self.done = true;
                return Poll::Ready(Guard(semaphore.clone(), self.wants));
            }
            state.next += 1;
            state.queue.push_back(Waiter {
                id,
                wants: self.wants,
                waker: Some(waker),
                served: false,
            });
            self.id = Some(id);
            return Poll::Pending;
        };
        if state.queue[place].served {
            let waiter = state.queue.remove(place);
            drop(state);
            drop(waiter);
            self.done = true;
            return Poll::Ready(Guard(semaphore.clone(), self.wants));
        }
        self.id = Some(state.queue[place].id);
        let earlier = state.queue[place].waker.replace(waker);
        drop(state);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let fault = self.semaphore.fault;
        let mut state = lock(&self.semaphore.state);
        let place = state.queue.iter().position(|waiter| waiter.id == id);
        let waiter = place.and_then(|place| state.queue.remove(place));
        let served = waiter.as_ref().is_some_and(|waiter| waiter.served);
        let gives_back = match fault {
            LeafFault::GivesBackWhatItNeverHad => true,
            LeafFault::LosesAPermit => false,
            _ => served,
        };
        if gives_back {
            state.permits += self.wants;
        }
        let wakers = match fault {
            LeafFault::LeavesTheHeadInSilence if !served => Vec::new(),
            _ => state.serve(),
        };
        drop(state);
        drop(waiter);
        wakers.into_iter().for_each(Waker::wake);
    }
}
