//! Once more polled, with a fresh waker: where does a future wait, and has what it waits for happened? A backtrace that is taken
//! where *that* waker is cloned ends at the `.await`.

use std::{
    backtrace::Backtrace,
    collections::BTreeMap,
    panic::Location,
    sync::{Mutex, MutexGuard, OnceLock, mpsc},
    thread,
    time::Duration,
};

use crate::{
    frames::Await,
    mutex::own,
    place::{self, own_thread},
    report::Looks,
};

/// What is asked of the next poll of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ask {
    #[default]
    Nothing,
    /// A fresh waker.
    Where,
    /// The same, and if the future is ready, its executor is not to know: the run is over, and must not go on.
    WhereAndStay,
}

/// Nothing, until the first question.
#[derive(Debug, Default)]
pub(crate) struct Poke(OnceLock<Box<Mutex<Found>>>);

/// By the latest poll with a fresh waker.
#[derive(Debug, Default)]
struct Found {
    ask: Ask,
    polls: usize,
    /// Whether it was ready, and how often it had been woken by then.
    ready: Option<(bool, usize)>,
    /// What comes later is not looked at: to read the lines takes time, and the program goes on.
    closed: bool,
    clones: Vec<Backtrace>,
    /// Where the future waits, once that has been read from these.
    awaits: Vec<Await>,
}

/// So many polls of a task that moves are looked at, and so many clones of each.
const MOST: usize = 16;
/// Of the futures that were made in one line, so many are poked. A server has thousands.
const OF_A_LINE: usize = 100;
/// So often, and so long each time, it is waited for the polls of those that are poked. Some never come.
const STEPS: usize = 100;
const STEP: Duration = Duration::from_millis(5);
/// So long it may take to find the lines of a program.
const TO_READ: Duration = Duration::from_secs(60);

impl Poke {
    fn found(&self) -> MutexGuard<'_, Found> {
        own(self.0.get_or_init(Box::default))
    }

    pub(crate) fn ask(&self, ask: Ask) {
        let mut found = self.found();
        *found = Found::default();
        found.ask = ask;
    }

    /// A poll begins. What is asked of it, if anything is, and the number of such polls.
    pub(crate) fn begin(&self) -> Option<(Ask, usize)> {
        let mut found = own(self.0.get()?);
        if found.ask == Ask::Where && found.polls == MOST {
            found.ask = Ask::Nothing;
        }
        if found.ask != Ask::Nothing && !found.closed {
            found.polls += 1;
            found.ready = None;
            found.clones.clear();
        }
        (found.ask != Ask::Nothing).then_some((found.ask, found.polls))
    }

    pub(crate) fn cloned(&self) {
        let found = self.found();
        if !found.closed && found.clones.len() < MOST {
            drop(found);
            let trace = Backtrace::force_capture();
            self.found().clones.push(trace);
        }
    }

    /// In the poll that it was made for, the latest clone was dropped: that wait was over.
    pub(crate) fn dropped(&self, poll: usize) {
        let mut found = self.found();
        if !found.closed && found.ready.is_none() && found.polls == poll {
            found.clones.pop();
        }
    }

    /// A poll is over, before which it had been woken so often.
    pub(crate) fn end(&self, ready: bool, wakes: usize) {
        let mut found = self.found();
        if !found.closed {
            found.ready = Some((ready, wakes));
        }
    }

    /// Whether the future was ready, and how often it had been woken by then. `None`: it was not polled.
    pub(crate) fn ready(&self) -> Option<(bool, usize)> {
        self.found().ready
    }

    pub(crate) fn awaits(&self) -> Vec<Await> {
        self.found().awaits.clone()
    }

    /// `made`: where the future was watched, if no line of the program is inside it.
    fn read(&self, made: &Location<'_>) {
        let clones = std::mem::take(&mut self.found().clones);
        let mut awaits: Vec<_> = clones.iter().map(Await::of).collect();
        for it in awaits.iter_mut().filter(|it| it.lines.is_empty()) {
            it.lines.push(format!("{}:{}", made.file(), made.line()));
        }
        awaits.sort();
        awaits.dedup();
        self.found().awaits = awaits;
    }
}

/// Wakes what is stuck, except in another `within`, and waits until it has been polled.
pub(crate) fn all(looks: &[Looks], ask: Ask) {
    let is_mine = |it: &&Looks| it.is_stuck() && !it.is_shared && !it.task.is_closure;
    let mut stuck: Vec<_> = looks.iter().filter(is_mine).collect();
    stuck.sort_by_key(|it| it.far);
    let mut of_line = BTreeMap::new();
    stuck.retain(|it| {
        let number: &mut usize = of_line.entry(it.task.made).or_default();
        *number += 1;
        *number <= OF_A_LINE
    });
    stuck.iter().for_each(|it| it.task.poke.ask(ask));
    // With those that no watched future polls, most others are polled. Of what makes wakers of its own, such as a `Shared`, only
    // what is left calls one: in a future that awaits itself, that waits for a lock that it holds, and whoever polls it waits too.
    let (inner, outer): (Vec<_>, Vec<_>) =
        stuck.into_iter().partition(|it| it.now.parent.is_some());
    wake(&outer, ask);
    wake(&inner, ask);
    for it in looks.iter().filter(|it| !it.is_shared) {
        let mut found = it.task.poke.found();
        found.closed = true;
        if ask == Ask::Where {
            found.ask = Ask::Nothing;
        }
    }
}

/// Finds the lines, also of what moves. That takes a while, in which others go on.
pub(crate) fn read(looks: &[Looks]) {
    let tasks = looks.iter().filter(|it| !it.is_shared);
    let tasks: Vec<_> = tasks.map(|it| it.task.clone()).collect();
    let (done, is_done) = mpsc::channel::<()>();
    let read = move || {
        tasks.iter().for_each(|task| task.poke.read(task.made));
        drop(done);
    };
    if own_thread().spawn(read).is_ok() {
        let _ = is_done.recv_timeout(TO_READ);
    }
}

/// Wakes those that were not polled yet, and waits until all of them are.
fn wake(looks: &[&Looks], ask: Ask) {
    let is_polled = |it: &&Looks| it.task.poke.ready().is_some();
    let rest = looks.iter().filter(|it| !is_polled(it));
    let wakers: Vec<_> = rest.filter_map(|it| it.task.latest_waker()).collect();
    if wakers.is_empty() {
        return;
    }
    // Waking runs code that we do not control, which may wait for a lock forever.
    let wake = move || {
        for waker in wakers {
            waker.own().inspect(|own| own.poke());
            if ask == Ask::WhereAndStay {
                // It may be all that keeps a task, whose place to be dropped is not here.
                std::mem::forget(waker);
            }
        }
    };
    let begun = place::used();
    let mut left = own_thread().spawn(wake).map_or(0, |_| 20 * STEPS);
    // On a busy machine they may come later.
    let may_come = |left| left % STEPS > 0 || left == 20 * STEPS || place::is_starved(begun);
    while left > 0 && !looks.iter().all(is_polled) && may_come(left) {
        thread::sleep(STEP);
        left -= 1;
    }
}
