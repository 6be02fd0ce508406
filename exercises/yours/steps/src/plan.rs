//! A plan: at its step with this number, a thread stops until another thread has acted.

use std::{
    cell::Cell,
    fmt,
    panic::Location,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Lock,
    Notify,
    Word,
    Send,
    /// It may sleep: at a condition variable, in `park`, in `recv` or in the kernel.
    Sleep,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            What::Lock => "takes a lock",
            What::Notify => "notifies",
            What::Word => "uses an atomic",
            What::Send => "sends into a channel",
            What::Sleep => "goes to sleep",
        })
    }
}

/// One operation of the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub what: What,
    pub at: &'static Location<'static>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self
            .at
            .file()
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default();
        write!(f, "{file}:{}, which {}", self.at.line(), self.what)
    }
}

/// Where a plan was carried out: before one step, and after another.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub before: Step,
    pub after: Option<Step>,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(after) = self.after {
            write!(f, "after {after}, and ")?;
        }
        write!(f, "before {}", self.before)
    }
}

struct Plan {
    /// The number of the thread whose steps count.
    thread: u64,
    left: usize,
    after: Option<Step>,
    act: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct Table {
    plan: Option<Plan>,
    moment: Option<Moment>,
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    plan: None,
    moment: None,
});
/// Whether there is a plan, so that a step without one costs next to nothing.
static IS_ARMED: AtomicBool = AtomicBool::new(false);
/// Who waits for which lock: the number of the thread, and that of the thread that holds the lock.
static WAITS: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

/// So long a thread stops at its step if what acts there neither finishes nor waits for a lock of that thread.
const PATIENCE: Duration = Duration::from_secs(1);

thread_local! {
    static NUMBER: u64 = {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NEXT.fetch_add(1, SeqCst)
    };
    static IS_OUTSIDER: Cell<bool> = const { Cell::new(false) };
}

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn waits() -> MutexGuard<'static, Vec<(u64, u64)>> {
    WAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of the calling thread, or 0 while it ends and has none any more.
pub(crate) fn number() -> u64 {
    NUMBER.try_with(|number| *number).unwrap_or(0)
}

/// Calls `f`. Meanwhile, the steps of this thread count for no plan.
pub fn outsider<T>(f: impl FnOnce() -> T) -> T {
    let before = IS_OUTSIDER.replace(true);
    let result = f();
    IS_OUTSIDER.set(before);
    result
}

/// At its step with this number, counted from 0 and from now, the calling thread stops, and another thread calls `act`. If it is about to
/// sleep before that, this is the step.
pub fn arm(number_of_step: usize, act: impl FnOnce() + Send + 'static) {
    let plan = Plan {
        thread: number(),
        left: number_of_step,
        after: None,
        act: Box::new(act),
    };
    let mut table = table();
    table.plan = Some(plan);
    table.moment = None;
    IS_ARMED.store(true, SeqCst);
}

/// Gives up the plan if it wasn't carried out yet. When was it?
pub fn disarm() -> Option<Moment> {
    IS_ARMED.store(false, SeqCst);
    let mut table = table();
    let plan = table.plan.take();
    let moment = table.moment.take();
    drop(table);
    drop(plan); // not under the lock: it may own a waker
    moment
}

/// When the plan was carried out, if it was.
pub fn moment() -> Option<Moment> {
    table().moment
}

/// The calling thread is about to do this.
#[track_caller]
pub fn step(what: What) {
    if IS_ARMED.load(SeqCst) && !IS_OUTSIDER.try_with(Cell::get).unwrap_or(true) {
        reach(Step {
            what,
            at: Location::caller(),
        });
    }
}

fn reach(step: Step) {
    let me = number();
    let mut table = table();
    let Some(mut plan) = table.plan.take_if(|plan| plan.thread == me) else {
        return;
    };
    if plan.left > 0 && step.what != What::Sleep {
        plan.left -= 1;
        plan.after = Some(step);
        table.plan = Some(plan);
        return;
    }
    IS_ARMED.store(false, SeqCst);
    table.moment = Some(Moment {
        before: step,
        after: plan.after,
    });
    drop(table);
    while_this_one_stops(me, plan.act);
}

/// Another thread calls `act`. Returns when it has done so, or when it waits for a lock that this thread holds.
fn while_this_one_stops(me: u64, act: Box<dyn FnOnce() + Send>) {
    let other = Arc::new(AtomicU64::new(0));
    let names_itself = other.clone();
    let acts = thread::spawn(move || {
        names_itself.store(number(), SeqCst);
        outsider(act);
    });
    let start = Instant::now();
    while !acts.is_finished()
        && !waits().contains(&(other.load(SeqCst), me))
        && start.elapsed() < PATIENCE
    {
        thread::yield_now();
    }
}

/// Calls `lock`, which waits for a lock that `holder` holds.
pub(crate) fn waiting_for<T>(holder: u64, lock: impl FnOnce() -> T) -> T {
    let me = number();
    waits().push((me, holder));
    let result = lock();
    waits().retain(|(waiter, _)| *waiter != me);
    result
}
