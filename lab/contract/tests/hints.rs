//! What a failure advises, tried: with the advice, the same clause fails no more. This program, started again with one of these
//! subjects.

use std::{
    cell::{Cell, RefCell},
    env,
    process::{Command, ExitCode},
    task::Poll,
    time::Duration,
};

use futures::{
    executor::{LocalPool, LocalSpawner, block_on},
    future::{RemoteHandle, poll_fn},
    task::LocalSpawnExt,
};
use runtime_contract::{
    BoxFuture, Local, Preset, Subject,
    suite::{self, Promise},
};

runtime_contract::count_allocations!();

const SUBJECT: &str = "SUBJECT";

struct Pool(RefCell<LocalPool>, LocalSpawner);

impl Pool {
    fn new() -> Pool {
        let pool = LocalPool::new();
        let spawner = pool.spawner();
        Pool(RefCell::new(pool), spawner)
    }

    fn run_until(&self, root: BoxFuture) {
        self.0.borrow_mut().run_until(root);
    }

    fn run(&self, root: BoxFuture) {
        self.run_until(root);
        self.0.borrow_mut().run();
    }

    fn spawn(&self, task: BoxFuture) -> RemoteHandle<()> {
        self.1.spawn_local_with_handle(task).expect("it is there")
    }
}

const POOL: fn() -> Preset = || {
    Preset::object(Pool::new, Pool::run_until, |pool, task| {
        pool.spawn(task).forget()
    })
};
const WAITS: fn() -> Preset =
    || Preset::object(Pool::new, Pool::run, |pool, task| pool.spawn(task).forget());
const PANICS: fn() -> Preset = || {
    let spawn = |pool: &Pool, task| pool.1.spawn_local(task).expect("it is there");
    Preset::object(Pool::new, Pool::run_until, spawn)
};

thread_local! {
    static DRIVEN: Cell<bool> = const { Cell::new(false) };
}

/// A timer that needs the runtime of its thread.
async fn sleep(after: Duration) {
    let (mut waits, start) = (None, std::time::Instant::now());
    poll_fn(|cx| {
        assert!(DRIVEN.get(), "there is no reactor running on this thread");
        if start.elapsed() >= after {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        waits.get_or_insert_with(|| {
            std::thread::spawn(move || {
                std::thread::sleep(after);
                waker.wake();
            })
        });
        Poll::Pending
    })
    .await;
}

fn drives(future: runtime_contract::LocalBoxFuture) {
    DRIVEN.set(true);
    block_on(future);
}

/// What fails, what is advised, and the clause; and the same with the advice.
const HINTS: [(&str, &str, &str); 6] = [
    (
        "finishes",
        "detached",
        "`spawn` may have dropped the task with its handle: detach it.",
    ),
    (
        "dropped_at_shutdown",
        "until all are done",
        "say `.waiting_for_all()`.",
    ),
    (
        "dropped_unrun",
        "until all are done",
        "say `.waiting_for_all()`.",
    ),
    (
        "a_panic_is_contained",
        "through",
        "say `.letting_panics_through()`.",
    ),
    (
        "two_at_once",
        "one thread",
        "it may have fewer threads than the preset says.",
    ),
    ("pending_is_a_promise", "driven", "make it by `Local::on`"),
];

fn subject(what: &str, is_mended: bool) -> Subject {
    let executor = |preset| Subject::executor("mine", preset);
    match (what, is_mended) {
        ("detached", false) => {
            executor(Preset::object(Pool::new, Pool::run_until, |pool, task| {
                drop(pool.spawn(task));
            }))
        }
        ("detached" | "one thread", true) => executor(POOL()),
        ("until all are done", false) => executor(WAITS()),
        ("until all are done", true) => executor(WAITS().waiting_for_all()),
        ("through", false) => executor(PANICS()),
        ("through", true) => executor(PANICS().letting_panics_through()),
        ("one thread", false) => executor(POOL().on_workers(2)),
        ("driven", false) => Subject::timer("mine", sleep),
        ("driven", true) => Local::on(drives).timer("mine", sleep),
        _ => unreachable!("{what}"),
    }
}

/// Whether it passed, and what it printed.
fn program(subject: &str, clause: &str) -> (bool, String) {
    let mut program = Command::new(env::current_exe().unwrap());
    let ran = program
        .env(SUBJECT, subject)
        .args(["--exact", &format!("mine::{clause}")])
        .output();
    let ran = ran.unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (ran.status.success(), out + &err)
}

fn main() -> ExitCode {
    if let Ok(name) = env::var(SUBJECT) {
        let mended = name.strip_prefix("mended ");
        let subject = subject(mended.unwrap_or(&name), mended.is_some());
        return suite::main(&[Promise::all(subject)]);
    }
    for (clause, what, hint) in HINTS {
        let (passes, said) = program(what, clause);
        assert!(!passes && said.contains(hint), "{clause}, {what}: {said}");
        let (passes, said) = program(&format!("mended {what}"), clause);
        assert!(
            passes && said.contains("running 1 test"),
            "{clause}, {what}: {said}"
        );
    }
    ExitCode::SUCCESS
}
