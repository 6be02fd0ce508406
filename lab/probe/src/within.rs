//! The watchdog: a closure or a future that does not finish is ended, with a message that says why.

use std::{
    fs,
    future::poll_fn,
    io::Write,
    num::NonZero,
    panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::Ordering::Relaxed,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    task::{Context, Poll, Waker, ready},
    thread,
    time::{Duration, Instant},
};

use crate::{
    judge::{
        again, circle,
        looks::{Look, Looks, Subject},
    },
    say::{
        report::{Occasion, Report, kept_by_the_harness, runtime_is_dropped},
        trace::Trace,
    },
    see::{
        frames::Await,
        lock::own,
        panics,
        place::{self, Doing, Place, own_thread},
        poke::Ask,
        roll::Roll,
        runtime::Runtime,
        scope::{self, Open},
        stack,
        watch::watched_as,
    },
};

/// Between the two looks at each task. What was polled in between is not stuck.
const SECOND_LOOK: Duration = Duration::from_millis(250);
/// So often it is put off on a machine that is too busy for the program's threads.
const MOST_LOOKS: usize = 40;
/// So long a message may take, in case another thread holds standard error, and the future that hangs until it is polled, to panic.
const TO_SPEAK: Duration = Duration::from_secs(1);

/// Runs `f` on the calling thread and returns what it returns. If that takes longer than `limit`, a message goes to standard error
/// and the *process* ends with status 1: no thread can be made to give up a poll that hangs. On a crowded Linux machine the limit
/// is longer, because slow does not mean stuck there: from twice, where eight threads want each processor, to ten times.
///
/// The message explains each future that is [`watch`](crate::watch)ed by `f`, or first polled by it. It takes two looks, a quarter
/// of a second apart, and then polls once more what is stuck, which may cure it: the process ends nevertheless.
pub fn within<T>(limit: Duration, f: impl FnOnce() -> T) -> T {
    let mut result = None;
    let mut f = Some(f);
    guarded(limit, &mut || result = f.take().map(|f| f()));
    result.expect("`guarded` calls the closure, and ends in a panic if that does")
}

/// Not generic, or all of it would be compiled again for the closure of each test.
fn guarded(limit: Duration, f: &mut dyn FnMut()) {
    let guard = Guard::new(limit, Subject::Closure);
    let roll = guard.roll.clone();
    let trace = guard.trace.clone();
    thread::scope(|scope| {
        // Dropped on return and on panic alike, which is what ends the guard.
        let (_running, over) = mpsc::channel();
        own_thread()
            .spawn_scoped(scope, move || {
                if let Some(message) = guard.waits(&over) {
                    guard.stop(message);
                }
            })
            .expect("the system has one more thread");
        // Before the scope waits for the guard, because that sleep is not one of `f`.
        let _trace = EndsWith(trace);
        scope::with_roll(&roll, f);
    });
}

/// Awaits `future`. If that takes longer than `limit`, it panics there with a message that says why, where the future waits, and
/// what each other future does that is [`watch`](crate::watch)ed: so a `#[tokio::test]` fails as any test does, and the others go on.
///
/// What is watched inside `future`, and inside tasks that are watched themselves, belongs to it. If a second later the future was
/// not polled, or a thread is still inside of a watched poll or closure, the message goes to standard error and the *process* ends
/// with status 1: the drop of a runtime waits for that.
///
/// The drop waits even if the future was ready in time. A test that ends late for that reason has a message on standard error, once the
/// drop has taken as long as `limit`. If it takes ten times as long, the process ends with status 1.
#[track_caller]
pub fn within_async<F: Future>(limit: Duration, future: F) -> impl Future<Output = F::Output> {
    let guard = Guard::new(limit, Subject::Future);
    let roll = Arc::downgrade(&guard.roll);
    let here = Location::caller();
    let watched = scope::inside(roll, || watched_as(None, here, Box::pin(future)));
    Panics(Box::pin(async move {
        let guarded = guard.starts();
        let mut watched = Box::pin(watched);
        let result = poll_fn(|cx| {
            let message = {
                let mut verdict = own(&guarded.verdict);
                verdict.waker.clone_from(cx.waker());
                verdict.polled_on = Some(Place::here());
                verdict.message.take()
            };
            match message {
                Some(message) => Poll::Ready(Err(message)),
                None => watched.as_mut().poll(cx).map(Ok),
            }
        })
        .await;
        // What hangs may panic while it is dropped, or never come back from it. The guard still waits, and ends the process then.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(watched))) {
            match result {
                Ok(_) => resume_unwind(payload),
                Err(message) => return Err(message + DROP_PANICKED),
            }
        }
        drop(guarded);
        result
    }))
}

/// Of a future that hung.
const DROP_PANICKED: &str = "\nIt was dropped then, and that panicked.\n";

