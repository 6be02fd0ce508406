//! What is made of closures, inside the ordinary harness: a pool with threads of its own, and combinators.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
};

use futures::{
    channel::mpsc,
    executor::{ThreadPool, block_on},
    future::{FutureExt, abortable, join_all},
    stream::{FuturesUnordered, StreamExt},
    task::SpawnExt,
};
use runtime_contract::{
    Abort, Answer, BoxFuture, Job, Local, LocalJob, Message, Preset, Runtime, Side, Subject,
    clauses, leaf_clauses, suite,
};

runtime_contract::count_allocations!();

/// It contains the panics of its tasks, and with them those of the author's functions.
fn spawn(pool: &ThreadPool, task: BoxFuture) {
    pool.spawn_ok(AssertUnwindSafe(task).catch_unwind().map(drop));
}

fn pool() -> Preset {
    Preset::pool(
        || ThreadPool::builder().pool_size(2).create().unwrap(),
        |_, root| block_on(root),
        spawn,
        2,
    )
}

fn join(job: Job) -> LocalJob {
    let handle = Preset::here(|pool: &ThreadPool| pool.spawn_with_handle(job));
    Box::pin(handle.unwrap())
}

fn abort(task: BoxFuture) -> Abort {
    let (task, handle) = abortable(task);
    Preset::here(|pool| spawn(pool, Box::pin(task.map(drop))));
    Box::new(move || handle.abort())
}

#[test]
fn a_pool_spawns_from_anywhere() {
    let names = [
        "finishes",
        "spawned_inside",
        "two_at_once",
        "four_at_once",
        "a_panic_is_contained",
        "output_reaches",
        "output_is_kept",
        "panic_reaches",
        "a_handle_changes_hands",
        "aborted_at_any_moment",
    ];
    let pool = Subject::executor("pool", pool().joining(join).aborting(abort));
    let kept = suite::check("a_pool_spawns_from_anywhere", pool, &names);
    kept.unwrap_or_else(|broken| panic!("{broken}"));
}

/// So it is on a machine where the thread of the test had no processor for so long.
#[test]
fn a_timer_that_is_over_at_its_first_poll_is_not_polled_again() {
    let over = Subject::timer("over", |after| {
        thread::sleep(after);
        async {}
    });
    let test = "a_timer_that_is_over_at_its_first_poll_is_not_polled_again";
    let kept = suite::check(test, over, &["longer_after_shorter"]);
    kept.unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn a_panic_of_its_author_says_so() {
    let wrong = pool()
        .joining(|_| panic!("no handles"))
        .aborting(|_| panic!("no aborts"));
    let names = ["output_reaches", "panic_reaches", "a_handle_changes_hands"];
    let test = "a_panic_of_its_author_says_so";
    let said = suite::check(
        test,
        Subject::executor("wrong", wrong),
        &[&names[..], &["aborted_at_any_moment"]].concat(),
    );
    let said = said.unwrap_err();
    let seen = |what| said.matches(what).count();
    let joining = seen("seen: the function of `joining` panicked: no handles");
    let aborting = seen("seen: the function of `aborting` panicked: no aborts");
    assert_eq!((joining, aborting), (names.len(), 1), "{said}");
}

/// What an executor has to keep, and one that is only run could not: it is stopped while a child waits that nobody can wake.
const OF_COMBINATORS: [&str; 7] = [
    "finishes",
    "woken_asleep",
    "dropped_when_ready",
    "dropped_when_panicked",
    "dropped_unrun",
    "dropped_by_its_executor",
    "stops_beside_one_that_yields",
];

#[test]
fn a_combinator_is_an_executor_to_its_children() {
    let joins = Subject::combinator("join_all", join_all);
    let test = "a_combinator_is_an_executor_to_its_children";
    let kept = suite::check(test, joins, &OF_COMBINATORS);
    kept.unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn so_is_one_that_polls_only_who_was_woken() {
    let unordered = Subject::combinator("unordered", |tasks| {
        tasks
            .into_iter()
            .collect::<FuturesUnordered<_>>()
            .collect::<Vec<_>>()
    });
    let test = "so_is_one_that_polls_only_who_was_woken";
    let kept = suite::check(test, unordered, &OF_COMBINATORS);
    kept.unwrap_or_else(|broken| panic!("{broken}"));
}

/// Its children wake the task that polled it first.
struct KeepsItsFirstWaker<F>(Pin<Box<F>>, Option<Waker>);

impl<F: Future> Future for KeepsItsFirstWaker<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let waker = self.1.get_or_insert_with(|| cx.waker().clone()).clone();
        self.0.as_mut().poll(&mut Context::from_waker(&waker))
    }
}

