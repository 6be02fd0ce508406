//! Whatever stands between the watched future and what waits inside: no sentence of the message is false.
//!
//! Each combinator waits for one future of three kinds. Of one whose wake is lost, the message must not say that its event has not
//! come; of one whose event has not come, it must not say that a wake is missing; and one that is ready makes no message.

// A backtrace is no thing for Miri, and tokio's driver neither.
#![cfg(not(miri))]

use std::{
    cell::Cell,
    future::{Future, pending, poll_fn},
    pin::Pin,
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use futures::{
    FutureExt, StreamExt,
    future::{self, Either},
    stream::{self, FuturesOrdered, FuturesUnordered},
};
use futures_concurrency::prelude::*;
use tokio::runtime::Builder;
use why_pending::within_async;

const LIMIT: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// It is ready when it is polled once more after all have been polled, and nothing wakes it.
    LostWake,
    /// It has left its waker with code that does not call it yet.
    NotCome,
    Ready,
}

type Leaf = Pin<Box<dyn Future<Output = ()> + Send>>;

thread_local! {
    /// Whether the program of this thread has been polled once.
    static IS_POLLED: Cell<bool> = const { Cell::new(false) };
}

fn leaf(kind: Kind) -> Leaf {
    let (mut polls, mut kept) = (0, Vec::<Waker>::new());
    Box::pin(poll_fn(move |cx| {
        polls += 1;
        match kind {
            Kind::Ready => return Poll::Ready(()),
            Kind::LostWake if polls > 1 && IS_POLLED.get() => return Poll::Ready(()),
            Kind::LostWake | Kind::NotCome => kept.push(cx.waker().clone()),
        }
        Poll::Pending
    }))
}

/// The leaf, and others that are ready at once.
fn among(count: usize, leaf: Leaf) -> Vec<Leaf> {
    let others = (1..count).map(|_| self::leaf(Kind::Ready));
    others.chain([leaf]).collect()
}

/// What a combinator does with the poll of the watchdog.
#[derive(Clone, Copy, PartialEq)]
enum Passes {
    /// It reaches the leaf, so the verdict has to be exact.
    On,
    /// Only to what was woken, so the message may conclude nothing.
    Perhaps,
}
use Passes::{On, Perhaps};

type Combined = Pin<Box<dyn Future<Output = ()>>>;

