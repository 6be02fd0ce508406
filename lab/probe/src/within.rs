//! The watchdog: a closure that does not finish ends the process, with a message that says why.

use std::{
    io::Write,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use crate::{
    place::{OWN_THREAD, Place},
    poke::{self, Ask},
    report::{Look, Report},
    scope,
    task::Roll,
    trace::Trace,
};

/// Between the two looks at each task. What was polled in between is not stuck.
const SECOND_LOOK: Duration = Duration::from_millis(250);
/// So long a message may take, in case another thread holds standard error.
const TO_SPEAK: Duration = Duration::from_secs(1);

/// Runs `f` on the calling thread and returns what it returns. If that takes longer than `limit`, a
/// message goes to standard error and the *process* ends with status 1: no thread can be made to
/// give up a poll that hangs.
///
/// The message explains each future that is [`watch`](crate::watch)ed by `f`, or first polled by
/// it. It takes two looks, a quarter of a second apart. An `f` that returns in between was slow,
/// not stuck, so its result is returned. A panic in `f` goes on as if `within` were not there.
///
/// If the environment has `PROBE_TRACE=FILE`, what happens to the watched futures is written to that file, event by event, also
/// if the process is ended. `cargo run -p picture -- FILE` makes a page of it, to step through.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(probe::within(Duration::from_secs(2), || 3 + 4), 7);
/// ```
pub fn within<T>(limit: Duration, f: impl FnOnce() -> T) -> T {
    let mut result = None;
    let mut f = Some(f);
    guarded(limit, &mut || result = f.take().map(|f| f()));
    result.expect("`guarded` calls the closure, and ends in a panic if that does")
}

/// Not generic, or all of it would be compiled again for the closure of each test.
fn guarded(limit: Duration, f: &mut dyn FnMut()) {
    let trace = Trace::begin();
    let roll = Arc::new(Roll::with(trace.as_ref().map(|it| it.recorder.clone())));
    let guard = Guard {
        limit,
        caller: Place::here(),
        roll: roll.clone(),
        trace: trace.as_ref(),
    };
    thread::scope(|scope| {
        // Dropped on return and on panic alike, which is what ends the guard.
        let (_running, over) = mpsc::channel();
        let guards = thread::Builder::new().name(OWN_THREAD.to_owned());
        guards
            .spawn_scoped(scope, move || guard.keep(&over))
            .expect("the system has one more thread");
        // Before the scope waits for the guard, because that sleep is not one of `f`.
        let _trace = EndsWith(trace.as_ref());
        scope::with_roll(&roll, f);
    });
}

/// Writes the trace on return and on panic alike.
struct EndsWith<'a>(Option<&'a Trace>);

impl Drop for EndsWith<'_> {
    fn drop(&mut self) {
        if let Some(trace) = self.0 {
            trace.stop();
            trace.end("");
        }
    }
}

struct Guard<'a> {
    limit: Duration,
    caller: Place,
    roll: Arc<Roll>,
    trace: Option<&'a Trace>,
}

impl Guard<'_> {
    fn keep(&self, over: &Receiver<()>) {
        let passes = |time| over.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        if passes(self.limit) {
            let first = Look::at(&self.roll);
            if passes(SECOND_LOOK) {
                self.stop(&first);
            }
        }
    }

    fn stop(&self, first: &Look) -> ! {
        // Never released: the first guard to speak ends the process.
        static SPEAKING: Mutex<()> = Mutex::new(());
        let _speaking = SPEAKING.lock();
        let second = self.roll.list();
        if let Some(trace) = self.trace {
            if self
                .caller
                .doing()
                .is_some_and(|it| !it.starts_with("runs"))
            {
                trace.recorder.sleeps(self.caller.id);
            }
            // Without what the poke adds.
            trace.stop();
        }
        let tasks = first.compare(&second);
        poke::all(&tasks, Ask::WhereAndStay);
        let text: &str = Report {
            limit: self.limit,
            caller: &self.caller,
            tasks: &tasks,
            lists: [&first.list, &second],
        }
        .text()
        .leak();
        if let Some(trace) = self.trace {
            trace.end(text);
        }
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
            // On a busy machine, a thread may take longer than that to begin.
            Ok(_) => drop(is_said.recv().map(|()| is_said.recv_timeout(TO_SPEAK))),
            // What hangs may have taken all threads.
            Err(_) => speak(),
        }
        std::process::exit(1);
    }
}
