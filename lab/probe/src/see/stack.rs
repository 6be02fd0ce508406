//! The addresses on a thread's stack. Of one that sleeps, a signal makes the thread look, without a debugger.
//!
//! This and `raw_waker.rs` are the only files with `unsafe` in them.
#![cfg_attr(all(target_os = "linux", not(miri)), allow(unsafe_code))]

use crate::see::{
    elsewhere::{CLOSURE, DROPS_RUNTIME, THREADS, WORKER},
    frames::{Await, frames},
    place::{self, Doing, Place},
};

/// Instructions, the innermost function's first. Which lines they are is found out later, and on another thread.
#[derive(Debug)]
pub(crate) struct Stack(pub(crate) Vec<usize>);

impl Stack {
    /// That of the calling thread.
    pub(crate) fn here() -> Stack {
        let mut addresses = Vec::new();
        backtrace::trace(|frame| {
            addresses.push(frame.ip() as usize);
            true
        });
        Stack(addresses)
    }

    /// `None`: it does not sleep, or nobody can tell. One that runs is not interrupted.
    pub(crate) fn of(place: &Place) -> Option<Stack> {
        match place.doing()? {
            Doing::Runs => None,
            _ => signal::look(place.kernel_id?),
        }
    }
}

/// Whether the thread drops a runtime of tokio's, and waits there for its closures.
pub(crate) fn drops_runtime(stack: &Stack) -> bool {
    let mut frames = frames(stack).into_iter();
    frames.any(|frame| frame.symbol.path.is_in(DROPS_RUNTIME))
}

/// Where the threads of tokio sleep in closures that are not watched, if they have the name that it gives them.
pub(crate) fn of_closures() -> Vec<Await> {
    let stacks = place::asleep(THREADS).into_iter().filter_map(signal::look);
    let closures = stacks.map(|stack| frames(&stack)).filter(|stack| {
        let is_in = |module: &str| stack.iter().any(|frame| frame.symbol.path.is_in(module));
        is_in(CLOSURE) && !is_in(WORKER)
    });
    closures
        .filter_map(|stack| Await::asleep(&stack).or_else(|| Await::in_library(&stack)))
        .collect()
}

#[cfg(all(target_os = "linux", not(miri)))]
mod signal {
    use std::{
        mem, ptr,
        sync::{
            Mutex,
            atomic::{
                AtomicU32, AtomicUsize,
                Ordering::{Acquire, Relaxed, Release},
            },
        },
        thread,
        time::Duration,
    };

    use nix::{
        errno::Errno,
        libc::{self, c_int},
    };

    use super::Stack;
    use crate::see::lock::own;

    /// What is asked and answered: nothing, the number of the thread that is asked, or one of the two below, which no thread has.
    static ASKED: AtomicU32 = AtomicU32::new(NOBODY);
    const NOBODY: u32 = 0;
    /// The thread writes.
    const ANSWERS: u32 = u32::MAX;
    const ANSWERED: u32 = u32::MAX - 1;

    /// What it has found. Of a deeper stack, the innermost.
    static ADDRESSES: [AtomicUsize; 1024] = [const { AtomicUsize::new(0) }; 1024];
    static FOUND: AtomicUsize = AtomicUsize::new(0);

    /// Hardly anybody uses it, and by default it does nothing.
    const SIGNAL: c_int = libc::SIGURG;
    /// So often the thread is signalled, and so often it is looked for what it has found.
    const SIGNALS: usize = 3;
    const STEPS: usize = 100;
    const STEP: Duration = Duration::from_millis(2);

    /// Runs on a thread that may be anywhere: in the allocator, or under any lock. So it takes no lock and allocates nothing. What
    /// remains is the unwinder, which the program's C library has. With glibc from 2.35 on, that finds its tables without a lock.
    /// Before, and with musl, it takes the lock under which libraries are loaded, which the same thread may take again but another one
    /// that sleeps in `dlopen` keeps. Then the thread waits for that one, but the watchdog does not.
    extern "C" fn here(_: c_int) {
        // The code that is interrupted may be about to read it.
        let error = Errno::last_raw();
        let thread = nix::unistd::gettid().as_raw() as u32;
        // A signal that comes late finds another thread asked, or nobody.
        let is_asked = ASKED.compare_exchange(thread, ANSWERS, Acquire, Relaxed);
        if is_asked.is_ok() {
            let mut found = 0;
            // SAFETY: on Linux, it has no state of its own that calls on two threads could share.
            unsafe {
                backtrace::trace_unsynchronized(|frame| {
                    ADDRESSES[found].store(frame.ip() as usize, Relaxed);
                    found += 1;
                    found < ADDRESSES.len()
                });
            }
            FOUND.store(found, Relaxed);
            ASKED.store(ANSWERED, Release);
        }
        Errno::set_raw(error);
    }

    /// The calls of the system that are interrupted go on. It does not wait long for a thread that doesn't answer.
    pub(super) fn look(thread: u32) -> Option<Stack> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _one = own(&ONE_AT_A_TIME);
        // One that was asked before, and has begun to answer after its time, may still write.
        if ASKED.load(Acquire) == ANSWERS {
            return None;
        }
        // SAFETY: all of its bytes may be zero: no signal is masked, and there is no flag.
        let (mut action, mut before): (libc::sigaction, libc::sigaction) =
            unsafe { (mem::zeroed(), mem::zeroed()) };
        action.sa_sigaction = here as extern "C" fn(c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        // SAFETY: both are valid for the call. `here` is written for any moment at which it may interrupt a thread.
        if unsafe { libc::sigaction(SIGNAL, &raw const action, &raw mut before) } != 0 {
            return None;
        }
        ASKED.store(thread, Release);
        let has_answered = (0..SIGNALS).any(|_| {
            let process = nix::unistd::getpid().as_raw();
            // SAFETY: it takes three numbers, and fails if there is no such thread any more.
            unsafe { libc::syscall(libc::SYS_tgkill, process, thread, SIGNAL) };
            (0..STEPS).any(|_| {
                thread::sleep(STEP);
                ASKED.load(Acquire) == ANSWERED
            })
        });
        // From here on, a thread that has not begun to answer does not do so any more.
        let _ = ASKED.compare_exchange(thread, NOBODY, Relaxed, Relaxed);
        // SAFETY: what was there before is as valid as it was then.
        unsafe { libc::sigaction(SIGNAL, &raw const before, ptr::null_mut()) };
        let found = has_answered.then(|| &ADDRESSES[..FOUND.load(Relaxed)])?;
        Some(Stack(
            found.iter().map(|address| address.load(Relaxed)).collect(),
        ))
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod signal {
    use super::Stack;

    pub(super) fn look(_: u32) -> Option<Stack> {
        None
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
#[path = "../../tests/inside/stack.rs"]
mod tests;
