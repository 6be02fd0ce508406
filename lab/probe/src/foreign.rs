//! Foreign code that panics, at each of its calls in turn.
//!
//! To a runtime, foreign code is what its user gives it to call or to drop: a waker, a future, an output, what a panic carries. Each
//! of these may panic, and then everything else has to go on: the other wakers are called, the other tasks end, no thread is lost.
//!
//! [`Panics::at_every_call`] runs a scenario without a panic, and then once more for each call of foreign code that it
//! has seen. Another call panics in each of these runs, so no call is left out and none has to be listed.
//! [`Panics::assert_reached_all`] compares the panics with the source: each line there that catches panics has to have
//! caught one.
//!
//! ```
//! use why_pending::foreign::Panics;
//!
//! let mut panics = Panics::default();
//! panics.at_every_call(|foreign| {
//!     let (first, second) = (foreign.waker(), foreign.waker());
//!     for waker in [first.waker(), second.waker()] {
//!         // Without `catch_unwind`, a panic of the first waker would lose the wake of the second.
//!         let _ = std::panic::catch_unwind(|| waker.wake()).map_err(std::mem::forget);
//!     }
//!     assert_eq!((first.wakes(), second.wakes()), (1, 1));
//! });
//! ```

use std::{
    any::Any,
    collections::BTreeSet,
    fmt, fs,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::Path,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

use crate::{
    hostile::{Hostile, Moment},
    see::{frames::frames, stack::Stack, symbol::Symbol},
};

/// The function of the standard library that catches a panic.
const CATCH: &str = "catch_unwind";

/// Which lines of the program have caught a panic of foreign code.
#[derive(Debug, Default)]
pub struct Panics {
    /// `FILE:LINE`.
    caught_at: BTreeSet<String>,
    /// Backtraces have lines here.
    has_lines: bool,
    /// The program's own functions that catch panics of what they are given.
    catchers: &'static [&'static str],
}

impl Panics {
    /// Of a program in which functions with these names call what they are given inside of `catch_unwind`. A call of one counts as a line
    /// that catches panics.
    pub fn caught_by(catchers: &'static [&'static str]) -> Panics {
        Panics {
            catchers,
            ..Panics::default()
        }
    }

    /// Runs `scenario` without a panic, and then once for each call of foreign code in that run, which panics. Under Miri it does so for
    /// some of the calls.
    ///
    /// A call is known again by the waker, value or future that it belongs to, and by how many of its kind came before. The order of calls
    /// that belong to different ones may change from run to run, as the order does in which a map drops its entries.
    ///
    /// # Panics
    ///
    /// If the scenario panics, with a message that says which call of foreign code had panicked before that, if any.
    pub fn at_every_call(&mut self, scenario: impl Fn(&Foreign)) {
        let calls = self.run(&scenario, None);
        // Miri takes a hundred times as long.
        let step = if cfg!(miri) { 23 } else { 1 };
        for panicking in calls.into_iter().enumerate().step_by(step) {
            self.run(&scenario, Some(panicking));
        }
    }

    /// Runs `scenario`, in which this call panics, and returns all calls that it makes.
    fn run(&mut self, scenario: &impl Fn(&Foreign), panicking: Option<(usize, Call)>) -> Vec<Call> {
        let foreign = Foreign(Arc::new(Run {
            panicking,
            made: Mutex::default(),
            owners: AtomicUsize::new(1),
            panicked: Mutex::default(),
            catchers: self.catchers,
        }));
        let ended = catch_unwind(AssertUnwindSafe(|| scenario(&foreign)));
        let panicked = lock(&foreign.0.panicked).clone();
        if let Err(payload) = ended {
            if panicking.is_none() {
                resume_unwind(payload);
            }
            let then = match is_foreign(&*payload) {
                true => "and the panic went on into the scenario".to_owned(),
                false => format!("and then: {}", message(&*payload)),
            };
            drop_all(payload);
            let stack = panicked.stack.join("\n  ");
            panic!("{foreign} panicked at\n  {stack}\n{then}");
        }
        self.has_lines |= !panicked.stack.is_empty();
        self.caught_at.extend(panicked.caught_at);
        lock(&foreign.0.made).clone()
    }

    /// Adds what other scenarios have reached, so that each can be a test of its own.
    pub fn extend(&mut self, others: &Panics) {
        self.has_lines |= others.has_lines;
        self.caught_at.extend(others.caught_at.iter().cloned());
    }

    /// Checks that each call of `catch_unwind`, or of another function that catches panics, in the source of a crate, which is in `src` of this folder, has caught a
    /// panic, except for those in `main.rs` and in files whose path has one of the `others` in it, which are no part of the library.
    ///
    /// Where backtraces have no lines, as in Miri, it checks nothing.
    ///
    /// # Panics
    ///
    /// If one has not, or the source cannot be read.
    pub fn assert_reached_all(&self, manifest_dir: &str, others: &[&str]) {
        if !self.has_lines {
            return;
        }
        let root = Path::new(manifest_dir).join("src");
        let mut missing = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("the source is there") {
                let path = entry.expect("the source is there").path();
                let name = path.strip_prefix(&root).expect("it is inside");
                let name = name.display().to_string().replace('\\', "/");
                if name == "main.rs" || others.iter().any(|other| name.contains(other)) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if name.ends_with(".rs") {
                    let text = fs::read_to_string(&path).expect("the source is text");
                    for line in lines_that_catch(&text, self.catchers) {
                        let place = format!("/src/{name}:{line}");
                        if !self.caught_at.iter().any(|caught| caught.ends_with(&place)) {
                            missing.push(format!("  src/{name}:{line}"));
                        }
                    }
                }
            }
        }
        missing.sort();
        assert!(
            missing.is_empty(),
            "no panic of foreign code was caught here, so add a scenario in which one is:\n{}",
            missing.join("\n")
        );
    }
}

