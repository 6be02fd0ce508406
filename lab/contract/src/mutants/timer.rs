//! The leaf future: a timer with a thread.

use std::{
    future::Future,
    mem,
    pin::Pin,
    sync::{
        Arc, Mutex,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use super::{leaf_defect::LeafDefect, lock};
use crate::{Answer, Leaf, Task};

pub(super) struct MutantTimer(pub(super) LeafDefect);

impl Leaf for MutantTimer {
    fn timer(&self, after: Duration) -> Answer<Task> {
        let mut timer = Timer {
            defect: self.0,
            after,
            shared: Arc::default(),
            sleepers: Vec::new(),
            polls: 0,
            first: None,
            over: false,
        };
        if self.0 == LeafDefect::StartsAtOnce {
            timer.start();
        }
        Ok(Box::pin(timer))
    }
}

struct Timer {
    defect: LeafDefect,
    after: Duration,
    shared: Arc<Shared>,
    /// Nothing is ever sent. A thread sees that its sender is gone, and stops sleeping.
    sleepers: Vec<Sender<()>>,
    polls: usize,
    first: Option<Waker>,
    over: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    fired: bool,
    wakers: Vec<Waker>,
    /// A cycle, for the mutant that leaks.
    itself: Option<Arc<Shared>>,
}

static ONE_PLACE: Mutex<Vec<Waker>> = Mutex::new(Vec::new());
static IN_ORDER: Mutex<()> = Mutex::new(());

impl Timer {
    fn start(&mut self) {
        let (sleeper, dropped) = mpsc::channel();
        let (defect, after) = (self.defect, self.after);
        let shared = self.shared.clone();
        let kept = (defect == LeafDefect::SleepsOnWhenDropped).then(|| sleeper.clone());
        self.sleepers.push(sleeper);
        thread::spawn(move || {
            let _kept = kept;
            let _turn = (defect == LeafDefect::SleepsInOrder).then(|| lock(&IN_ORDER));
            if dropped.recv_timeout(after) == Err(RecvTimeoutError::Timeout) {
                shared.fire(defect);
            }
        });
    }
}

impl Shared {
    fn fire(self: &Arc<Self>, defect: LeafDefect) {
        let mut state = lock(&self.state);
        state.fired = true;
        match defect {
            LeafDefect::WakesUnderItsLock => state.wakers.drain(..).for_each(Waker::wake),
            LeafDefect::LeaksWhenOver => {
                state.itself = Some(self.clone());
                let wakers = state.wakers.clone();
                drop(state);
                wakers.into_iter().for_each(Waker::wake);
            }
            LeafDefect::SharesOnePlace => {
                drop(state);
                let waker = lock(&ONE_PLACE).pop();
                waker.into_iter().for_each(Waker::wake);
            }
            _ => {
                let wakers = mem::take(&mut state.wakers);
                drop(state);
                wakers.into_iter().for_each(Waker::wake);
            }
        }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let defect = self.defect;
        self.polls += 1;
        if self.over {
            return match defect {
                LeafDefect::PendingAfterReady => Poll::Pending,
                _ => Poll::Ready(()),
            };
        }
        if self.after.is_zero() && defect != LeafDefect::ZeroIsNever {
            return Poll::Ready(());
        }
        if defect == LeafDefect::Overflows {
            let _deadline = Instant::now() + self.after;
        }
        if self.after.is_zero() {
            return Poll::Pending;
        }
        if self.sleepers.is_empty() || defect == LeafDefect::StartsAThreadInEachPoll {
            self.start();
        }
        let shared = self.shared.clone();
        let mut state = lock(&shared.state);
        if state.fired || (defect == LeafDefect::ReadyAtTheSecondPoll && self.polls > 1) {
            self.over = true;
            return Poll::Ready(());
        }
        let waker = cx.waker();
        let compares = defect == LeafDefect::ComparesWithTheFirst;
        if compares && self.first.is_none() {
            self.first = Some(waker.clone());
        }
        let as_the_first = self.first.as_ref().is_some_and(|it| it.will_wake(waker));
        match defect {
            LeafDefect::KeepsNoWaker => {}
            LeafDefect::KeepsTheFirstWaker if !state.wakers.is_empty() => {}
            LeafDefect::ComparesWithTheFirst if as_the_first && !state.wakers.is_empty() => {}
            LeafDefect::KeepsEveryWaker => state.wakers.push(waker.clone()),
            LeafDefect::SharesOnePlace => {
                let mut place = lock(&ONE_PLACE);
                place.clear();
                place.push(waker.clone());
            }
            _ => match state.wakers.first_mut() {
                Some(kept) => kept.clone_from(waker),
                None => state.wakers.push(waker.clone()),
            },
        }
        if defect == LeafDefect::WakesInEachPoll {
            waker.wake_by_ref();
        }
        if defect == LeafDefect::AllocatesInEachPoll {
            drop(std::hint::black_box(Box::new(self.polls)));
        }
        Poll::Pending
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // What the thread still holds is no business of the waker's any more.
        let sleeps_on = self.defect == LeafDefect::SleepsOnWhenDropped;
        let mut state = lock(&self.shared.state);
        if !sleeps_on && self.defect != LeafDefect::LeaksWhenOver {
            let wakers = mem::take(&mut state.wakers);
            drop(state);
            drop(wakers);
        }
    }
}
