//! The thread that waits for a limit. What it does, in this order:
//!
//! 1. It waits until the limit is over, takes two looks, and writes a message about them.
//! 2. If that is about a closure, it ends the process.
//! 3. If it is about a future, it hands the message to that. The future panics with it, once the guard has seen that it was polled and
//!    dropped. If it was not, the guard ends the process.
//! 4. The panic is not seen before the runtime is dropped. If that drop waits for a thread, the guard ends the process.
//!
//! A future that was ready in time has no message. The guard sees then whether the drop of its runtime comes to an end.

use std::{
    mem,
    sync::{
        Arc, Mutex,
        atomic::Ordering::Relaxed,
        mpsc::{self, Receiver, Sender},
    },
    task::Waker,
    thread,
    time::{Duration, Instant},
};

use super::{
    examine::examine,
    patience::{self, SECOND_LOOK},
    speak::speak,
};
use crate::{
    judge::looks::{Look, Subject},
    say::{
        report::{Occasion, kept_by_the_harness, runtime_is_dropped, runtime_waits_for},
        trace::Trace,
    },
    see::{
        frames::Await,
        lock::own,
        panics,
        place::{self, Doing, Place, own_thread},
        roll::Roll,
        runtime::Runtime,
        scope::Open,
        stack::{self, Stack},
    },
};

/// So long the future that hangs has until it is polled, and to panic.
const TO_PANIC: Duration = Duration::from_secs(1);
/// So many times as long, if its thread runs: the drop of what hangs may take its time, and a panic in it reads a backtrace.
const TO_DROP: usize = 10;

/// So many times as long as the limit a runtime's drop may take until the process ends.
const LIMITS_OF_A_DROP: u32 = 10;

pub(super) struct Guard {
    limit: Duration,
    begun: Instant,
    caller: Arc<Place>,
    pub(super) roll: Arc<Roll>,
    trace: Option<Arc<Trace>>,
    subject: Subject,
}

/// Writes the trace on return and on panic alike.
pub(super) struct EndsTrace(Option<Arc<Trace>>);

impl Drop for EndsTrace {
    fn drop(&mut self) {
        if let Some(trace) = &self.0 {
            trace.stop();
            trace.end("");
        }
    }
}

/// What the future has of its guard. Dropped, it ends the wait of that.
pub(super) struct Guarded {
    _running: Sender<()>,
    _open: Open,
    _trace: EndsTrace,
    letter: Arc<Mutex<Letter>>,
}

/// From the guard to the future.
struct Letter {
    /// Of the latest poll, and its thread.
    waker: Waker,
    polled_on: Option<Arc<Place>>,
    /// Once there is one.
    message: Option<String>,
}

impl Guarded {
    /// A poll begins here, with this waker. Is there a message?
    pub(super) fn message(&self, waker: &Waker) -> Option<String> {
        // The executor's code clones a waker and drops it, so neither is done under the lock.
        let is_known = own(&self.letter).waker.will_wake(waker);
        let new = (!is_known).then(|| waker.clone());
        let mut letter = own(&self.letter);
        let replaced = new.map(|new| mem::replace(&mut letter.waker, new));
        letter.polled_on = Some(Place::here());
        let message = letter.message.take();
        drop(letter);
        drop(replaced);
        message
    }
}

impl Guard {
    pub(super) fn new(limit: Duration, subject: Subject) -> Guard {
        panics::note_each();
        let trace = Trace::begin().map(Arc::new);
        let recorder = trace.as_ref().map(|trace| trace.recorder.clone());
        let roll = Roll {
            recorder,
            ..Roll::default()
        };
        Guard {
            limit,
            begun: Instant::now(),
            caller: Place::here(),
            roll: Arc::new(roll),
            trace,
            subject,
        }
    }

    pub(super) fn ends_trace(&self) -> EndsTrace {
        EndsTrace(self.trace.clone())
    }

    /// Waits for a closure, and ends the process if it is not over in time.
    pub(super) fn guards_closure(&self, over: &Receiver<()>) {
        if let Some(message) = self.waits(over) {
            self.stop(message);
        }
    }

    /// Begins to wait for a future, on a thread of its own.
    pub(super) fn guards_future(self) -> Guarded {
        let (running, over) = mpsc::channel();
        let letter = Arc::new(Mutex::new(Letter {
            waker: Waker::noop().clone(),
            polled_on: None,
            message: None,
        }));
        let guarded = Guarded {
            _running: running,
            _open: Open::new(&self.roll),
            _trace: self.ends_trace(),
            letter: letter.clone(),
        };
        let runtime = Runtime::here();
        let guard = move || match (self.waits(&over), runtime) {
            (Some(message), runtime) => {
                self.hands_over(&message, &letter, &over);
                self.sees_the_panic(message, runtime.as_ref());
            }
            (None, Some(runtime)) => self.outlives(&runtime),
            (None, None) => {}
        };
        let thread = own_thread().spawn(guard);
        thread.expect("the system has one more thread");
        guarded
    }

    /// Returns a message when the time is up, and `None` if it is over before.
    fn waits(&self, over: &Receiver<()>) -> Option<String> {
        let start = Instant::now();
        let due = || self.limit.saturating_mul(patience::crowd());
        while let Some(rest) = due().checked_sub(start.elapsed()) {
            if !patience::is_open(over, rest) {
                return None;
            }
        }
        let took = start.elapsed();
        let first = Look::at(&self.roll, self.subject);
        if !patience::passes(over, first.used, SECOND_LOOK) {
            return None;
        }
        if let Some(trace) = &self.trace {
            let doing = self.caller.doing();
            if doing.is_some_and(|doing| doing != Doing::Runs) {
                trace.recorder.sleeps(self.caller.id);
            }
            // Without what the poke adds.
            trace.stop();
        }
        let limit = self.limit;
        let occasion = Occasion::TimeIsUp { limit, took };
        let text = examine(&first, &self.roll, self.subject, occasion, &self.caller);
        self.trace.iter().for_each(|trace| trace.end(&text));
        Some(text)
    }

