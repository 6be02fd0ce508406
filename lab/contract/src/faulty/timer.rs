//! The leaf future: a timer, which leaves its waker with a driver.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        mpsc::{self, Sender},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use super::{
    driver::{Driver, Event},
    flag,
    timers::Id,
};
use crate::{Answer, BoxFuture, End, Leaf, LeafFault, leaf::THIRTY_YEARS};

const TWO_YEARS: Duration = Duration::from_secs(2 * 365 * 24 * 60 * 60);

struct FaultyTimer {
    fault: LeafFault,
    driver: OnceLock<Arc<Driver>>,
}

impl LeafFault {
    /// The timer with this fault.
    pub fn leaf(self) -> &'static dyn Leaf {
        if matches!(self, LeafFault::IsLocal | LeafFault::WakesWhileBorrowed) {
            return flag::leaf(self);
        }
        Box::leak(Box::new(FaultyTimer {
            fault: self,
            driver: OnceLock::new(),
        }))
    }
}

impl FaultyTimer {
    fn timer_on(&self, driver: &Arc<Driver>, after: Duration) -> BoxFuture {
        let after = match self.fault {
            LeafFault::TwoYearsAtMost => {
                assert!(after <= TWO_YEARS, "too long for this clock");
                after
            }
            LeafFault::RoundsDown => Duration::from_secs(after.as_secs()),
            LeafFault::WrapsAround => {
                let millis = after.as_millis() as i64;
                Duration::from_millis(u64::try_from(millis).unwrap_or(0))
            }
            _ => after,
        };
        let mut timer = Timer {
            fault: self.fault,
            after,
            driver: Arc::clone(driver),
            state: TimerState::New,
            polls: 0,
            sleepers: Vec::new(),
        };
        if self.fault == LeafFault::StartsAtOnce {
            timer.start_a_thread();
        }
        Box::pin(timer)
    }
}

impl Leaf for FaultyTimer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let driver = self.driver.get_or_init(|| Driver::start(self.fault));
        Ok(self.timer_on(driver, after))
    }

    fn longest(&self) -> Duration {
        match self.fault {
            LeafFault::TwoYearsAtMost => TWO_YEARS,
            _ => THIRTY_YEARS,
        }
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let driver = Driver::start(self.fault);
        let timers = (0..count).map(|_| self.timer_on(&driver, after)).collect();
        Ok((timers, Box::new(move || driver.close())))
    }
}

struct Timer {
    fault: LeafFault,
    after: Duration,
    driver: Arc<Driver>,
    state: TimerState,
    polls: usize,
    /// For the faults that start threads.
    sleepers: Vec<Sender<()>>,
}

enum TimerState {
    New,
    Waiting(Id),
    Over,
}

impl Timer {
    fn start_a_thread(&mut self) {
        let (sleeper, sent_away) = mpsc::channel();
        self.sleepers.push(sleeper);
        self.driver.send(Event::StartAThread(sent_away));
    }

    fn start(&self) -> Option<Id> {
        let id = self.driver.timers.enter()?;
        let deadline = match self.fault {
            LeafFault::Overflows => Some(Instant::now() + self.after),
            LeafFault::ZeroIsNever if self.after.is_zero() => None,
            _ => Instant::now().checked_add(self.after),
        };
        if let Some(deadline) = deadline {
            self.driver.send(Event::Start(id, deadline));
        }
        Some(id)
    }

    fn leave(&self, id: Id) {
        // Once it is over, and before that if it is dropped.
        let over = matches!(self.state, TimerState::Over);
        match self.fault {
            LeafFault::LeaksWhenOver if over => return,
            LeafFault::StaysWhenDropped if !over => return,
            _ => {}
        }
        let mut removed = self.driver.timers.remove(id);
        if self.fault == LeafFault::PanicsBeforeItForgets {
            drop(removed.take());
        }
        if over || self.fault != LeafFault::ThreadStaysWhenDropped {
            self.driver.send(Event::Forget(id));
        }
        drop(removed);
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let fault = self.fault;
        self.polls += 1;
        match fault {
            LeafFault::WakesInEachPoll => cx.waker().wake_by_ref(),
            LeafFault::StartsAThreadInEachPoll => self.start_a_thread(),
            LeafFault::AllocatesInEachPoll => {
                drop(std::hint::black_box(Box::new(self.polls)));
            }
            LeafFault::ReadyAtTheSecondPoll if self.polls > 1 => return Poll::Ready(()),
            _ => {}
        }
        let id = match self.state {
            TimerState::New if self.after.is_zero() && fault != LeafFault::ZeroIsNever => None,
            TimerState::New => self.start(),
            TimerState::Waiting(id) => Some(id),
            TimerState::Over if fault == LeafFault::PendingAfterReady => return Poll::Pending,
            TimerState::Over => return Poll::Ready(()),
        };
        if let Some(id) = id {
            self.state = TimerState::Waiting(id);
            if self.driver.timers.poll(id, cx.waker()).is_pending() {
                return Poll::Pending;
            }
        }
        self.state = TimerState::Over;
        id.into_iter().for_each(|id| self.leave(id));
        Poll::Ready(())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let TimerState::Waiting(id) = self.state {
            self.leave(id);
        }
    }
}