/// Panics with the error of the future inside, in the line that awaits it.
struct Panics<F>(Pin<Box<F>>);

impl<T, F: Future<Output = Result<T, String>>> Future for Panics<F> {
    type Output = T;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        match ready!(self.0.as_mut().poll(cx)) {
            Ok(it) => Poll::Ready(it),
            Err(message) => panic!("{message}"),
        }
    }
}

/// What the thread of the guard and the future have in common. Dropped, it ends the guard.
struct Guarded {
    _running: Sender<()>,
    _open: Open,
    _trace: EndsWith,
    verdict: Arc<Mutex<Verdict>>,
}

/// What the guard has to say to the future.
struct Verdict {
    /// Of the latest poll, and its thread.
    waker: Waker,
    polled_on: Option<Arc<Place>>,
    /// Once there is one.
    message: Option<String>,
}

/// What each watched future that is stuck waits for and where, as [`within`] would say it if the time were up now. That of
/// the `within` in which it is called, or else of all that is watched outside of any.
///
/// It takes a quarter of a second, and blocks its thread, which should be none that polls. What is stuck is polled once more.
pub fn report() -> String {
    // Two at once would take the polls of one for what the program does by itself.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = own(&ONE_AT_A_TIME);
    let roll = scope::roll();
    let caller = Place::here();
    let first = Look::at(&roll, Subject::Everything);
    thread::sleep(SECOND_LOOK);
    examine(&first, &roll, Subject::Everything, Occasion::Asked, &caller)
}

fn examine(
    first: &Look,
    roll: &Roll,
    subject: Subject,
    occasion: Occasion,
    caller: &Place,
) -> String {
    // While one reads its backtraces, no other can take one.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = own(&ONE_AT_A_TIME);
    let second = roll.list();
    let mut tasks = first.compare(&second, subject);
    if subject == Subject::Future {
        // The nearest are polled once more before the others.
        Looks::ask_who(&mut tasks);
        circle::measure(&mut tasks);
    }
    let ask = match occasion {
        Occasion::Asked => Ask::Once,
        _ => Ask::OnceAndStay,
    };
    again::poll_all(&tasks, ask);
    Looks::ask_who(&mut tasks);
    if occasion != Occasion::Asked {
        again::look_inside(&tasks);
    }
    again::read_lines(&tasks);
    let lists = [&first.list, &second];
    let tasks = &tasks;
    Report {
        occasion,
        caller,
        tasks,
        lists,
    }
    .text()
}

/// Writes the trace on return and on panic alike.
struct EndsWith(Option<Arc<Trace>>);

impl Drop for EndsWith {
    fn drop(&mut self) {
        if let Some(trace) = &self.0 {
            trace.stop();
            trace.end("");
        }
    }
}

struct Guard {
    limit: Duration,
    begun: Instant,
    caller: Arc<Place>,
    roll: Arc<Roll>,
    trace: Option<Arc<Trace>>,
    subject: Subject,
}

