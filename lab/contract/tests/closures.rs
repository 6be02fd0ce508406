//! What is made of closures, inside the ordinary harness: a pool with threads of its own, and combinators.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures::{
    channel::mpsc,
    executor::{ThreadPool, block_on},
    future::join_all,
    stream::{FuturesUnordered, StreamExt},
};
use runtime_contract::{
    Answer, BoxFuture, Local, Message, Preset, Runtime, Side, Subject, clauses, leaf_clauses, suite,
};

runtime_contract::count_allocations!();

#[test]
fn a_pool_spawns_from_anywhere() {
    let pool = Preset::pool(
        || ThreadPool::builder().pool_size(2).create().unwrap(),
        |_, root| block_on(root),
        ThreadPool::spawn_ok,
        2,
    );
    let pool = Subject::executor("pool", pool);
    let names = ["finishes", "spawned_inside", "two_at_once", "four_at_once"];
    let kept = suite::check("a_pool_spawns_from_anywhere", pool, &names);
    kept.unwrap_or_else(|broken| panic!("{broken}"));
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