type Combinator = (&'static str, Passes, fn(Leaf) -> Combined);

macro_rules! combinators {
    ($($name:literal $passes:ident |$leaf:ident| $body:expr;)*) => {
        &[$(($name, $passes, |$leaf| Box::pin(async move { _ = $body; }))),*]
    };
}

const ALL: &[Combinator] = combinators! {
    "await" On |leaf| leaf.await;
    "map, boxed" On |leaf| leaf.map(|()| 1).boxed().await;
    "fuse" On |leaf| leaf.fuse().await;
    "into_stream" On |leaf| leaf.into_stream().next().await;
    "futures::join!" On |leaf| futures::join!(leaf, self::leaf(Kind::Ready));
    "futures::join" On |leaf| future::join(self::leaf(Kind::Ready), leaf).await;
    "futures::try_join!" On |leaf| futures::try_join!(leaf.unit_error(), self::leaf(Kind::Ready).unit_error());
    "futures::select" On |leaf| match future::select(leaf, pending::<()>()).await {
        Either::Left(_) | Either::Right(_) => {}
    };
    "futures::select!" On |leaf| {
        let (mut leaf, mut never) = (leaf.fuse(), pending::<()>().fuse());
        futures::select! { () = leaf => {}, () = never => {} }
    };
    "select_all" On |leaf| future::select_all([leaf]).await;
    "select_ok" On |leaf| future::select_ok([leaf.unit_error()]).await;
    "join_all of 30" On |leaf| future::join_all(among(30, leaf)).await;
    "join_all of 31" Perhaps |leaf| future::join_all(among(31, leaf)).await;
    "try_join_all of 31" Perhaps |leaf| {
        future::try_join_all(among(31, leaf).into_iter().map(FutureExt::unit_error)).await
    };
    "FuturesUnordered" Perhaps |leaf| FuturesUnordered::from_iter([leaf]).next().await;
    "FuturesOrdered" Perhaps |leaf| FuturesOrdered::from_iter([leaf]).next().await;
    "buffered" Perhaps |leaf| stream::iter(among(3, leaf)).buffered(2).collect::<Vec<_>>().await;
    "buffer_unordered" Perhaps |leaf| stream::iter(among(3, leaf)).buffer_unordered(2).collect::<Vec<_>>().await;
    "for_each_concurrent" Perhaps |leaf| stream::iter([leaf]).for_each_concurrent(2, |leaf| leaf).await;
    "flatten_unordered" Perhaps |leaf| {
        stream::iter([leaf.into_stream()]).flatten_unordered(None).next().await
    };
    "stream::select_all" Perhaps |leaf| stream::select_all([leaf.into_stream()]).next().await;
    "stream::select" On |leaf| stream::select(leaf.into_stream(), stream::pending()).next().await;
    "chain, then" On |leaf| stream::iter([leaf]).then(|leaf| leaf).next().await;
    "shared" On |leaf| leaf.shared().await;
    "two clones of one shared" On |leaf| {
        let shared = leaf.shared();
        futures::join!(shared.clone(), shared)
    };
    "remote_handle" On |leaf| {
        let (remote, handle) = leaf.remote_handle();
        futures::join!(remote, handle)
    };
    "tokio::join!" On |leaf| tokio::join!(leaf, self::leaf(Kind::Ready));
    "tokio::try_join!" On |leaf| tokio::try_join!(leaf.unit_error(), self::leaf(Kind::Ready).unit_error());
    "tokio::select!" On |leaf| tokio::select! { () = leaf => {}, () = pending() => {} };
    "timeout" On |leaf| tokio::time::timeout(Duration::from_secs(60), leaf).await;
    "unconstrained" On |leaf| tokio::task::unconstrained(leaf).await;
    "task_local" On |leaf| {
        tokio::task_local! { static NUMBER: u32; }
        NUMBER.scope(1, leaf).await
    };
    "a watched task" On |leaf| why_pending::tokio::spawn(leaf).await;
    "a watched JoinSet" On |leaf| {
        let mut set = why_pending::tokio::task::JoinSet::new();
        set.spawn(leaf);
        set.join_next().await
    };
    "LocalSet::run_until" On |leaf| tokio::task::LocalSet::new().run_until(leaf).await;
    "run_until_cancelled" On |leaf| tokio_util::sync::CancellationToken::new().run_until_cancelled(leaf).await;
    "ReusableBoxFuture" On |leaf| tokio_util::sync::ReusableBoxFuture::new(leaf).await;
    "tokio_stream::merge" On |leaf| {
        tokio_stream::StreamExt::merge(leaf.into_stream(), stream::pending()).next().await
    };
    "StreamMap" On |leaf| {
        let mut streams = tokio_stream::StreamMap::new();
        streams.insert(1, leaf.into_stream());
        streams.next().await
    };
    "concurrency join" Perhaps |leaf| (leaf, self::leaf(Kind::Ready)).join().await;
    "concurrency join of a Vec" Perhaps |leaf| among(3, leaf).join().await;
    "concurrency try_join" Perhaps |leaf| (leaf.unit_error(), self::leaf(Kind::Ready).unit_error()).try_join().await;
    "concurrency race" On |leaf| (leaf, pending::<()>()).race().await;
    "concurrency merge" Perhaps |leaf| {
        let streams = (leaf.into_stream(), stream::pending::<()>());
        let mut merged = std::pin::pin!(streams.merge());
        merged.next().await
    };
};

/// The message, if there is one: with nothing but the leaf and the combinator on the runtime of a thread.
fn message(combinator: fn(Leaf) -> Combined, kind: Kind) -> Option<String> {
    let runs = move || {
        let mut builder = Builder::new_current_thread();
        let runtime = builder.enable_all().build().expect("a runtime");
        let mut program = combinator(leaf(kind));
        let notes = poll_fn(|cx| {
            let poll = program.as_mut().poll(cx);
            IS_POLLED.set(true);
            poll
        });
        runtime.block_on(within_async(LIMIT, notes));
    };
    let thread = thread::spawn(runs);
    let payload = thread.join().err()?;
    let text = payload.downcast::<String>().expect("it panics with a text");
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What the watchdog says when the poll that it has asked for did not come.
const NO_TURN: &str = "the watchdog has not polled it once more";

/// What is wrong with a message, if anything is.
fn fault(kind: Kind, passes: Passes, said: Option<&str>) -> Option<String> {
    const MISSING: &str = "So the wake is missing";
    const NOT_COME: &str = "for an event that has not come";
    const NOTHING: &str = "That says nothing about the event";
    let wrong = |what: &str| Some(format!("{kind:?}: {what}"));
    let said = match (kind, said) {
        (Kind::Ready, None) => return None,
        (Kind::Ready, Some(_)) => return wrong("there is a message"),
        (_, None) => return wrong("there is none"),
        (_, Some(said)) => said,
    };
    let (right, false_one) = match kind {
        Kind::LostWake => (MISSING, "What it waits for has not happened"),
        _ => (NOT_COME, MISSING),
    };
    let is_false = said.contains(false_one) || said.contains("is ready, or none is in there");
    if is_false || said.contains("is still at work") {
        return wrong("a false sentence");
    }
    if !said.contains(if passes == On { right } else { NOTHING }) {
        return wrong("it does not say what it knows");
    }
    None
}

#[test]
fn no_combinator_makes_the_watchdog_say_what_is_false() {
    let mut tries = Vec::new();
    for (name, passes, combinator) in ALL {
        for kind in [Kind::LostWake, Kind::NotCome, Kind::Ready] {
            let said = thread::spawn(move || message(*combinator, kind));
            tries.push((name, *passes, *combinator, kind, said));
        }
    }
    let mut faults = String::new();
    for (name, passes, combinator, kind, said) in tries {
        let mut said = said.join().expect("it catches the panic");
        // Beside all the others, it may have had no turn in time. Now it is alone.
        for _ in 0..5 {
            match &said {
                Some(text) if text.contains(NO_TURN) => said = message(combinator, kind),
                _ => break,
            }
        }
        if let Some(fault) = fault(kind, passes, said.as_deref()) {
            let said = said.unwrap_or_default();
            faults += &format!("{name}: {fault}:\n{said}\n\n");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
