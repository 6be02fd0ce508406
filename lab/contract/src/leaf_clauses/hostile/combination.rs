//! One combination: a waker that does something at a moment of its life, while something is being done to a timer.

use std::{
    fmt,
    panic::{AssertUnwindSafe, resume_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Waker},
    thread,
    time::Duration,
};

use probe::hostile::{Hostile, Moment, elsewhere};

use crate::{
    Answer, BoxFuture, Leaf, caught,
    leaf_clauses::timers::{AT_ONCE, SOON},
    lock::lock,
    rest::Looking,
};

/// What is being done to the timer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    FirstPoll,
    SecondPoll,
    Firing,
    DroppedEarly,
    DroppedLate,
}

/// What the waker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WakerAct {
    /// Makes, polls and drops a timer of the same kind.
    UsesAnother,
    /// Polls the very timer, unless that is being polled.
    PollsIt,
    /// Drops the very timer, unless that is being polled.
    DropsIt,
    Panics,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct WakerCombination {
    pub(super) phase: Phase,
    pub(super) moment: Moment,
    pub(super) act: WakerAct,
    /// On another thread, which the waker waits for.
    pub(super) on_another_thread: bool,
}

impl fmt::Display for WakerCombination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::FirstPoll => "at the first poll",
            Phase::SecondPoll => "at a poll with another waker",
            Phase::Firing => "when it is over",
            Phase::DroppedEarly => "when it is dropped early",
            Phase::DroppedLate => "when it is dropped late",
        };
        let moment = match self.moment {
            Moment::Clone => "clone",
            Moment::Wake => "wake",
            Moment::Drop => "drop",
        };
        let act = match self.act {
            WakerAct::UsesAnother => "uses another future",
            WakerAct::PollsIt => "polls it",
            WakerAct::DropsIt => "drops it",
            WakerAct::Panics => "panics",
        };
        write!(f, "{phase}, the waker's {moment} {act}")?;
        match (self.act, self.on_another_thread) {
            (WakerAct::Panics, _) => Ok(()),
            (_, false) => f.write_str(" here"),
            (_, true) => f.write_str(" on another thread"),
        }
    }
}

impl WakerCombination {
    /// Does it. The wakers are still armed afterwards, since a driver may drop them later.
    pub(super) fn run(self, leaf: &'static dyn Leaf) -> Answer<Scene> {
        self.run_after(leaf, AT_ONCE)
    }

    fn run_after(self, leaf: &'static dyn Leaf, soon: Duration) -> Answer<Scene> {
        let after = match self.phase {
            Phase::Firing | Phase::DroppedLate => soon,
            _ => leaf.longest(),
        };
        let scene = Scene {
            combination: self,
            leaf,
            timer: Arc::new(Mutex::new(Some(leaf.timer(after)?))),
            first: Armed::new(),
            second: Armed::new(),
            acting: Arc::default(),
        };
        match self.phase {
            Phase::FirstPoll => {
                scene.arm(&scene.first);
                scene.poll(&scene.first);
            }
            Phase::SecondPoll => {
                scene.poll(&scene.first);
                scene.arm(&scene.first);
                scene.arm(&scene.second);
                scene.poll(&scene.second);
            }
            Phase::Firing => {
                // Before the poll, because the timer may be over at once. A poll that clones the waker is not meant.
                let wakes = self.moment == Moment::Wake;
                wakes.then(|| scene.arm(&scene.first));
                let pending = scene.poll(&scene.first);
                // A timer that was over before its first poll wakes nobody.
                if !pending && soon < SOON {
                    scene.end();
                    return self.run_after(leaf, 2 * soon);
                }
                (!wakes).then(|| scene.arm(&scene.first));
                scene.finish(pending);
            }
            Phase::DroppedEarly => {
                scene.poll(&scene.first);
                scene.arm(&scene.first);
                scene.drop_timer();
            }
            Phase::DroppedLate => {
                scene.finish(scene.poll(&scene.first));
                scene.arm(&scene.first);
                scene.drop_timer();
            }
        }
        Ok(scene)
    }
}

