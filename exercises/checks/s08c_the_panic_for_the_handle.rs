use super::*;
use probe::{watch, within};
use std::{
    fmt,
    panic::panic_any,
    sync::mpsc::{self, RecvTimeoutError},
    time::Duration,
};
use step05_parker_block_on::block_on;

const LIMIT: Duration = Duration::from_secs(2);

fn join<T>(handle: JoinHandle<T>) -> Result<T, Payload> {
    within(LIMIT, || block_on(watch("the join handle", handle)))
}

/// Whether the pool still runs a task.
fn still_works(pool: &Pool) -> bool {
    let (sender, receiver) = mpsc::channel();
    let _detached = pool.spawn(async move { sender.send(()) });
    receiver.recv_timeout(LIMIT) != Err(RecvTimeoutError::Timeout)
}

/// The message that the handle got, as text.
fn message<T: fmt::Debug>(result: Result<T, Payload>) -> String {
    let payload = match result {
        Err(payload) => payload,
        Ok(output) => panic!("the task panicked, but its handle returned Ok({output:?})"),
    };
    if let Some(text) = payload.downcast_ref::<&str>() {
        return text.to_string();
    }
    if let Some(text) = payload.downcast_ref::<String>() {
        return text.clone();
    }
    if payload.is::<oneshot::Canceled>() {
        return "only that the channel was closed".to_string();
    }
    if payload.is::<Payload>() {
        return "a box with the payload in it, so there is one `Box::new` too many".to_string();
    }
    "a value that is neither a `&str` nor a `String`".to_string()
}

#[test]
fn the_handle_gets_the_message() {
    let pool = Pool::new(2);
    let got = message(join(pool.spawn(async { panic!("no bread left") })));
    assert!(
        got == "no bread left",
        "A task panicked with \"no bread left\".\nIts handle got: {got}."
    );
    let got = message(join(pool.spawn(async { panic!("{} left", 3) })));
    assert!(
        got == "3 left",
        "A task panicked with a `String`, \"3 left\".\nIts handle got: {got}."
    );
}

#[test]
fn the_handle_gets_any_payload() {
    let pool = Pool::new(1);
    let result = join(pool.spawn(async { panic_any(42_u16) }));
    let payload = result.expect_err("the task panicked");
    assert!(
        payload.downcast_ref::<u16>() == Some(&42),
        "A task panicked by `panic_any(42_u16)`, and what its handle got is not this number.\nIts handle got: {}.\n\
         A payload may have any type. Wanted: the box that the panic carried, as it is.",
        message::<()>(Err(payload))
    );
}

#[test]
fn the_workers_survive() {
    let pool = Pool::new(2);
    for _ in 0..3 {
        let _detached = pool.spawn(async { panic!("on purpose") });
    }
    assert!(
        still_works(&pool),
        "Three tasks panicked, and the pool of two workers runs no task any more.\n\
         Wanted: a panic ends the task, but not the worker that polls it.\n\
         Look at: who catches a panic between `poll` and the end of the worker's loop?"
    );
}

#[test]
fn a_task_may_panic_in_a_later_poll() {
    let pool = Pool::new(1);
    let (sender, receiver) = oneshot::channel::<()>();
    let waits = pool.spawn(async move {
        receiver.await.unwrap();
        panic!("after a wait");
    });
    // One worker, so the first task waits already when this one has run.
    assert!(
        still_works(&pool),
        "A task waits for a message, and meanwhile the pool's only worker runs no other task.\n\
         Wanted: a task that waits returns Pending, and its worker takes the next one.\n\
         Look at: does the worker's thread wait inside the poll, for example in a `block_on`?"
    );
    sender.send(()).unwrap();
    let got = message::<()>(join(waits));
    assert!(
        got == "after a wait",
        "A task waited, was woken, and panicked with \"after a wait\".\nIts handle got: {got}."
    );
    assert!(still_works(&pool), "and its worker is gone");
}

#[test]
fn an_output_is_not_an_error() {
    let pool = Pool::new(1);
    assert_eq!(join(pool.spawn(async { 6 * 7 })).ok(), Some(42));
}