/// The numbers of the lines that call a function which catches panics, without the tests at the end of a file.
fn lines_that_catch(text: &str, catchers: &[&str]) -> impl Iterator<Item = usize> {
    let calls = move |line: &str| {
        let is_code = !line.starts_with("//") && !line.starts_with("use ");
        is_code
            && [CATCH].iter().chain(catchers).any(|name| {
                line.match_indices(&format!("{name}(")).any(|(at, _)| {
                    let before = &line[..at];
                    !before.ends_with(|it: char| it.is_alphanumeric() || "_.".contains(it))
                })
            })
    };
    let code = text
        .lines()
        .take_while(|line| !line.starts_with("mod tests"));
    let numbered = code.enumerate();
    numbered.filter_map(move |(index, line)| calls(line.trim()).then_some(index + 1))
}

/// Makes foreign code of which one call panics.
#[derive(Clone)]
pub struct Foreign(Arc<Run>);

struct Run {
    /// The call that panics, and its place among those of the run without a panic.
    panicking: Option<(usize, Call)>,
    made: Mutex<Vec<Call>>,
    /// How many wakers, values and futures there are, and the scenario itself.
    owners: AtomicUsize,
    panicked: Mutex<Panicked>,
    catchers: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Call {
    /// The number of the waker, value or future that it belongs to, in the order in which they were made. 0: none of them.
    owner: usize,
    what: &'static str,
    /// How many such calls its owner had seen before.
    earlier: usize,
}

#[derive(Clone, Default)]
struct Panicked {
    /// Which call has panicked.
    what: Option<&'static str>,
    /// The lines of the program at that moment, the innermost first.
    stack: Vec<String>,
    /// Those that have caught it, or a panic of what it carried.
    caught_at: Vec<String>,
}

impl Foreign {
    /// Calls foreign code. If it is its turn, it panics, without a message. What the panic carries panics as well when it is
    /// dropped, and so does what that second panic carries.
    pub fn call(&self, what: &'static str) {
        self.call_of(0, what);
    }

    fn call_of(&self, owner: usize, what: &'static str) {
        let mut made = lock(&self.0.made);
        let is_such = |call: &&Call| (call.owner, call.what) == (owner, what);
        let call = Call {
            owner,
            what,
            earlier: made.iter().filter(is_such).count(),
        };
        made.push(call);
        drop(made);
        if self
            .0
            .panicking
            .is_some_and(|(_, panicking)| panicking == call)
        {
            let (stack, caught_at) = lines_of_here(self.0.catchers);
            *lock(&self.0.panicked) = Panicked {
                what: Some(what),
                stack,
                caught_at,
            };
            resume_unwind(Box::new(Payload(self.clone())));
        }
    }

    /// Makes wakers of which each clone, wake and drop is a call of foreign code.
    pub fn waker(&self) -> Hostile {
        let (hostile, foreign, owner) = (Hostile::new(), self.clone(), self.owner());
        hostile.arm_always(move |moment| {
            let what = match moment {
                Moment::Clone => "the clone of a waker",
                Moment::Wake => "the wake of a waker",
                Moment::Drop => "the drop of a waker",
            };
            foreign.call_of(owner, what);
        });
        hostile
    }

    /// A value whose drop is a call of foreign code: an output, or what a panic carries.
    pub fn value(&self) -> Value {
        self.value_of("the drop of a value")
    }

    fn value_of(&self, drop: &'static str) -> Value {
        Value {
            foreign: self.clone(),
            owner: self.owner(),
            drop,
        }
    }

