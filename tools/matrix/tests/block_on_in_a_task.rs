//! Task A waits for task B in a `block_on` of its own: what happens on which executor. Chapter 05 shows the table.
//!
//! `SNAPSHOTS=overwrite cargo test -p matrix --test block_on_in_a_task` writes the table.

// What is blocked stays blocked until the process ends, and Miri reports threads that are left over.
#![cfg(not(miri))]

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use futures::{
    channel::oneshot,
    executor::{LocalPool, block_on as futures_block_on},
    future::join,
    task::LocalSpawnExt,
};
use kit::{files, written};
use step04_channel_executor::executor;
use step05_parker_block_on::block_on;
use step07_mini_tokio::MiniTokio;
use tokio::runtime::{Builder, Handle, Runtime};

const FILE: &str = "tools/matrix/tests/block_on_in_a_task.txt";
const WRITE: &str = "SNAPSHOTS=overwrite cargo test -p matrix --test block_on_in_a_task";

/// What stays blocked is seen after this time. What ends has more.
const A_MOMENT: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_secs(20);

/// The two ends of one wait: A has the receiver, B the sender.
struct Pair {
    answer: oneshot::Receiver<()>,
    b: B,
    done: Sender<()>,
}

struct B {
    answers: oneshot::Sender<()>,
    polls: Arc<AtomicUsize>,
}

impl B {
    async fn run(self) {
        self.polls.fetch_add(1, SeqCst);
        let _ = self.answers.send(());
    }
}

/// Who polls A and B, how A waits, and the run.
type Case = (&'static str, &'static str, fn(Pair));

const CASES: &[Case] = &[
    (
        "stage 05's block_on, A and B joined",
        "stage 05's block_on",
        |pair| {
            let a = async { block_on(pair.answer).unwrap() };
            block_on(join(a, pair.b.run()));
            pair.done.send(()).unwrap();
        },
    ),
    (
        "pollster 0.4.0's block_on, A and B joined",
        "pollster's block_on",
        |pair| {
            let a = async { pollster04::block_on(pair.answer).unwrap() };
            pollster04::block_on(join(a, pair.b.run()));
            pair.done.send(()).unwrap();
        },
    ),
    ("stage 04's executor", "stage 05's block_on", |pair| {
        let (executor, spawner) = executor();
        spawner.spawn(waits(pair.answer, pair.done));
        spawner.spawn(pair.b.run());
        drop(spawner);
        executor.run();
    }),
    ("stage 07's MiniTokio", "stage 05's block_on", |pair| {
        let mini_tokio = MiniTokio::new();
        mini_tokio.spawn(waits(pair.answer, pair.done));
        mini_tokio.spawn(pair.b.run());
        mini_tokio.run();
    }),
    ("futures' LocalPool", "futures' block_on", |pair| {
        let mut pool = LocalPool::new();
        let a = async { futures_block_on(pair.answer).unwrap() };
        pool.spawner().spawn_local(a).unwrap();
        pool.spawner().spawn_local(pair.b.run()).unwrap();
        pool.run();
    }),
    ("tokio, one thread", "stage 05's block_on", |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(waits(pair.answer, pair.done));
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    }),
    ("tokio, one thread", "Handle::block_on", |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(async move { Handle::current().block_on(pair.answer).unwrap() });
        let error = tokio.block_on(a).unwrap_err();
        std::panic::resume_unwind(error.into_panic());
    }),
    (
        "tokio, two threads, A spawns B",
        "stage 05's block_on",
        |pair| {
            let tokio = two_threads();
            let a = tokio.spawn(async move {
                tokio::spawn(pair.b.run());
                block_on(pair.answer).unwrap();
                pair.done.send(()).unwrap();
            });
            tokio.block_on(a).unwrap();
        },
    ),
    (
        "tokio, two threads, another thread spawns B",
        "stage 05's block_on",
        |pair| {
            let tokio = two_threads();
            let (blocks, is_blocking) = mpsc::channel();
            let a = tokio.spawn(async move {
                blocks.send(()).unwrap();
                block_on(pair.answer).unwrap();
                pair.done.send(()).unwrap();
            });
            is_blocking.recv().unwrap();
            tokio.spawn(pair.b.run());
            tokio.block_on(a).unwrap();
        },
    ),
    ("tokio, two threads, A spawns B", "block_in_place", |pair| {
        let tokio = two_threads();
        let a = tokio.spawn(async move {
            tokio::spawn(pair.b.run());
            tokio::task::block_in_place(|| block_on(pair.answer).unwrap());
            pair.done.send(()).unwrap();
        });
        tokio.block_on(a).unwrap();
    }),
    ("tokio, one thread", "spawn_blocking", |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(async move {
            let blocking = tokio::task::spawn_blocking(|| block_on(pair.answer).unwrap());
            blocking.await.unwrap();
            pair.done.send(()).unwrap();
        });
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    }),
    ("tokio, one thread", ".await", |pair| {
        let tokio = one_thread();
        let a = tokio.spawn(async move {
            pair.answer.await.unwrap();
            pair.done.send(()).unwrap();
        });
        tokio.spawn(pair.b.run());
        tokio.block_on(a).unwrap();
    }),
];

