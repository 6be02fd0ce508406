//! A plan: at its step with this number, a thread stops until another thread has acted.

use std::{
    cell::Cell,
    fmt,
    panic::Location,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
        mpsc::{self, Sender},
    },
    thread,
    time::Duration,
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
/// So long a thread stops at its step if what acts there neither finishes nor waits for a lock of that thread.
const PATIENCE: Duration = Duration::from_secs(1);

thread_local! {
    static NUMBER: u64 = {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NEXT.fetch_add(1, SeqCst)
    };
    static IS_OUTSIDER: Cell<bool> = const { Cell::new(false) };
}

fn own<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    let mut table = own(&TABLE);
    table.plan = Some(plan);
    table.moment = None;
    IS_ARMED.store(true, SeqCst);
}

/// Gives up the plan if it wasn't carried out yet. When was it?
pub fn disarm() -> Option<Moment> {
    IS_ARMED.store(false, SeqCst);
    let mut table = own(&TABLE);
    let plan = table.plan.take();
    let moment = table.moment.take();
    drop(table);
    drop(plan); // not under the lock: it may own a waker
    moment
}

/// When the plan was carried out, if it was.
pub fn moment() -> Option<Moment> {
    own(&TABLE).moment
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
    let mut table = own(&TABLE);
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

/// The number of the thread that stops at its step, and how it is told to go on.
static STOPPED: Mutex<Option<(u64, Sender<()>)>> = Mutex::new(None);

/// Another thread calls `act`. Returns when it has done so, or when it waits for a lock that this thread holds.
fn while_this_one_stops(me: u64, act: Box<dyn FnOnce() + Send>) {
    let (go_on, may_go_on) = mpsc::channel();
    *own(&STOPPED) = Some((me, go_on.clone()));
    thread::spawn(move || {
        outsider(act);
        let _ = go_on.send(());
    });
    // It sleeps meanwhile, so that whoever looks at the threads sees that it does nothing.
    let _ = may_go_on.recv_timeout(PATIENCE);
    *own(&STOPPED) = None;
}

/// Calls `lock`, which waits for a lock that `holder` holds.
pub(crate) fn waiting_for<T>(holder: u64, lock: impl FnOnce() -> T) -> T {
    let stopped = own(&STOPPED);
    if let Some((_, go_on)) = stopped.as_ref().filter(|(stopped, _)| *stopped == holder) {
        let _ = go_on.send(());
    }
    drop(stopped);
    lock()
}