    /// The number of a waker, value or future that is being made.
    fn owner(&self) -> usize {
        self.0.owners.fetch_add(1, SeqCst)
    }

    /// A future of which each poll and the drop are calls of foreign code, apart from what `future` does.
    pub fn future<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        ForeignFuture {
            future: Box::pin(future),
            dropped: self.value_of("the drop of a future"),
        }
    }

    /// Runs code that meets the panic rightly, because the foreign code is the caller's own: it polls with the waker, or drops
    /// the value. Returns `None` if the panic came.
    ///
    /// # Panics
    ///
    /// If the code panics for another reason.
    pub fn on_its_own<T>(&self, code: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(code)) {
            Ok(it) => Some(it),
            Err(payload) if is_foreign(&*payload) => {
                drop_all(payload);
                None
            }
            Err(payload) => resume_unwind(payload),
        }
    }

    /// Polls a future once with a waker of `hostile`, on its own. Returns `None` if the panic came.
    pub fn poll<F: Future + Unpin>(
        &self,
        future: &mut F,
        hostile: &Hostile,
    ) -> Option<Poll<F::Output>> {
        let waker = hostile.waker();
        let polled = self.on_its_own(|| crate::poll(future, &waker));
        self.on_its_own(|| drop(waker));
        polled
    }

    /// Polls a future until the panic does not come, and says whether it is pending then.
    pub fn waits<F: Future + Unpin>(&self, future: &mut F, hostile: &Hostile) -> bool {
        loop {
            if let Some(answer) = self.poll(future, hostile) {
                let is_pending = answer.is_pending();
                self.on_its_own(|| drop(answer));
                return is_pending;
            }
        }
    }

    /// Whether the call that panics in this run has been made.
    pub fn has_panicked(&self) -> bool {
        lock(&self.0.panicked).what.is_some()
    }
}

/// Names the call that panics in this run.
impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.panicking {
            Some((index, call)) => write!(f, "foreign call {} ({})", index + 1, call.what),
            None => write!(f, "no foreign call"),
        }
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({self})")
    }
}

/// Locks what is never left half done, even where a panic has passed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic of foreign code carries. It panics when it is dropped.
struct Payload(Foreign);

impl Drop for Payload {
    fn drop(&mut self) {
        let (_, caught_at) = lines_of_here(self.0.0.catchers);
        lock(&self.0.0.panicked).caught_at.extend(caught_at);
        resume_unwind(Box::new(Last));
    }
}

/// What the second panic carries, and so the last: it has no size, because who catches it may have to forget it.
struct Last;

impl Drop for Last {
    fn drop(&mut self) {
        resume_unwind(Box::new(()));
    }
}

fn is_foreign(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Payload>() || payload.is::<Last>()
}

/// Drops what a panic has carried, and what the panics carry that this leads to.
fn drop_all(payload: Box<dyn Any + Send>) {
    let mut ended = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    while let Err(payload) = ended {
        ended = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref().map(String::as_str);
    let literal = || payload.downcast_ref::<&str>().copied();
    text.or_else(literal).unwrap_or("a panic without a message")
}

/// A value whose drop is a call of foreign code. Made by [`Foreign::value`].
#[derive(Debug)]
pub struct Value {
    foreign: Foreign,
    owner: usize,
    drop: &'static str,
}

impl Drop for Value {
    fn drop(&mut self) {
        self.foreign.call_of(self.owner, self.drop);
    }
}

struct ForeignFuture<F> {
    future: Pin<Box<F>>,
    dropped: Value,
}

impl<F: Future> Future for ForeignFuture<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let Value { foreign, owner, .. } = &self.dropped;
        foreign.call_of(*owner, "the poll of a future");
        self.future.as_mut().poll(cx)
    }
}

/// The lines of the program in a backtrace from here, the innermost first. Then those of them that have called a function which catches
/// panics: the innermost of all, and if that is inside of one of the program's own, the call of that one too.
fn lines_of_here(catchers: &[&str]) -> (Vec<String>, Vec<String>) {
    if cfg!(miri) {
        return Default::default(); // it knows no current folder
    }
    let (mut stack, mut caught_at) = (Vec::new(), Vec::new());
    let (mut called, mut is_caught) = (Symbol::default(), false);
    for frame in frames(&Stack::here()) {
        if frame.is_programs() {
            let is_own =
                |symbol: &Symbol| symbol.last().is_some_and(|name| catchers.contains(&name));
            let catches = called.last() == Some(CATCH) || is_own(&called);
            if catches && !is_caught {
                is_caught = !is_own(&frame.symbol);
                caught_at.push(frame.whole_place());
            }
            stack.push(frame.whole_place());
        }
        called = frame.symbol;
    }
    (stack, caught_at)
}
