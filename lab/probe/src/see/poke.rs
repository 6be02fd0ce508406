//! What the next poll of a task is to find out: where does the future wait, and has what it waits for happened? That poll brings a
//! fresh waker, and a backtrace that is taken where *that* waker is cloned ends at the `.await`.

use std::{
    mem,
    panic::Location,
    sync::{Mutex, MutexGuard, OnceLock},
    thread::{self, ThreadId},
    time::Duration,
};

use crate::see::{
    frames::{Await, frames},
    lock::own,
    stack::Stack,
};

/// What is asked of the next polls of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ask {
    #[default]
    Nothing,
    /// A fresh waker in each, because the task may move.
    Each,
    /// A fresh waker in the next one.
    Once,
    /// The same, and if the future is ready, its executor is not to know: the run is over, and must not go on.
    OnceAndStay,
}

/// Nothing, until the first question.
#[derive(Debug, Default)]
pub(crate) struct Poke(OnceLock<Box<Mutex<Found>>>);

/// By the latest poll with a fresh waker.
#[derive(Debug, Default)]
struct Found {
    ask: Ask,
    polls: usize,
    /// The poll with a fresh waker that goes on, and its thread.
    going_on: Option<(usize, ThreadId)>,
    /// The fresh waker was the reason for a wake, and so for the next poll.
    provoked: bool,
    answer: Option<Answer>,
    /// What comes later is not looked at: to read the lines takes time, and the program goes on.
    closed: bool,
    clones: Vec<Stack>,
    /// Of the thread that is inside of its poll or closure, and sleeps there.
    stack: Option<Stack>,
    is_being_read: bool,
    /// So long the lines of these were looked up, and were not found.
    sought: Option<Duration>,
    /// Where the future waits, once that has been read from these.
    awaits: Vec<Await>,
}

/// What one poll has to do for the watchdog.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Request {
    /// The number of a poll with a fresh waker. 0: it is none.
    pub(crate) traced: usize,
    /// Whether the executor is not to know that the future is ready.
    pub(crate) stays: bool,
    /// Whether the watchdog is the reason for this poll, unless there was a wake too: it asked for one, or its fresh waker has led to it.
    pub(crate) is_provoked: bool,
}

/// What came of the poll that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) is_ready: bool,
    /// Whether it asked for another poll itself, by its new waker: there was something to do.
    pub(crate) goes_on: bool,
    /// How often others had woken the task by then.
    pub(crate) wakes: usize,
}

/// So many polls of a task that moves are looked at, and so many clones of each.
const MOST: usize = 16;

impl Poke {
    fn found(&self) -> MutexGuard<'_, Found> {
        own(self.0.get_or_init(Box::default))
    }

    pub(crate) fn ask(&self, ask: Ask) {
        let mut found = self.found();
        *found = Found::default();
        found.ask = ask;
    }

    /// Polls that come later find nothing. And no more is asked of them, unless a future that is ready has to stay.
    pub(crate) fn close(&self) {
        let mut found = self.found();
        found.closed = true;
        if found.ask != Ask::OnceAndStay {
            found.ask = Ask::Nothing;
        }
    }

    /// A poll begins. What has it to do?
    pub(crate) fn begin(&self) -> Request {
        let Some(found) = self.0.get() else {
            return Request::default();
        };
        let mut found = own(found);
        if found.ask == Ask::Each && found.polls == MOST {
            found.ask = Ask::Nothing;
        }
        let is_provoked = mem::take(&mut found.provoked);
        let mut request = Request {
            traced: 0,
            stays: found.ask == Ask::OnceAndStay,
            is_provoked,
        };
        let is_asked = match found.ask {
            Ask::Nothing => false,
            Ask::Each => true,
            Ask::Once | Ask::OnceAndStay => found.answer.is_none(),
        };
        // Another fresh waker might provoke the next poll, and so on.
        if is_asked && !is_provoked && !found.closed {
            found.polls += 1;
            found.answer = None;
            found.clones.clear();
            found.going_on = Some((found.polls, thread::current().id()));
            request.traced = found.polls;
            request.is_provoked = found.ask != Ask::Each;
        }
        request
    }

    /// Whether a wake that happens here has no other reason than that this poll brought a fresh waker: some futures wake the waker that
    /// they replace. `traced`: with which poll the one came that is woken.
    pub(crate) fn provokes(&self, traced: usize) -> bool {
        let Some(found) = self.0.get() else {
            return false;
        };
        let mut found = own(found);
        let Some((poll, thread)) = found.going_on else {
            return false;
        };
        let is_reason = poll != traced && thread == thread::current().id();
        found.provoked |= is_reason;
        is_reason
    }

    pub(crate) fn cloned(&self) {
        let found = self.found();
        if !found.closed && found.clones.len() < MOST {
            drop(found);
            let stack = Stack::here();
            self.found().clones.push(stack);
        }
    }

    /// The same, if this very poll has woken its waker.
    pub(crate) fn woken(&self, traced: usize) {
        if self.found().going_on == Some((traced, thread::current().id())) {
            self.cloned();
        }
    }

    /// In the poll that it was made for, the latest clone was dropped: that wait was over.
    pub(crate) fn dropped(&self, poll: usize) {
        let mut found = self.found();
        if !found.closed && found.answer.is_none() && found.polls == poll {
            found.clones.pop();
        }
    }

    /// A poll with a fresh waker is over.
    pub(crate) fn end(&self, answer: Answer) {
        let mut found = self.found();
        found.going_on = None;
        if !found.closed {
            found.answer = Some(answer);
        }
    }

    /// `None`: it was not polled.
    pub(crate) fn answer(&self) -> Option<Answer> {
        self.found().answer
    }

    pub(crate) fn awaits(&self) -> Vec<Await> {
        self.found().awaits.clone()
    }

    /// How long its lines were looked up, if that was not long enough.
    pub(crate) fn sought(&self) -> Option<Duration> {
        self.found().sought
    }

    /// Lines that are found from now on come too late. `after`: so long they were looked up.
    pub(crate) fn gives_up(&self, after: Duration) {
        let mut found = self.found();
        if found.is_being_read || found.stack.is_some() || !found.clones.is_empty() {
            found.sought = Some(after);
        }
    }

    /// Its thread is inside of its poll or closure, and has this stack.
    pub(crate) fn sleeps_at(&self, stack: Stack) {
        self.found().stack = Some(stack);
    }

    /// Finds the lines. `made`: where the future was watched, if no line of the program is inside it.
    pub(crate) fn read(&self, made: &Location<'_>) {
        let mut found = self.found();
        let (stack, clones) = (found.stack.take(), mem::take(&mut found.clones));
        found.is_being_read = stack.is_some() || !clones.is_empty();
        drop(found);
        let awaits = lines_of(stack, &clones, made);
        let mut found = self.found();
        found.is_being_read = false;
        if found.sought.is_none() {
            found.awaits = awaits;
        }
    }
}

fn lines_of(stack: Option<Stack>, clones: &[Stack], made: &Location<'_>) -> Vec<Await> {
    if let Some(asleep) = stack.and_then(|stack| Await::asleep(&frames(&stack))) {
        return vec![asleep];
    }
    let mut awaits: Vec<_> = clones.iter().map(Await::of).collect();
    for unknown in awaits.iter_mut().filter(|found| found.lines.is_empty()) {
        let made = format!("{}:{}", made.file(), made.line());
        unknown.lines.push(made);
    }
    awaits.sort();
    awaits.dedup();
    awaits
}