/// It polls on as long as one of its children is woken.
struct PollsOn<F>(Pin<Box<F>>);

struct Woken(AtomicBool, Waker);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, SeqCst);
        self.1.wake_by_ref();
    }
}

impl<F: Future> Future for PollsOn<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let woken = Arc::new(Woken(AtomicBool::new(true), cx.waker().clone()));
        let waker = Waker::from(woken.clone());
        while woken.0.swap(false, SeqCst) {
            let polled = self.0.as_mut().poll(&mut Context::from_waker(&waker));
            if polled.is_ready() {
                return polled;
            }
        }
        Poll::Pending
    }
}

#[test]
fn a_combinator_wakes_its_latest_task() {
    let keeps = Subject::combinator("keeps", |tasks| {
        KeepsItsFirstWaker(Box::pin(join_all(tasks)), None)
    });
    let test = "a_combinator_wakes_its_latest_task";
    let said = suite::check(test, keeps, &["four_at_once"]).unwrap_err();
    assert!(said.contains("it hangs"), "{said}");
}

#[test]
fn a_combinator_returns_though_a_child_yields() {
    let polls_on = Subject::combinator("polls on", |tasks| PollsOn(Box::pin(join_all(tasks))));
    let test = "a_combinator_returns_though_a_child_yields";
    let said = suite::check(test, polls_on, &["stops_beside_one_that_yields"]).unwrap_err();
    let seen = ["it keeps a processor busy", "not finished"];
    assert!(seen.iter().any(|seen| said.contains(seen)), "{said}");
}

/// Its channel stays open, so another message may come.
#[test]
fn no_receiver_of_a_stream_waits_for_two_messages() {
    let make = || {
        let (sender, receiver) = mpsc::unbounded::<Message>();
        (move |message| _ = sender.unbounded_send(message), receiver)
    };
    for stream in [
        Subject::stream("stream", make),
        Local::on(block_on).stream("local stream", make),
    ] {
        let Side::Leaf(stream) = stream.side else {
            unreachable!()
        };
        assert_eq!(leaf_clauses::ends::polled_after_ready(stream), Ok(()));
    }
}

#[test]
fn a_closure_that_runs_a_future_may_capture() {
    let pool = ThreadPool::builder().pool_size(1).create().unwrap();
    let captures = Subject::block_on("captures", move |future| {
        let _captured = &pool;
        block_on(future);
    });
    let test = "a_closure_that_runs_a_future_may_capture";
    let kept = suite::check(test, captures, &["finishes", "woken_asleep"]);
    kept.unwrap_or_else(|broken| panic!("{broken}"));
}

/// Only run, as a combinator is without `Subject::combinator`.
struct OnlyRuns;

impl Runtime for OnlyRuns {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        block_on(join_all(tasks));
        Ok(())
    }
}

#[test]
fn one_that_is_only_run_waits_forever() {
    let joins = Subject::runtime("join_all", &OnlyRuns);
    let test = "one_that_is_only_run_waits_forever";
    let said = suite::check(test, joins, &["dropped_by_its_executor"]).unwrap_err();
    assert!(said.contains("it hangs"), "{said}");
    assert_eq!(clauses::wake::woken_in_poll(&OnlyRuns), Ok(()));
}
