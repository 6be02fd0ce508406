//! The leaf future of which several wait for one thing: the receiver of a channel.

use std::{
    collections::VecDeque,
    future::Future,
    mem,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use crate::lock;
use runtime_contract::{Answer, BoxFuture, Give, Leaf, LeafFault, Put};

pub(super) struct FaultyChannel(pub(super) LeafFault);

impl FaultyChannel {
    fn receivers(&self, count: usize) -> (Vec<BoxFuture>, Arc<Channel>) {
        let channel = Arc::new(Channel::default());
        lock(&channel.0).receivers = count;
        let receivers = (0..count).map(|id| -> BoxFuture {
            let (fault, channel) = (self.0, channel.clone());
            Box::pin(Receive {
                fault,
                channel,
                id,
                done: false,
            })
        });
        (receivers.collect(), channel)
    }
}

impl Leaf for FaultyChannel {
    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        let (receivers, channel) = self.receivers(count);
        Ok((receivers, Box::new(move || channel.put(Arc::default()))))
    }

    fn queue(&self) -> Answer<(BoxFuture, Put)> {
        let (mut receivers, channel) = self.receivers(1);
        let put = move |message| channel.put(message);
        Ok((receivers.remove(0), Box::new(put)))
    }
}

#[derive(Default)]
struct Channel(Mutex<State>);

#[derive(Default)]
struct State {
    receivers: usize,
    messages: VecDeque<Arc<()>>,
    /// Those that wait, by number, the first of them first.
    waiting: VecDeque<(usize, Waker)>,
    /// The messages of those that were woken, and have not been polled since.
    given: Vec<(usize, Arc<()>)>,
}

impl Channel {
    fn put(&self, message: Arc<()>) {
        let mut state = lock(&self.0);
        let Some((id, waker)) = state.waiting.pop_front() else {
            state.messages.push_back(message);
            return;
        };
        state.given.push((id, message));
        drop(state);
        waker.wake();
    }
}

impl State {
    fn take_given(&mut self, id: usize) -> Option<Arc<()>> {
        let place = self.given.iter().position(|(it, _)| *it == id)?;
        Some(self.given.swap_remove(place).1)
    }

    fn takes(&mut self, id: usize) -> bool {
        let given = self.take_given(id);
        given.or_else(|| self.messages.pop_front()).is_some()
    }
}

struct Receive {
    fault: LeafFault,
    channel: Arc<Channel>,
    id: usize,
    done: bool,
}

impl Future for Receive {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let checks_first = self.fault == LeafFault::ChecksBeforeItClones;
        self.done |= checks_first && lock(&self.channel.0).takes(self.id);
        // A waker is code of others. So it is cloned before the lock is taken, and what it replaces is dropped after.
        let waker = cx.waker().clone();
        let (id, channel) = (self.id, self.channel.clone());
        let mut state = lock(&channel.0);
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

impl Drop for Receive {
    fn drop(&mut self) {
        let mut state = lock(&self.channel.0);
        let place = state.waiting.iter().position(|(id, _)| *id == self.id);
        let waker = place.and_then(|place| state.waiting.remove(place));
        let given = state.take_given(self.id);
        drop(state);
        drop(waker);
        if self.fault != LeafFault::LosesWhatWasGiven {
            given.into_iter().for_each(|it| self.channel.put(it));
        }
        let mut state = lock(&self.channel.0);
        state.receivers -= 1;
        if state.receivers == 0 && self.fault != LeafFault::KeepsWhatIsQueued {
            state.messages.clear();
        }
    }
}