/// Task A: blocks its thread until B has answered.
async fn waits(answer: oneshot::Receiver<()>, done: Sender<()>) {
    block_on(answer).unwrap();
    done.send(()).unwrap();
}

fn one_thread() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn two_threads() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap()
}

/// A case that runs on a thread of its own. A thread that stays blocked ends with the process.
struct Running {
    /// The first two columns of the table.
    columns: String,
    done: Receiver<()>,
    polls_of_b: Arc<AtomicUsize>,
    thread: thread::JoinHandle<()>,
}

fn columns(who_polls: &str, a_waits: &str) -> String {
    format!("{who_polls:<45}{a_waits:<21}")
}

fn start(&(who_polls, a_waits, run): &Case) -> Running {
    let ((answers, answer), (done, is_done)) = (oneshot::channel(), mpsc::channel());
    let polls = Arc::new(AtomicUsize::new(0));
    let b = B {
        answers,
        polls: Arc::clone(&polls),
    };
    let pair = Pair { answer, b, done };
    Running {
        columns: columns(who_polls, a_waits),
        done: is_done,
        polls_of_b: polls,
        thread: thread::spawn(move || run(pair)),
    }
}

impl Running {
    /// The line of the table. A case that is blocked has this long to end all the same.
    fn line(self, limit: Duration) -> String {
        let outcome = match self.done.recv_timeout(limit) {
            Ok(()) => "done".to_owned(),
            Err(RecvTimeoutError::Timeout) => "blocked".to_owned(),
            Err(RecvTimeoutError::Disconnected) => {
                let payload = self
                    .thread
                    .join()
                    .expect_err("it neither ended nor panicked");
                let message = contract::message(&*payload);
                let sentence = message.split([':', '.']).next().unwrap_or_default();
                return format!("{}panics: {sentence}", self.columns);
            }
        };
        let polls = self.polls_of_b.load(SeqCst);
        format!("{}{outcome}, polls of B: {polls}", self.columns)
    }
}

fn table(moment: Duration) -> String {
    let running: Vec<Running> = CASES.iter().map(start).collect();
    let start = Instant::now();
    let lines = running.into_iter().map(|it| {
        // What ends, ends at once. All cases run at the same time, so all have the same moment.
        it.line(moment.saturating_sub(start.elapsed()))
    });
    let head = columns("who polls A and B", "A waits with") + "task A\n";
    lines.fold(head, |table, line| table + &line + "\n")
}

#[test]
fn a_nested_block_on_waits_for_a_sibling() {
    let file = files::root().join(FILE);
    let write = env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite");
    let mut moment = if write { 20 * A_MOMENT } else { A_MOMENT };
    loop {
        // A machine that stands still makes what ends look blocked, so a table that differs is made again with more time.
        match written::check(&file, &table(moment), write, WRITE) {
            Ok(()) => return,
            Err(_) if moment < LIMIT => moment *= 10,
            Err(stale) => panic!("{stale}"),
        }
    }
}
