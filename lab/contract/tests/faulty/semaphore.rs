//! The leaf future that waits for permits, in a queue, and what can be made of it: a lock, one for readers and writers, and a channel in
//! which senders wait for room.

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use crate::{lock, subjects::leaf_of};
use futures::executor::block_on;
use runtime_contract::{BoxFuture, Leaf, LeafFault, Local, Message, Subject};

pub(super) fn leaf(fault: LeafFault) -> &'static dyn Leaf {
    let make = move |permits| acquires(&Semaphore::new(fault, permits));
    let lock = move || {
        let mut acquire = make(1);
        move || acquire(1)
    };
    leaf_of(match fault {
        LeafFault::IsALocalSemaphore => Local::on(block_on).weighted_semaphore("a semaphore", make),
        LeafFault::IsALocalLock => Local::on(block_on).lock("a lock", lock),
        LeafFault::AreLocalWaiters => Local::on(block_on).waiters("waiters", waiters),
        LeafFault::IsALocalRwLock => Local::on(block_on).rw_lock("a lock", move || rw_lock(fault)),
        LeafFault::IsAnRwLock => Subject::rw_lock("a lock", move || rw_lock(fault)),
        LeafFault::SharesWithAWriter => {
            Subject::rw_lock("a lock", || rw_lock(LeafFault::GivesBackWhatItNeverHad))
        }
        LeafFault::WritersLeaveInSilence => {
            Subject::rw_lock("a lock", || rw_lock(LeafFault::LeavesTheHeadInSilence))
        }
        LeafFault::IsALocalSender => {
            Local::on(block_on).sender("a sender", move |room| sender(fault, room))
        }
        LeafFault::IsASender
        | LeafFault::KeepsSendersAtItsClose
        | LeafFault::LosesRoom
        | LeafFault::ReceivesInSilence => {
            Subject::sender("a sender", move |room| sender(fault, room))
        }
        _ => Subject::weighted_semaphore("a semaphore", make),
    })
}

fn acquires(semaphore: &Arc<Semaphore>) -> impl FnMut(usize) -> Acquire + Send + use<> {
    let semaphore = semaphore.clone();
    move |wants| Acquire {
        semaphore: semaphore.clone(),
        wants,
        id: None,
        done: false,
    }
}

/// A gift is a permit, which is used up.
fn waiters() -> (impl FnMut() -> Spent, impl FnMut()) {
    let semaphore = Semaphore::new(LeafFault::None, 0);
    let mut acquire = acquires(&semaphore);
    (move || Spent(acquire(1)), move || semaphore.give_back(1))
}

/// Acquires a permit that is never given back.
struct Spent(Acquire);

impl Future for Spent {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx).map(|mut guard| guard.1 = 0)
    }
}

/// A reader has one of as many permits as there will ever be readers, and a writer has all.
fn rw_lock(
    fault: LeafFault,
) -> (
    impl FnMut() -> Acquire + Send,
    impl FnMut() -> Acquire + Send,
) {
    const ALL: usize = 1_000;
    let semaphore = Semaphore::new(fault, ALL);
    let (mut read, mut write) = (acquires(&semaphore), acquires(&semaphore));
    (move || read(1), move || write(ALL))
}

/// A permit is room for one message.
fn sender(
    fault: LeafFault,
    room: usize,
) -> (
    impl FnMut(Message) -> BoxFuture + Send,
    impl FnMut() -> Option<Message> + Send,
) {
    let loses = match fault {
        LeafFault::LosesRoom => LeafFault::LosesAPermit,
        _ => fault,
    };
    let (semaphore, messages) = (Semaphore::new(loses, room), Arc::new(Mutex::default()));
    let (mut acquire, queue) = (acquires(&semaphore), Arc::clone(&messages));
    let mut receiver = Receiver {
        semaphore,
        messages,
    };
    let send = move |message| -> BoxFuture {
        let (room, queue) = (Spent(acquire(1)), queue.clone());
        Box::pin(async move {
            room.await;
            lock(&queue).push_back(message);
        })
    };
    (send, move || receiver.receive())
}

struct Receiver {
    semaphore: Arc<Semaphore>,
    messages: Arc<Mutex<VecDeque<Message>>>,
}

impl Receiver {
    fn receive(&mut self) -> Option<Message> {
        let message = lock(&self.messages).pop_front()?;
        if self.semaphore.fault == LeafFault::ReceivesInSilence {
            lock(&self.semaphore.state).permits += 1;
        } else {
            self.semaphore.give_back(1);
        }
        Some(message)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        if self.semaphore.fault != LeafFault::KeepsSendersAtItsClose {
            self.semaphore.give_back(1_000);
        }
    }
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
    fn new(fault: LeafFault, permits: usize) -> Arc<Semaphore> {
        let state = State {
            permits,
            ..State::default()
        };
        Arc::new(Semaphore {
            fault,
            state: Mutex::new(state),
        })
    }

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