impl Guard {
    fn new(limit: Duration, subject: Subject) -> Guard {
        panics::are_noted();
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

    /// Returns a message when the time is up, and `None` if it is over before.
    fn waits(&self, over: &Receiver<()>) -> Option<String> {
        let start = Instant::now();
        let due = || self.limit.saturating_mul(crowd());
        while let Some(rest) = due().checked_sub(start.elapsed()) {
            if !is_open(over, rest) {
                return None;
            }
        }
        let took = start.elapsed();
        let first = Look::at(&self.roll, self.subject);
        if !passes(over, first.used, SECOND_LOOK) {
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

    /// Begins to wait, on a thread of its own.
    fn starts(self) -> Guarded {
        let (running, over) = mpsc::channel();
        let verdict = Arc::new(Mutex::new(Verdict {
            waker: Waker::noop().clone(),
            polled_on: None,
            message: None,
        }));
        let guarded = Guarded {
            _running: running,
            _open: Open::new(&self.roll),
            _trace: EndsWith(self.trace.clone()),
            verdict: verdict.clone(),
        };
        let runtime = Runtime::here();
        let guard = move || {
            let Some(text) = self.waits(&over) else {
                if let Some(runtime) = runtime {
                    self.outlives(&runtime);
                }
                return;
            };
            own(&verdict).message = Some(text.clone());
            let waker = own(&verdict).waker.clone();
            // That may be code that waits forever. Then the future is not polled, and the process ends.
            let _ = own_thread().spawn(|| waker.wake());
            let before = self.roll.list().inside_a_poll();
            let is_still_inside = || !before.is_disjoint(&self.roll.list().inside_a_poll());
            let (_open, never) = mpsc::channel();
            let lasts = |over: &_| passes(over, place::used(), TO_SPEAK);
            let runs = || {
                let polled_on = own(&verdict).polled_on.clone();
                polled_on.and_then(|thread| thread.doing()) == Some(Doing::Runs)
            };
            // The drop of what hangs may take its time, and the panic in it, which reads a backtrace.
            let mut patience = 10;
            while lasts(&over) {
                patience -= 1;
                if patience == 0 || !runs() {
                    self.stop(text);
                }
            }
            let unseen = if panics::are_captured(&self.caller) {
                text
            } else {
                String::new()
            };
            // The drop of a runtime waits for a thread that is inside of a poll or a closure. The panic has the message.
            if lasts(&never) && is_still_inside() {
                self.stop(unseen);
            }
            // The same for closures that are not watched.
            if let Some(closures) = runtime.and_then(|it| self.drop_lasts(&it, self.limit)) {
                self.stop(runtime_is_dropped(&closures) + &unseen);
            }
        };
        let thread = own_thread().spawn(guard);
        thread.expect("the system has one more thread");
        guarded
    }

    /// What is awaited is over. If its runtime is dropped, that may wait for a thread inside of a poll or closure: then it is said
    /// after the limit, and after ten times as long the process ends.
    fn outlives(&self, runtime: &Runtime) {
        let inside = self.roll.list().inside_a_poll();
        let lasts = || !inside.is_disjoint(&self.roll.list().inside_a_poll());
        if inside.is_empty() {
            if let Some(closures) = self.drop_lasts(runtime, self.limit) {
                speak(runtime_is_dropped(&closures));
                if self
                    .drop_lasts(runtime, self.limit.saturating_mul(9))
                    .is_some()
                {
                    self.stop(String::new());
                }
            }
            return;
        }
        while lasts() && !runtime.is_dropped() {
            thread::sleep(SECOND_LOOK);
        }
        let begun = Instant::now();
        let limit = || self.limit.saturating_mul(crowd());
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
        let occasion = Occasion::RuntimeIsDropped { took };
        let text = examine(&first, &self.roll, self.subject, occasion, &self.caller);
        if lasts() {
            speak(text);
        }
        if lasts_for(10) {
            self.stop(String::new());
        }
    }

    /// Whether the thread that has awaited still drops its runtime after that time, and where closures sleep that are not watched.
    /// Only its own stack tells, and on Linux alone.
    fn drop_lasts(&self, runtime: &Runtime, time: Duration) -> Option<Vec<Await>> {
        let followed = || self.caller.followed.load(Relaxed);
        self.caller.followed.fetch_add(1, Relaxed);
        let (begun, number) = (Instant::now(), followed());
        while begun.elapsed() < time.saturating_mul(crowd()) {
            thread::sleep(SECOND_LOOK.min(time));
            // A test's thread ends soon after what it awaits. If it awaits something else instead, another guard follows.
            if self.caller.doing().is_none() || followed() != number {
                return None;
            }
        }
        let waits = self.caller.doing() == Some(Doing::WaitsForAnother) && runtime.is_dropped();
        let stack = waits
            .then(|| stack::of(&self.caller))
            .flatten()?
            .to_string();
        stack
            .contains("runtime::blocking::shutdown")
            .then(stack::of_closures)
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

fn is_open(over: &Receiver<()>, time: Duration) -> bool {
    over.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
}

/// Whether it is not over after that time, in which the program's threads could run: since so much processor time was `used`.
fn passes(over: &Receiver<()>, used: Duration, time: Duration) -> bool {
    for _ in 0..MOST_LOOKS {
        let is_open = is_open(over, time);
        if !is_open || !place::is_starved(used) {
            return is_open;
        }
    }
    true
}

/// How many times as long a limit is while the machine is as busy as it is now.
fn crowd() -> u32 {
    let load = (!cfg!(miri)).then(|| fs::read_to_string("/proc/loadavg").ok());
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    stretch(&load.flatten().unwrap_or_default(), processors)
}

pub(crate) fn stretch(load: &str, processors: usize) -> u32 {
    let whole = load.split('.').next().unwrap_or_default();
    let running: usize = whole.parse().unwrap_or(0);
    (running / (4 * processors)).clamp(1, 10) as u32
}

/// Writes to standard error, and does not wait forever for another thread that holds it.
fn speak(text: String) {
    let text: &'static str = text.leak();
    // The handle itself, not `eprintln!`: what that prints is kept by the test harness, and would be lost here.
    let speak = || {
        let _ = std::io::stderr().write_all(text.as_bytes());
    };
    let (said, is_said) = mpsc::channel();
    let speaker = thread::Builder::new().spawn(move || {
        let _ = said.send(());
        speak();
        let _ = said.send(());
    });
    match speaker {
        Ok(_) => {
            // On a busy machine, a thread may take longer than that to begin.
            let has_begun = is_said.recv().is_ok();
            if has_begun {
                let _ = is_said.recv_timeout(TO_SPEAK);
            }
        }
        // What hangs may have taken all threads.
        Err(_) => speak(),
    }
}
