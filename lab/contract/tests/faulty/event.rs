//! The leaf future of which all are woken at once.

use std::{
    collections::BTreeMap,
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use crate::{lock, subjects::leaf_of};
use futures::executor::block_on;
use runtime_contract::{Leaf, LeafFault, Local, Subject};

pub(super) fn leaf(fault: LeafFault) -> &'static dyn Leaf {
    let make = move || {
        let event = Arc::new(Mutex::new(Event::default()));
        let (listens, mut next) = (event.clone(), 0);
        let listen = move || {
            next += 1;
            Listener {
                event: listens.clone(),
                id: next,
            }
        };
        let happens = move || {
            let mut state = lock(&event);
            state.happened = true;
            let waiting = mem::take(&mut state.waiting);
            drop(state);
            let some = match fault {
                LeafFault::WakesTheFirstAlone => 1,
                _ => waiting.len(),
            };
            for waker in waiting.into_values().take(some) {
                let woken = catch_unwind(AssertUnwindSafe(|| waker.wake()));
                if let (Err(panic), LeafFault::TrustsWakers) = (woken, fault) {
                    resume_unwind(panic);
                }
            }
        };
        (listen, happens)
    };
    leaf_of(match fault {
        LeafFault::IsALocalEvent => Local::on(block_on).event("an event", make),
        _ => Subject::event("an event", make),
    })
}

#[derive(Default)]
struct Event {
    happened: bool,
    waiting: BTreeMap<usize, Waker>,
}

struct Listener {
    event: Arc<Mutex<Event>>,
    id: usize,
}

impl Future for Listener {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        let mut state = lock(&self.event);
        if state.happened {
            return Poll::Ready(());
        }
        let earlier = state.waiting.insert(self.id, waker);
        drop(state);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let waker = lock(&self.event).waiting.remove(&self.id);
        drop(waker);
    }
}
