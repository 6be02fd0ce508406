//! A window of a few instructions between two critical sections, which `--stress` opens for certain: this program, started again with
//! one of these subjects.
//!
//! Two executors sleep at a condition variable. One of them looks for a wake, and then takes the lock again to sleep. Of two
//! semaphores, one reads how many permits there are, and then takes the lock again to take one.

use std::{
    env,
    future::poll_fn,
    process::{Command, ExitCode},
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

use probe::{Condvar, Mutex};
use runtime_contract::{
    BoxFuture, Subject,
    suite::{self, Promise},
};

runtime_contract::count_allocations!();

const SUBJECT: &str = "SUBJECT";

#[derive(Default)]
struct Signal {
    woken: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        *self.woken.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

impl Signal {
    fn sleep(&self) {
        let mut woken = self.woken.lock().unwrap();
        while !*woken {
            woken = self.changed.wait(woken).unwrap();
        }
        *woken = false;
    }

    fn look_then_sleep(&self) {
        let is_woken = *self.woken.lock().unwrap();
        if !is_woken {
            let woken = self.woken.lock().unwrap();
            drop(self.changed.wait(woken).unwrap());
        }
        *self.woken.lock().unwrap() = false;
    }
}

fn block_on(mut future: BoxFuture, sleep: fn(&Signal)) {
    let signal = Arc::new(Signal::default());
    let waker = Waker::from(signal.clone());
    let mut cx = Context::from_waker(&waker);
    while future.as_mut().poll(&mut cx).is_pending() {
        sleep(&signal);
    }
}

/// Nobody waits long for a permit: where there is none, the task is woken at once.
struct Permits {
    free: Mutex<usize>,
}

struct Permit(Arc<Permits>);

impl Drop for Permit {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap() += 1;
    }
}

impl Permits {
    fn take(&self) -> bool {
        let mut free = self.free.lock().unwrap();
        let some = *free > 0;
        *free -= usize::from(some);
        some
    }

    fn read_then_take(&self) -> bool {
        let some = *self.free.lock().unwrap() > 0;
        if some {
            let mut free = self.free.lock().unwrap();
            *free = free.saturating_sub(1);
        }
        some
    }
}

fn semaphore(name: &'static str, take: fn(&Permits) -> bool) -> Subject {
    Subject::semaphore(name, move |permits| {
        let free = Mutex::new(permits);
        let permits = Arc::new(Permits { free });
        move || {
            let permits = permits.clone();
            poll_fn(move |cx| {
                if take(&permits) {
                    return Poll::Ready(Permit(permits.clone()));
                }
                cx.waker().wake_by_ref();
                Poll::Pending
            })
        }
    })
}

fn subject(name: &str) -> Subject {
    match name {
        "takes" => semaphore("takes", Permits::take),
        "reads" => semaphore("reads", Permits::read_then_take),
        "sleeps" => Subject::block_on("sleeps", |future| block_on(future, Signal::sleep)),
        "looks" => Subject::block_on("looks", |future| block_on(future, Signal::look_then_sleep)),
        _ => unreachable!("{name}"),
    }
}

/// Whether it passed, and what it printed.
fn stress(name: &str, clause: &str, seconds: &str) -> (bool, String) {
    run(name, &["--stress", seconds, "--seed", "0", clause])
}

fn run(name: &str, arguments: &[&str]) -> (bool, String) {
    let mut program = Command::new(env::current_exe().unwrap());
    let ran = program.env(SUBJECT, name).args(arguments).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (ran.status.success(), out + &err)
}

fn main() -> ExitCode {
    if let Ok(name) = env::var(SUBJECT) {
        return suite::main(&[Promise::all(subject(&name))]);
    }
    for (broken, sound, clause, seen) in [
        ("looks", "sleeps", "woken_asleep", "seen: it hangs"),
        ("reads", "takes", "no_more_than_permits", "2 permits"),
    ] {
        let (passes, said) = stress(broken, clause, "60");
        assert!(!passes && said.contains(seen), "{said}");
        let (passes, said) = stress(sound, clause, "2");
        assert!(passes, "{said}");
    }
    let all_are_skipped = ["--stress", "2", "--skip", "takes::", "--skip=sleeps"];
    let (passes, said) = run("takes", &all_are_skipped);
    assert!(!passes && said.contains("nothing to try"), "{said}");
    ExitCode::SUCCESS
}
