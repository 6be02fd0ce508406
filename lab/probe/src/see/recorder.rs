//! Takes events down, and notices when a thread slept in between.

use std::{
    panic::Location,
    sync::{Arc, Mutex, Weak},
    thread::{self, ThreadId},
    time::Instant,
};

use crate::see::{
    event::What,
    lock::own,
    recording::{Event, Named, Recording},
};

/// The recorder of what has no future to say whose it is: locks, notifications and atomic words. One at a time.
static RUNNING: Mutex<Weak<Recorder>> = Mutex::new(Weak::new());

/// Takes down a change of an atomic word. It is made in here, so that no other change comes between it and its note.
pub(crate) fn change<T>(
    address: usize,
    at: &Location<'_>,
    now: impl Fn() -> u64,
    change: impl FnOnce() -> T,
) -> T {
    let Some(recorder) = own(&RUNNING).upgrade() else {
        return change();
    };
    recorder.note_at(address, at, |word| {
        let before = now();
        let result = change();
        let after = now();
        (
            What::Word {
                word,
                before,
                after,
            },
            result,
        )
    })
}

/// Takes down what a thread does with a lock or a condition variable.
pub(crate) fn sync(address: usize, at: &Location<'_>, what: fn(u32) -> What) {
    let recorder = own(&RUNNING).upgrade();
    if let Some(recorder) = recorder {
        recorder.note_at(address, at, |object| (what(object), ()));
    }
}

/// Collects for one call of [`record`](crate::record), or what is done to locks and words.
#[derive(Debug)]
pub struct Recorder {
    start: Instant,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    recording: Recording,
    threads: Vec<Thread>,
    /// The addresses of locks and words, in the order of their first use.
    objects: Vec<usize>,
    finished: bool,
}

#[derive(Debug)]
struct Thread {
    id: ThreadId,
    /// When the latest event happened on it, and how often it had given up the CPU by then.
    latest: (u64, Option<i64>),
}

impl Recorder {
    /// Begins a recording, of which the calling thread is the first thread.
    pub fn start() -> Arc<Self> {
        let (start, log) = (Instant::now(), Mutex::<Log>::default());
        own(&log).thread();
        Arc::new(Self { start, log })
    }

    /// Also takes down what is done to [`sync`](crate::sync)'s locks and words from now on, unless a later recorder does.
    pub fn everywhere(self: &Arc<Self>) {
        *own(&RUNNING) = Arc::downgrade(self);
    }

    /// The number of a future with this name.
    pub(crate) fn add(&self, name: &str) -> u32 {
        let tasks = &mut own(&self.log).recording.tasks;
        add(tasks, name)
    }

    pub(crate) fn push(&self, so_far: Option<i64>, task: u32, what: What) {
        let mut log = own(&self.log);
        let at = self.now();
        log.slept_since_latest(so_far, at);
        log.push(at, Some(task), what, String::new());
    }

    /// Takes down what `act` does to a lock or a word, which is told its number.
    fn note_at<T>(
        &self,
        address: usize,
        at: &Location<'_>,
        act: impl FnOnce(u32) -> (What, T),
    ) -> T {
        let so_far = switches();
        let mut log = own(&self.log);
        let (what, result) = act(log.object(address));
        let now = self.now();
        log.slept_since_latest(so_far, now);
        let place = format!("{}:{}", at.file().replace('\\', "/"), at.line());
        log.push(now, None, what, place);
        result
    }

    /// Takes down that a thread sleeps since its latest event, which only another thread can say.
    pub(crate) fn sleeps(&self, thread: ThreadId) {
        let mut log = own(&self.log);
        let known = log.threads.iter().position(|known| known.id == thread);
        if let Some(known) = known.filter(|_| !log.finished) {
            let at = log.threads[known].latest.0;
            log.add(at, known, None, What::Park, String::new());
        }
    }

    /// Ends the recording. What happens later is not taken down.
    pub fn finish(&self) -> Recording {
        let so_far = switches();
        let mut log = own(&self.log);
        let here = thread::current().id();
        // The watchdog, which ends a recording that hangs, is no part of it.
        if log.threads.iter().any(|known| known.id == here) {
            log.slept_since_latest(so_far, self.now());
        }
        log.finished = true;
        let mut recording = std::mem::take(&mut log.recording);
        // A park is noticed when it is over.
        recording.events.sort_by_key(|event| event.at);
        recording
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

impl Log {
    /// The position of the calling thread, which is made known if it is new.
    fn thread(&mut self) -> usize {
        let thread = thread::current();
        let (id, latest) = (thread.id(), (0, switches()));
        let known = self.threads.iter().position(|known| known.id == id);
        known.unwrap_or_else(|| {
            let name = thread.name().unwrap_or_default();
            add(&mut self.recording.threads, name);
            self.threads.push(Thread { id, latest });
            self.threads.len() - 1
        })
    }

    /// The number of a lock or a word.
    fn object(&mut self, address: usize) -> u32 {
        let known = self.objects.iter().position(|known| *known == address);
        let place = known.unwrap_or_else(|| {
            self.objects.push(address);
            self.objects.len() - 1
        });
        u32::try_from(place + 1).expect("a run has fewer than 2^32 locks")
    }

    fn slept_since_latest(&mut self, so_far: Option<i64>, now: u64) {
        let thread = self.thread();
        let (then, before) = self.threads[thread].latest;
        if so_far > before {
            self.push(then, None, What::Park, String::new());
            self.push(now, None, What::Unpark, String::new());
        }
    }

    fn push(&mut self, at: u64, task: Option<u32>, what: What, place: String) {
        if self.finished {
            return;
        }
        let thread = self.thread();
        self.threads[thread].latest = (at, switches());
        if self.recording.events.len() == Recording::MOST_EVENTS {
            self.recording.left_out += 1;
        } else {
            self.add(at, thread, task, what, place);
        }
    }

    fn add(&mut self, at: u64, thread: usize, task: Option<u32>, what: What, place: String) {
        let thread = self.recording.threads[thread].id;
        self.recording.events.push(Event {
            at,
            thread,
            task,
            what,
            place,
        });
    }
}

fn add(list: &mut Vec<Named>, name: &str) -> u32 {
    let id = u32::try_from(list.len() + 1).expect("a run has fewer than 2^32 tasks");
    let name = name.to_owned();
    list.push(Named { id, name });
    id
}

/// How often the calling thread has given up the CPU by now. This crate's own locks may do so too.
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) fn switches() -> Option<i64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    Some(usage.voluntary_context_switches())
}

#[cfg(not(all(target_os = "linux", not(miri))))]
pub(crate) fn switches() -> Option<i64> {
    None
}
