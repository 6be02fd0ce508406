//! The leaf future of which several wait for one thing: the receiver of a channel.

use std::{
    collections::VecDeque,
    future::Future,
    mem,
    pin::Pin,
    sync::{Arc, PoisonError},
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use crate::subjects::leaf_of;
use futures::executor::block_on;
use probe::{Mutex, MutexGuard};
use runtime_contract::{Answer, Ends, Leaf, LeafFault, Local, Message, Receivers};

/// The sound one, on a thread of its own.
pub(super) fn local() -> &'static dyn Leaf {
    let make = || {
        let ends = FaultyChannel(LeafFault::None).channel();
        let Ends { put, receive, .. } = ends.expect("it is a channel");
        (put, receive)
    };
    leaf_of(Local::on(block_on).channel("a channel", make))
}

/// So long a fault leaves something half done.
const A_WHILE: Duration = Duration::from_micros(20);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) struct FaultyChannel(pub(super) LeafFault);

impl Leaf for FaultyChannel {
    fn channel(&self) -> Answer<Ends> {
        let channel = Arc::new(Channel {
            fault: self.0,
            state: Mutex::default(),
        });
        let (sender, receiver) = (Sender(channel.clone()), Receiver::of(&channel));
        let mut next = 0;
        Ok(Ends {
            put: Box::new(move |message| {
                let Sender(channel) = &sender;
                channel.put(message);
            }),
            receive: Box::new(move || {
                next += 1;
                Box::pin(Receive {
                    receiver: Receiver::of(&receiver.0),
                    id: next,
                    received: None,
                    yielded: false,
                })
            }),
            receivers: Receivers::Several,
        })
    }
}

struct Channel {
    fault: LeafFault,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    receivers: usize,
    closed: bool,
    messages: VecDeque<Message>,
    /// Those that wait, by number, the first of them first.
    waiting: VecDeque<(usize, Waker)>,
    /// The messages of those that were woken, and have not been polled since.
    given: Vec<(usize, Message)>,
}

impl Channel {
    fn put(&self, message: Message) {
        let mut state = lock(&self.state);
        match self.fault {
            LeafFault::TakesTwoGiftsForOne if !state.given.is_empty() => {
                state.messages.push_back(message);
                return;
            }
            LeafFault::WakesAllForOne => {
                state.messages.push_back(message);
                let all = mem::take(&mut state.waiting);
                drop(state);
                all.into_iter().for_each(|(_, waker)| waker.wake());
                return;
            }
            _ => {}
        }
        let next = match self.fault {
            LeafFault::ServesTheLastFirst => state.waiting.pop_back(),
            LeafFault::QueuesWhenReady => state.waiting.front().cloned(),
            _ => state.waiting.pop_front(),
        };
        let Some((id, waker)) = next else {
            if self.fault != LeafFault::ForgetsWhatNoneWaitsFor {
                state.messages.push_back(message);
            }
            return;
        };
        match self.fault {
            LeafFault::WakesBeforeItGives => {
                drop(state);
                waker.wake();
                lock(&self.state).given.push((id, message));
            }
            LeafFault::WakesUnderTheLockOfItsQueue => {
                state.given.push((id, message));
                waker.wake();
            }
            _ => {
                state.given.push((id, message));
                drop(state);
                waker.wake();
            }
        }
    }
}

impl State {
    fn take_given(&mut self, id: usize) -> Option<Message> {
        let place = self
            .given
            .iter()
            .position(|(receiver, _)| *receiver == id)?;
        Some(self.given.swap_remove(place).1)
    }

    /// A message, or the end.
    fn take(&mut self, id: usize, fault: LeafFault) -> Option<Option<Message>> {
        let given = self.take_given(id);
        let message = given.or_else(|| match fault {
            LeafFault::LastMessageFirst => self.messages.pop_back(),
            _ => self.messages.pop_front(),
        });
        match message {
            None if self.closed => Some(None),
            message => message.map(Some),
        }
    }
}

struct Sender(Arc<Channel>);

