//! Where a thread sleeps, by its own stack: a signal makes the thread look, without a debugger.
//!
//! This and `raw_waker.rs` are the only files with `unsafe` in them.
#![cfg_attr(all(target_os = "linux", not(miri)), allow(unsafe_code))]

use std::backtrace::Backtrace;

use crate::see::{
    frames::Await,
    lock::own,
    place::{self, Doing, Place},
};

/// `None`: it does not sleep, or nobody can tell. One that runs is not interrupted, for it may be in the allocator, and a backtrace
/// allocates.
pub(crate) fn of(place: &Place) -> Option<Backtrace> {
    match place.doing()? {
        Doing::Runs => None,
        _ => signal::look(place.kernel_id?),
    }
}

/// Where the threads of tokio sleep in closures that are not watched, if they have the name that it gives them.
pub(crate) fn of_closures() -> Vec<Await> {
    let stacks = place::asleep("tokio-").into_iter().filter_map(signal::look);
    let closures = stacks.filter(|stack| {
        let text = stack.to_string();
        // A worker began as a closure too.
        text.contains("runtime::blocking::task") && !text.contains("scheduler::multi_thread")
    });
    closures.filter_map(|stack| Await::asleep(&stack)).collect()
}

#[cfg(all(target_os = "linux", not(miri)))]
mod signal {
    use std::{mem, ptr, sync::Mutex, thread, time::Duration};

    use nix::{
        errno::Errno,
        libc::{self, c_int},
    };

    use super::{Backtrace, own};

    /// What the thread that was signalled has found.
    static FOUND: Mutex<Option<Backtrace>> = Mutex::new(None);
    /// Hardly anybody uses it, and by default it does nothing.
    const SIGNAL: c_int = libc::SIGURG;
    /// So often the thread is signalled, and so often it is looked for what it has found.
    const SIGNALS: usize = 3;
    const STEPS: usize = 100;
    const STEP: Duration = Duration::from_millis(2);

    extern "C" fn here(_: c_int) {
        // The code that is interrupted may be about to read it.
        let error = Errno::last_raw();
        let trace = Backtrace::force_capture();
        // The thread that reads it would be waited for on a stack that must return at once.
        if let Ok(mut found) = FOUND.try_lock() {
            *found = Some(trace);
        }
        Errno::set_raw(error);
    }

    /// The calls of the system that are interrupted go on.
    pub(super) fn look(thread: u32) -> Option<Backtrace> {
        own(&FOUND).take();
        // SAFETY: all of its bytes may be zero: no signal is masked, and there is no flag.
        let (mut action, mut before): (libc::sigaction, libc::sigaction) =
            unsafe { (mem::zeroed(), mem::zeroed()) };
        action.sa_sigaction = here as extern "C" fn(c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        // SAFETY: both are valid for the call. `here` allocates, which a signal's handler must not do on a thread that is in the
        // allocator: it would wait for itself. So only a thread that was just seen asleep in the kernel is signalled. If it has
        // woken since then and holds the allocator's lock, it keeps that lock, and whoever allocates next waits too, the
        // watchdog included: a test that hung goes on hanging. No memory is harmed.
        if unsafe { libc::sigaction(SIGNAL, &raw const action, &raw mut before) } != 0 {
            return None;
        }
        let found = (0..SIGNALS).find_map(|_| {
            let process = nix::unistd::getpid().as_raw();
            // SAFETY: it takes three numbers, and fails if there is no such thread any more.
            unsafe { libc::syscall(libc::SYS_tgkill, process, thread, SIGNAL) };
            (0..STEPS).find_map(|_| {
                thread::sleep(STEP);
                own(&FOUND).take()
            })
        });
        // SAFETY: what was there before is as valid as it was then.
        unsafe { libc::sigaction(SIGNAL, &raw const before, ptr::null_mut()) };
        found
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod signal {
    use super::Backtrace;

    pub(super) fn look(_: u32) -> Option<Backtrace> {
        None
    }
}