/// A timer, and the two wakers that it is polled with.
pub(super) struct Scene {
    combination: WakerCombination,
    leaf: &'static dyn Leaf,
    timer: Arc<Place>,
    first: Armed,
    second: Armed,
    acting: Arc<AtomicBool>,
}

/// A hostile waker that is lent to polls. It is dropped when it is not armed any more.
struct Armed {
    hostile: Hostile,
    waker: Waker,
}

impl Armed {
    fn new() -> Armed {
        let hostile = Hostile::default();
        let waker = hostile.waker();
        Armed { hostile, waker }
    }
}

impl Scene {
    /// Drops the timer and its wakers, none of which does anything any more. None of them should exist then.
    pub(super) fn end(self) -> [Hostile; 2] {
        self.first.hostile.disarm();
        self.second.hostile.disarm();
        self.drop_timer();
        [self.first.hostile, self.second.hostile]
    }

    fn arm(&self, waker: &Armed) {
        let WakerCombination {
            moment,
            act,
            on_another_thread,
            ..
        } = self.combination;
        let (leaf, timer) = (self.leaf, Arc::clone(&self.timer));
        let acting = Arc::clone(&self.acting);
        waker.hostile.arm(moment, move || {
            if act == WakerAct::Panics {
                panic_on_purpose();
                return;
            }
            // What one waker does may drop the other one, or come to this one again. Once is enough.
            if acting.swap(true, SeqCst) {
                return;
            }
            let act = || act_on(leaf, &timer, act);
            if on_another_thread {
                elsewhere(act);
            } else {
                act();
            }
            acting.store(false, SeqCst);
        });
    }

    /// Whether the timer is there, and still pending.
    fn poll(&self, waker: &Armed) -> bool {
        let mut place = lock(&self.timer);
        let Some(timer) = place.as_mut() else {
            return false;
        };
        let mut cx = Context::from_waker(&waker.waker);
        let polled = self.contain(|| timer.as_mut().poll(&mut cx));
        polled.is_some_and(|polled| polled.is_pending())
    }

    /// Polls whenever it was woken, until the timer is not pending any more.
    fn finish(&self, mut pending: bool) {
        let hostile = &self.first.hostile;
        let mut seen = 0;
        let _looking = Looking::here();
        while pending {
            while hostile.wakes() == seen && lock(&self.timer).is_some() {
                thread::sleep(AT_ONCE);
            }
            seen = hostile.wakes();
            pending = self.poll(&self.first);
        }
    }

    fn drop_timer(&self) {
        let timer = lock(&self.timer).take();
        self.contain(|| drop(timer));
    }

    /// A panic is expected if the waker panics. Any other goes on.
    fn contain<T>(&self, f: impl FnOnce() -> T) -> Option<T> {
        match caught(AssertUnwindSafe(f)) {
            Ok(value) => Some(value),
            Err(_) if self.combination.act == WakerAct::Panics => None,
            Err(message) => panic!("{}: {message}", self.combination),
        }
    }
}

/// While the timer is being polled, it is out of reach.
fn act_on(leaf: &'static dyn Leaf, timer: &Place, act: WakerAct) {
    let mut cx = Context::from_waker(Waker::noop());
    match act {
        WakerAct::UsesAnother => {
            if let Ok(mut another) = leaf.timer(leaf.longest()) {
                let _ = another.as_mut().poll(&mut cx);
            }
        }
        WakerAct::PollsIt => {
            if let Ok(mut place) = timer.try_lock() {
                let polled = place.as_mut().map(|future| future.as_mut().poll(&mut cx));
                if polled.is_some_and(|polled| polled.is_ready()) {
                    *place = None;
                }
            }
        }
        WakerAct::DropsIt => {
            let taken = timer.try_lock().ok().and_then(|mut place| place.take());
            drop(taken);
        }
        WakerAct::Panics => {}
    }
}

/// Without a message: to print one may take longer than what is tested. A second panic while the first one unwinds
/// would end the process.
fn panic_on_purpose() {
    if !thread::panicking() {
        resume_unwind(Box::new("a waker"));
    }
}

/// `None` once it is dropped.
type Place = Mutex<Option<BoxFuture>>;
