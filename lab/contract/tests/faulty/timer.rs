//! The leaf future: a timer, which leaves its waker with a driver.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, LazyLock, Mutex, OnceLock, mpsc::Sender},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use super::{
    channel::{self, FaultyChannel},
    driver::{Driver, Id},
    event, flag, semaphore,
};
use crate::{THIRTY_YEARS, lock};
use runtime_contract::{Answer, BoxFuture, End, Leaf, LeafFault, Reset};

const TWO_YEARS: Duration = Duration::from_secs(2 * 365 * 24 * 60 * 60);

struct FaultyTimer {
    fault: LeafFault,
    driver: OnceLock<Arc<Driver>>,
}

/// The timer with this fault.
pub(super) fn faulty(fault: LeafFault) -> &'static dyn Leaf {
    if matches!(fault, LeafFault::IsLocal | LeafFault::WakesWhileBorrowed) {
        return flag::leaf(fault);
    }
    if fault == LeafFault::IsALocalChannel {
        return channel::local();
    }
    if matches!(
        fault,
        LeafFault::IsAChannel
            | LeafFault::ChecksBeforeItClones
            | LeafFault::LosesWhatWasGiven
            | LeafFault::KeepsWhatIsQueued
            | LeafFault::WakesBeforeItGives
            | LeafFault::DropsUnderTheLockOfItsQueue
            | LeafFault::WakesUnderTheLockOfItsQueue
            | LeafFault::TakesTwoGiftsForOne
            | LeafFault::StaysInTheQueue
            | LeafFault::WakesAllForOne
            | LeafFault::ServesTheLastFirst
            | LeafFault::QueuesInEachPoll
            | LeafFault::KnowsWaitersByTheirWakers
            | LeafFault::QueuesWhenReady
            | LeafFault::WaitsForAnother
            | LeafFault::ForgetsWhatNoneWaitsFor
            | LeafFault::TakesItAndYields
            | LeafFault::StoresItsWakerLate
            | LeafFault::LeavesInTwoSteps
            | LeafFault::PassesOnOneOfTwo
            | LeafFault::KeepsACopy
            | LeafFault::LastMessageFirst
            | LeafFault::ClosesInSilence
            | LeafFault::DropsTheRestAtItsClose
    ) {
        return Box::leak(Box::new(FaultyChannel(fault)));
    }
    if matches!(
        fault,
        LeafFault::IsAnEvent
            | LeafFault::IsALocalEvent
            | LeafFault::WakesTheFirstAlone
            | LeafFault::TrustsWakers
    ) {
        return event::leaf(fault);
    }
    if matches!(
        fault,
        LeafFault::IsASemaphore
            | LeafFault::IsALocalSemaphore
            | LeafFault::IsALocalLock
            | LeafFault::AreLocalWaiters
            | LeafFault::IsAnRwLock
            | LeafFault::IsALocalRwLock
            | LeafFault::IsASender
            | LeafFault::IsALocalSender
            | LeafFault::SharesWithAWriter
            | LeafFault::WritersLeaveInSilence
            | LeafFault::KeepsSendersAtItsClose
            | LeafFault::LosesRoom
            | LeafFault::ReceivesInSilence
            | LeafFault::GivesBackWhatItNeverHad
            | LeafFault::LosesAPermit
            | LeafFault::LeavesTheHeadInSilence
    ) {
        return semaphore::leaf(fault);
    }
    Box::leak(Box::new(FaultyTimer {
        fault,
        driver: OnceLock::new(),
    }))
}

impl FaultyTimer {
    fn timer_on(&self, driver: &Arc<Driver>, after: Duration) -> Timer {
        let after = match self.fault {
            LeafFault::TwoYearsAtMost => {
                assert!(after <= TWO_YEARS, "too long for this clock");
                after
            }
            LeafFault::RoundsDown => Duration::from_secs(after.as_secs()),
            LeafFault::CountsIn32Bits => Duration::from_millis(u64::from(after.as_millis() as u32)),
            LeafFault::HasAWheel => Duration::from_millis((after.as_millis() % 64) as u64),
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
            threads: Vec::new(),
        };
        if self.fault == LeafFault::StartsAtOnce {
            timer.threads.push(driver.start_a_thread());
        }
        timer
    }
}

impl Leaf for FaultyTimer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let driver = self.driver.get_or_init(|| Driver::start(self.fault));
        Ok(Box::pin(self.timer_on(driver, after)))
    }

    fn longest(&self) -> Duration {
        match self.fault {
            LeafFault::TwoYearsAtMost => TWO_YEARS,
            _ => THIRTY_YEARS,
        }
    }

    fn resettable(&self, after: Duration) -> Answer<(BoxFuture, Reset)> {
        let driver = self.driver.get_or_init(|| Driver::start(self.fault));
        let timer = Arc::new(Mutex::new(self.timer_on(driver, after)));
        let resets = timer.clone();
        let waits = poll_fn(move |cx| Pin::new(&mut *lock(&timer)).poll(cx));
        let reset = move |after| lock(&resets).reset(after);
        Ok((Box::pin(waits), Box::new(reset)))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let driver = Driver::start(self.fault);
        let timers = (0..count).map(|_| -> BoxFuture { Box::pin(self.timer_on(&driver, after)) });
        let timers = timers.collect();
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
    threads: Vec<Sender<()>>,
}

enum TimerState {
    New,
    Waiting(Id),
    Over,
}

impl Timer {
    fn reset(&mut self, after: Duration) {
        self.after = after;
        if let TimerState::Waiting(id) = self.state {
            self.driver.reset(id, Instant::now().checked_add(after));
        }
    }

    fn start(&self) -> Option<Id> {
        let deadline = match self.fault {
            LeafFault::Overflows => Some(Instant::now() + self.after),
            LeafFault::CountsTicks => {
                static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
                let since = FIRST.elapsed().as_micros() as u64;
                let tick = *FIRST + Duration::from_micros(since - since % 4_000);
                tick.checked_add(self.after)
            }
            LeafFault::ZeroIsNever if self.after.is_zero() => None,
            _ => Instant::now().checked_add(self.after),
        };
        self.driver.enter(deadline)
    }

    /// Once it is over, or before that if it is dropped.
    fn leave(&self, id: Id) {
        match self.fault {
            LeafFault::LeaksWhenOver if matches!(self.state, TimerState::Over) => {}
            LeafFault::StaysWhenDropped if !matches!(self.state, TimerState::Over) => {}
            _ => self.driver.remove(id),
        }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let fault = self.fault;
        self.polls += 1;
        match fault {
            LeafFault::WakesInEachPoll => cx.waker().wake_by_ref(),
            LeafFault::StartsAThreadInEachPoll => {
                let thread = self.driver.start_a_thread();
                self.threads.push(thread);
            }
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
            if self.driver.poll(id, cx.waker()).is_pending() {
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
