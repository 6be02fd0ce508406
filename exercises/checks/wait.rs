//! How a check waits for the code that it tests: never without a limit.

use std::{fmt::Display, fs, panic, path::PathBuf, sync::mpsc, thread, time::Duration};

/// Whether this comes true within a second or two. It is asked a hundred times rather than until a clock says so, and another
/// thread sleeps in between, because a busy machine keeps that thread waiting as long as one that has something to do.
pub fn comes_true(mut happened: impl FnMut() -> bool) -> bool {
    (0..100).any(|asked| {
        let is_over = happened();
        if !is_over {
            let pause = Duration::from_millis(if asked < 50 { 1 } else { 20 });
            let _ = thread::spawn(move || thread::sleep(pause)).join();
        }
        is_over
    })
}

/// Waits until this comes true, and panics with the sentence that says what did not happen.
#[track_caller]
pub fn until(sentence: impl Display, happened: impl FnMut() -> bool) {
    assert!(comes_true(happened), "{sentence}");
}

/// What `act` returns on a thread of its own. If it does not return, the thread is left behind, and this panics with the sentence.
/// If it panics, so does this.
#[track_caller]
pub fn returned<T: Send + 'static>(
    sentence: impl Display,
    act: impl FnOnce() -> T + Send + 'static,
) -> T {
    let acting = thread::spawn(act);
    until(sentence, || acting.is_finished());
    let result = acting.join();
    result.unwrap_or_else(|panicked| panic::resume_unwind(panicked))
}

/// What `act` returns on a thread of its own. The lock that it needs is this thread's until `act` waits for it.
pub fn for_the_lock<T: Send + 'static>(
    guard: impl Sized,
    act: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (begin, began) = mpsc::channel();
    let acting = thread::spawn(move || {
        begin.send(Sleeper::here()).unwrap();
        act()
    });
    let sleeper = began.recv().unwrap();
    let sentence = "the lock is taken, and this thread checks again and again whether it is free";
    until(sentence, || acting.is_finished() || sleeper.waits());
    drop(guard);
    returned("the lock is free, and this call does not return", || {
        acting.join()
    })
    .unwrap()
}

/// A thread, of which Linux says how it sleeps.
pub struct Sleeper(Option<PathBuf>);

impl Sleeper {
    /// The thread that calls this.
    pub fn here() -> Sleeper {
        let link = fs::read_link("/proc/thread-self");
        let file = link.map(|link| PathBuf::from("/proc").join(link).join("syscall"));
        Sleeper(file.ok().filter(|file| fs::read(file).is_ok()))
    }

    /// Whether it sleeps until another thread ends that, and not for a time, however long. Other systems say no more than
    /// whether this process is busy.
    pub fn waits(&self) -> bool {
        let Some(file) = &self.0 else {
            let before = probe::cpu_time();
            thread::sleep(Duration::from_millis(30));
            return probe::cpu_time() - before < Duration::from_millis(10);
        };
        // A moment may be spent in a lock, so three looks have to agree.
        (0..3).all(|look| {
            thread::sleep(Duration::from_millis(look));
            let call = fs::read_to_string(file).unwrap_or_default();
            let words: Vec<&str> = call.split(' ').collect();
            // `futex`, on Intel's processors or on Arm's. Its fourth argument is the time limit.
            matches!(words[..], ["202" | "98", _, _, _, "0x0", ..])
        })
    }
}
