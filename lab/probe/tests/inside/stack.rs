//! A thread may be asked for its stack wherever it sleeps: in the allocator, and under the lock that std's backtraces take.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    backtrace::Backtrace,
    cell::Cell,
    env, hint,
    process::{Child, Command},
    sync::{Mutex, mpsc},
    thread,
    time::Duration,
};

use nix::libc;

use super::*;

/// The system's allocator, under a lock that no thread may take twice. Some threads sleep there.
struct Slow;

#[global_allocator]
static ALLOCATOR: Slow = Slow;
static LOCK: Mutex<()> = Mutex::new(());

thread_local!(static SLEEPS: Cell<bool> = const { Cell::new(false) });

// SAFETY: the system's does it all.
unsafe impl GlobalAlloc for Slow {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _locked = LOCK.lock();
        if SLEEPS.get() {
            thread::sleep(Duration::from_millis(1));
        }
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(memory, layout) };
    }
}

/// Set in the processes that may hang, to the name of their test.
const NAME: &str = "WHY_PENDING_TEST_STACK";

/// Runs it in a process of its own, which may hang.
fn in_a_process(name: &str, test: fn()) {
    if env::var(NAME).is_ok_and(|asked| asked == name) {
        return test();
    }
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &format!("see::stack::tests::{name}")]);
    let mut child = command.env(NAME, name).spawn().unwrap();
    assert!(ends(&mut child), "{name} hangs, or it has failed");
}

/// Whether it ends well, and ends.
fn ends(child: &mut Child) -> bool {
    for _ in 0..2400 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    false
}

/// Starts a thread that does this again and again.
fn place_of(act: impl Fn() + Send + 'static) -> std::sync::Arc<Place> {
    let (knows, known) = mpsc::channel();
    thread::spawn(move || {
        knows.send(Place::here()).unwrap();
        loop {
            act();
        }
    });
    known.recv().unwrap()
}

/// Allocates while the thread sleeps under the allocator's lock.
fn slowly<T>(act: impl Fn() -> T) {
    SLEEPS.set(true);
    drop(act());
    SLEEPS.set(false);
}

#[test]
fn threads_are_asked_in_the_allocator_and_under_the_lock_of_backtraces() {
    in_a_process(
        "threads_are_asked_in_the_allocator_and_under_the_lock_of_backtraces",
        || {
            let threads = [
                place_of(|| slowly(|| Box::new(0))),
                place_of(|| slowly(Backtrace::force_capture)),
                place_of(|| drop(hint::black_box(vec![0; 1000]))),
            ];
            let mut stacks = [const { Vec::new() }; 3];
            for _ in 0..50 {
                for (thread, stacks) in threads.iter().zip(&mut stacks) {
                    // Whether it sleeps, only the allocator could tell.
                    stacks.extend(signal::look(thread.kernel_id.unwrap()));
                }
            }
            for (place, module) in ["std::thread", "std::backtrace"].into_iter().enumerate() {
                let mut frames = stacks[place].iter().flat_map(frames);
                let is_there = frames.any(|frame| frame.symbol.path.is_in(module));
                assert!(is_there, "{module} in {} stacks", stacks[place].len());
            }
        },
    );
}

#[test]
fn a_thread_that_lets_no_signal_through_is_not_waited_for() {
    in_a_process(
        "a_thread_that_lets_no_signal_through_is_not_waited_for",
        || {
            let (knows, known) = mpsc::channel();
            thread::spawn(move || {
                // SAFETY: a set of signals is made and filled before it is used.
                unsafe {
                    let mut signals = std::mem::zeroed();
                    libc::sigfillset(&raw mut signals);
                    libc::pthread_sigmask(
                        libc::SIG_SETMASK,
                        &raw const signals,
                        std::ptr::null_mut(),
                    );
                }
                knows.send(Place::here()).unwrap();
                loop {
                    thread::park();
                }
            });
            let deaf = known.recv().unwrap();
            while deaf.doing() == Some(Doing::Runs) {
                thread::yield_now();
            }
            assert!(Stack::of(&deaf).is_none());
            // The next one is asked as if nothing had been.
            let sleeps = place_of(thread::park);
            while sleeps.doing() == Some(Doing::Runs) {
                thread::yield_now();
            }
            let stack = Stack::of(&sleeps).expect("it sleeps, and answers");
            let frames = frames(&stack);
            assert!(
                frames
                    .iter()
                    .any(|frame| frame.symbol.path.is_in("std::thread::park")
                        || frame.symbol.path.has("park"))
            );
        },
    );
}
