//! What threads have said as they panicked. A test harness keeps that until all of its tests are over, so it would be lost when the
//! watchdog ends the process; and a task that waits for one that has panicked is told why it did.

use std::{
    env,
    panic::{self, PanicHookInfo},
    sync::{Arc, Mutex, Once, Weak},
    thread::{self, ThreadId},
    time::Instant,
};

use crate::see::{
    lock::own,
    place::Place,
    task::{self, Task},
};

#[derive(Clone, Debug)]
pub(crate) struct Panic {
    thread: ThreadId,
    /// Of a test, its name. Empty if the thread has none.
    pub(crate) thread_name: String,
    when: Instant,
    /// The tasks whose polls or closures it goes through until it is caught, from the outermost.
    tasks: Vec<Weak<Task>>,
    /// `FILE:LINE`.
    pub(crate) at: String,
    pub(crate) said: String,
    /// Whether the hook that was there before has not returned. It may read a backtrace.
    is_being_said: bool,
}

impl Panic {
    pub(crate) fn first_line(&self) -> &str {
        self.said.lines().next().unwrap_or_default()
    }
}

static ALL: Mutex<Vec<Panic>> = Mutex::new(Vec::new());
/// A loop that panics would fill the memory.
const MOST: usize = 100;

/// From now on each panic is noted, and then said as before.
pub(crate) fn note_each() {
    static HOOK: Once = Once::new();
    // A thread that panics cannot change the hook.
    if thread::panicking() {
        return;
    }
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let number = note(panic);
            before(panic);
            if let Some(number) = number {
                own(&ALL)[number].is_being_said = false;
            }
        }));
    });
}

/// Its number, if there is room for it.
fn note(panic: &PanicHookInfo<'_>) -> Option<usize> {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location();
    let thread = thread::current();
    let panic = Panic {
        thread: thread.id(),
        thread_name: thread.name().unwrap_or_default().to_owned(),
        when: Instant::now(),
        tasks: task::all_here(),
        at: place.map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line())),
        said: text.unwrap_or("something other than a text").to_owned(),
        is_being_said: true,
    };
    let mut all = own(&ALL);
    let number = all.len();
    (number < MOST).then(|| {
        all.push(panic);
        number
    })
}

/// Whether the test harness keeps what this thread says as it panics, until the test is over. In doubt it does.
pub(crate) fn are_captured(thread: &Place) -> bool {
    let is_shown = |argument: String| argument == "--nocapture" || argument == "--no-capture";
    let is_main = &*thread.name == "thread \"main\"";
    // With one thread, a test may run on the main one.
    let is_one = |argument: String| argument.starts_with("--test-threads");
    let is_test = !is_main || env::args().any(is_one) || env::var_os("RUST_TEST_THREADS").is_some();
    is_test && !env::args().any(is_shown) && env::var_os("RUST_TEST_NOCAPTURE").is_none()
}

/// The last one inside of this task, which may have caught it.
pub(crate) fn of(task: &Arc<Task>) -> Option<Panic> {
    let task = Arc::downgrade(task);
    let is_its = |panic: &&Panic| panic.tasks.iter().any(|its| its.ptr_eq(&task));
    own(&ALL).iter().rev().find(is_its).cloned()
}

/// The one that goes on inside of this task on this thread: until its hook returns, nothing can have caught it.
pub(crate) fn going_on(task: &Arc<Task>, thread: ThreadId) -> Option<Panic> {
    of(task).filter(|panic| panic.is_being_said && panic.thread == thread)
}

/// Those of threads with a name, as tests have, but for one thread since some moment.
pub(crate) fn elsewhere(here: ThreadId, since: Instant) -> Vec<Panic> {
    let is_elsewhere = |panic: &&Panic| {
        let is_here = panic.thread == here && panic.when >= since;
        !is_here && !panic.thread_name.is_empty()
    };
    own(&ALL).iter().filter(is_elsewhere).cloned().collect()
}