    /// The future is polled, takes the message and is dropped, or else the process ends.
    fn hands_over(&self, message: &str, letter: &Mutex<Letter>, over: &Receiver<()>) {
        let mut written = own(letter);
        written.message = Some(message.to_owned());
        // Taken rather than cloned: a clone is the executor's code, and would be made under the lock.
        let waker = mem::replace(&mut written.waker, Waker::noop().clone());
        drop(written);
        // That may be code that waits forever. Then the future is not polled.
        let _ = own_thread().spawn(|| waker.wake());
        for _ in 0..TO_DROP {
            if !patience::passes(over, place::used(), TO_PANIC) {
                return;
            }
            let polled_on = own(letter).polled_on.clone();
            let doing = polled_on.and_then(|thread| thread.doing());
            if doing != Some(Doing::Runs) {
                break;
            }
        }
        self.stop(message.to_owned());
    }

    /// The future panics with the message. If the drop of its runtime does not end then, the process does.
    fn sees_the_panic(&self, message: String, runtime: Option<&Runtime>) {
        let unseen = if panics::are_captured(&self.caller) {
            message
        } else {
            String::new()
        };
        let before = self.roll.list().inside_a_poll();
        let (_open, never) = mpsc::channel();
        let is_late = patience::passes(&never, place::used(), TO_PANIC);
        // The drop waits for a thread that is inside of a poll or of a closure.
        if is_late && !before.is_disjoint(&self.roll.list().inside_a_poll()) {
            self.stop(unseen);
        }
        // And for closures that are not watched.
        if let Some(closures) = runtime.and_then(|it| self.drop_lasts(it, self.limit)) {
            self.stop(runtime_is_dropped(&closures) + &unseen);
        }
    }

    /// What is awaited is over. If its runtime is dropped, that may wait for a thread inside of a poll or closure: then it is said
    /// after the limit, and after ten times as long the process ends.
    fn outlives(&self, runtime: &Runtime) {
        let inside = self.roll.list().inside_a_poll();
        if inside.is_empty() {
            self.outlives_unwatched(runtime);
            return;
        }
        let lasts = || !inside.is_disjoint(&self.roll.list().inside_a_poll());
        while lasts() && !runtime.is_dropped() {
            thread::sleep(SECOND_LOOK);
        }
        let begun = Instant::now();
        let limit = || self.limit.saturating_mul(patience::crowd());
        let lasts_for = |limits: u32| {
            while lasts() && begun.elapsed() < limit().saturating_mul(limits) {
                thread::sleep(SECOND_LOOK);
            }
            lasts()
        };
        if !lasts_for(1) {
            return;
        }
        let first = Look::at(&self.roll, self.subject);
        thread::sleep(SECOND_LOOK);
        let took = begun.elapsed();
        let ends = self.limit.saturating_mul(LIMITS_OF_A_DROP);
        let occasion = Occasion::RuntimeIsDropped { took, ends };
        let text = examine(&first, &self.roll, self.subject, occasion, &self.caller);
        if lasts() {
            speak(text);
        }
        if lasts_for(LIMITS_OF_A_DROP) {
            self.stop(String::new());
        }
    }

    /// The same for closures that are not watched.
    fn outlives_unwatched(&self, runtime: &Runtime) {
        let begun = Instant::now();
        let Some(closures) = self.drop_lasts(runtime, self.limit) else {
            return;
        };
        let ends = self.limit.saturating_mul(LIMITS_OF_A_DROP);
        speak(runtime_waits_for(&closures, begun.elapsed(), ends));
        let rest = ends.saturating_sub(self.limit);
        if self.drop_lasts(runtime, rest).is_some() {
            self.stop(String::new());
        }
    }

    /// Whether the thread that has awaited still drops its runtime after that time, and where closures sleep that are not watched.
    /// Only its own stack tells, and on Linux alone.
    fn drop_lasts(&self, runtime: &Runtime, time: Duration) -> Option<Vec<Await>> {
        let followed = || self.caller.followed.load(Relaxed);
        self.caller.followed.fetch_add(1, Relaxed);
        let (begun, number) = (Instant::now(), followed());
        while begun.elapsed() < time.saturating_mul(patience::crowd()) {
            thread::sleep(SECOND_LOOK.min(time));
            // A test's thread ends soon after what it awaits. If it awaits something else instead, another guard follows.
            if self.caller.doing().is_none() || followed() != number {
                return None;
            }
        }
        let waits = self.caller.doing() == Some(Doing::WaitsForAnother) && runtime.is_dropped();
        let stack = waits.then(|| Stack::of(&self.caller)).flatten()?;
        stack::drops_runtime(&stack).then(stack::of_closures)
    }

    /// Ends the process. The message comes last, because it is the reason.
    fn stop(&self, message: String) -> ! {
        // Never released: the first guard to speak ends the process.
        static SPEAKING: Mutex<()> = Mutex::new(());
        let _speaking = SPEAKING.lock();
        let others = if panics::are_captured(&self.caller) {
            panics::elsewhere(self.caller.id, self.begun)
        } else {
            Vec::new()
        };
        speak(kept_by_the_harness(&others) + &message);
        std::process::exit(1);
    }
}