impl Drop for Sender {
    fn drop(&mut self) {
        let Sender(channel) = self;
        let mut state = lock(&channel.state);
        state.closed = true;
        let rest = match channel.fault {
            LeafFault::DropsTheRestAtItsClose => mem::take(&mut state.messages),
            _ => VecDeque::new(),
        };
        let waiting = mem::take(&mut state.waiting);
        drop(state);
        drop(rest);
        if channel.fault != LeafFault::ClosesInSilence {
            waiting.into_iter().for_each(|(_, waker)| waker.wake());
        }
    }
}

/// The last of them drops the messages.
struct Receiver(Arc<Channel>);

impl Receiver {
    fn of(channel: &Arc<Channel>) -> Receiver {
        lock(&channel.state).receivers += 1;
        Receiver(channel.clone())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let Receiver(channel) = self;
        let mut state = lock(&channel.state);
        state.receivers -= 1;
        if state.receivers == 0 && channel.fault != LeafFault::KeepsWhatIsQueued {
            let rest = mem::take(&mut state.messages);
            drop(state);
            drop(rest);
        }
    }
}

struct Receive {
    receiver: Receiver,
    id: usize,
    /// A message, or the end. It stays, because a future that was ready may be polled again.
    received: Option<Option<Message>>,
    yielded: bool,
}

impl Future for Receive {
    type Output = Option<Message>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Message>> {
        let (id, channel) = (self.id, self.receiver.0.clone());
        let fault = channel.fault;
        let checks_first = fault == LeafFault::ChecksBeforeItClones;
        if self.received.is_none() && checks_first {
            self.received = lock(&channel.state).take(id, fault);
        }
        // A waker is code of others. So it is cloned before the lock is taken, and what it replaces is dropped after.
        let waker = cx.waker().clone();
        let mut state = lock(&channel.state);
        if self.received.is_none() && !checks_first {
            self.received = state.take(id, fault);
        }
        if self.received.is_some() {
            drop(state);
            if fault == LeafFault::TakesItAndYields && !mem::replace(&mut self.yielded, true) {
                waker.wake();
                return Poll::Pending;
            }
            if fault == LeafFault::WaitsForAnother {
                return Poll::Ready(self.received.take().flatten());
            }
            return Poll::Ready(self.received.clone().flatten());
        }
        if fault == LeafFault::StoresItsWakerLate {
            drop(state);
            thread::sleep(A_WHILE);
            state = lock(&channel.state);
        }
        let is_known = |(receiver, known): &(usize, Waker)| match fault {
            LeafFault::QueuesInEachPoll => false,
            LeafFault::KnowsWaitersByTheirWakers => *receiver == id || known.will_wake(&waker),
            _ => *receiver == id,
        };
        let place = state.waiting.iter().position(is_known);
        let earlier = match place {
            Some(place) => Some(mem::replace(&mut state.waiting[place].1, waker)),
            None => {
                state.waiting.push_back((id, waker));
                None
            }
        };
        if fault == LeafFault::DropsUnderTheLockOfItsQueue {
            drop(earlier);
            return Poll::Pending;
        }
        drop(state);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Receive {
    fn drop(&mut self) {
        let Receiver(channel) = &self.receiver;
        let mut state = lock(&channel.state);
        let mut given = state.take_given(self.id);
        if channel.fault == LeafFault::LeavesInTwoSteps {
            drop(state);
            thread::sleep(A_WHILE);
            state = lock(&channel.state);
        }
        let place = state.waiting.iter().position(|(id, _)| *id == self.id);
        let place = place.filter(|_| channel.fault != LeafFault::StaysInTheQueue);
        let waker = place.and_then(|place| state.waiting.remove(place));
        match channel.fault {
            LeafFault::LosesWhatWasGiven => given = None,
            LeafFault::KeepsACopy => state.messages.extend(given.clone()),
            LeafFault::PassesOnOneOfTwo if !state.given.is_empty() => {
                state.messages.extend(given.take());
            }
            _ => {}
        }
        drop(state);
        drop(waker);
        given.into_iter().for_each(|message| channel.put(message));
    }
}
