//! A plan: at its step with this number, a thread stops until another thread has acted.

use std::{
    cell::Cell,
    collections::HashSet,
    fmt,
    panic::Location,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{
            AtomicBool, AtomicU64, AtomicUsize,
            Ordering::{Relaxed, SeqCst},
        },
        mpsc::{self, Sender},
    },
    thread,
    time::Duration,
};

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Lock,
    Notify,
    Word,
    Send,
    /// It looks into the kernel without waiting there.
    Look,
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
            What::Look => "looks into the kernel",
            What::Sleep => "goes to sleep",
        })
    }
}

/// One operation of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub what: What,
    pub at: &'static Location<'static>,
}

impl Step {
    /// Its file and line.
    pub fn place(&self) -> String {
        let file = self.at.file().rsplit(['/', '\\']).next();
        format!("{}:{}", file.unwrap_or_default(), self.at.line())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, which {}", self.place(), self.what)
    }
}

/// Where a plan was carried out: before one step, and after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    when: When,
    after: Option<Step>,
    act: Box<dyn FnOnce() + Send>,
}

enum When {
    /// After so many steps more, or before the sleep that comes first.
    Left(usize),
    /// At the first moment that is none of these.
    New(HashSet<Moment>),
}

#[derive(Default)]
struct Table {
    plan: Option<Plan>,
    moment: Option<Moment>,
    /// The latest sleep of one of the runtime's threads since that moment.
    slept: Option<Step>,
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    plan: None,
    moment: None,
    slept: None,
});
/// Whether sleeps are to be written down.
static IS_CARRIED_OUT: AtomicBool = AtomicBool::new(false);
/// Whether a thread whose sleep ends stops there until the plan is carried out.
static HOLDS: AtomicBool = AtomicBool::new(false);
/// Taken by the thread that acts, while it holds those whose sleep ends.
static HELD: Mutex<()> = Mutex::new(());
/// The number of the thread whose next wait at a condition variable ends at once, or 0.
static FOR_NO_REASON: AtomicU64 = AtomicU64::new(0);
/// How many steps have been taken.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
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
    put(When::Left(number_of_step), Box::new(act));
}

/// The same, and while `act` is called, no thread whose sleep ends gets any further: a thread that was woken may be slow.
pub fn arm_and_hold(number_of_step: usize, act: impl FnOnce() + Send + 'static) {
    HOLDS.store(true, SeqCst);
    arm(number_of_step, move || {
        let held = own(&HELD);
        act();
        drop(held);
    });
}

/// At the first moment before the next sleep that is none of `known`, the calling thread stops, and another thread calls `act`. If there
/// is no such moment, `act` is dropped.
pub fn arm_if_new(known: HashSet<Moment>, act: impl FnOnce() + Send + 'static) {
    put(When::New(known), Box::new(act));
}

fn put(when: When, act: Box<dyn FnOnce() + Send>) {
    let plan = Plan {
        thread: number(),
        when,
        after: None,
        act,
    };
    let mut table = own(&TABLE);
    table.plan = Some(plan);
    table.moment = None;
    table.slept = None;
    IS_CARRIED_OUT.store(false, SeqCst);
    IS_ARMED.store(true, SeqCst);
}

/// The calling thread's next wait at a condition variable ends at once, without a notify.
pub fn wake_for_no_reason() {
    FOR_NO_REASON.store(number(), SeqCst);
}

pub(crate) fn wakes_for_no_reason() -> bool {
    let me = number();
    FOR_NO_REASON
        .compare_exchange(me, 0, SeqCst, SeqCst)
        .is_ok()
}

/// Whether a thread whose sleep has ended has to call [`is_woken`] before it goes on.
pub(crate) fn holds() -> bool {
    HOLDS.load(SeqCst)
}

/// The sleep of the calling thread has ended. It goes on when the plan is carried out.
pub fn is_woken() {
    if holds() {
        drop(own(&HELD));
    }
}

/// Gives up the plan if it wasn't carried out yet. When was it?
pub fn disarm() -> Option<Moment> {
    IS_ARMED.store(false, SeqCst);
    IS_CARRIED_OUT.store(false, SeqCst);
    HOLDS.store(false, SeqCst);
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

/// Where a thread of the runtime went to sleep, the latest one since the plan was carried out.
pub fn slept() -> Option<Step> {
    own(&TABLE).slept
}

/// How many steps the threads of this process have taken so far.
pub fn taken() -> usize {
    TAKEN.load(Relaxed)
}

/// The calling thread is about to do this.
#[track_caller]
pub fn step(what: What) {
    TAKEN.fetch_add(1, Relaxed);
    let is_followed = what == What::Sleep && IS_CARRIED_OUT.load(SeqCst);
    if !is_followed && !IS_ARMED.load(SeqCst) || IS_OUTSIDER.try_with(Cell::get).unwrap_or(true) {
        return;
    }
    let step = Step {
        what,
        at: Location::caller(),
    };
    if is_followed {
        own(&TABLE).slept = Some(step);
    } else {
        reach(step);
    }
}

fn reach(step: Step) {
    let me = number();
    let mut table = own(&TABLE);
    let Some(mut plan) = table.plan.take_if(|plan| plan.thread == me) else {
        return;
    };
    let moment = Moment {
        before: step,
        after: plan.after,
    };
    let (acts, waits) = match &mut plan.when {
        When::Left(left) if *left > 0 && step.what != What::Sleep => {
            *left -= 1;
            (false, true)
        }
        When::Left(_) => (true, false),
        When::New(known) => (!known.contains(&moment), step.what != What::Sleep),
    };
    if !acts && waits {
        plan.after = Some(step);
        table.plan = Some(plan);
        return;
    }
    IS_ARMED.store(false, SeqCst);
    if !acts {
        drop(table);
        return; // and the plan is dropped, not under the lock
    }
    table.moment = Some(moment);
    IS_CARRIED_OUT.store(true, SeqCst);
    drop(table);
    while_this_one_stops(me, plan.act);
    if step.what == What::Sleep {
        own(&TABLE).slept = Some(step);
    }
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
