use super::*;
use futures::channel::oneshot;
use probe::{Counted, watch, within};
use std::{
    future::{pending, poll_fn, ready},
    task::Waker,
};
use step05_parker_block_on::block_on;

const LIMIT: Duration = Duration::from_secs(2);
const SHORT: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(3_600);

fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
    within(LIMIT, || block_on(watch(name, future)))
}

#[test]
fn a_future_that_is_ready_in_time_gives_its_output() {
    let reactor = Reactor::new();
    let nap = Timer::new(&reactor, SHORT);
    let result = run(
        "a timeout of an hour",
        timeout(&reactor, LONG, Box::pin(nap)),
    );
    assert!(
        result.is_ok(),
        "the future was ready after 20 ms of an hour, and the timeout returned `Err`"
    );
    assert_eq!(
        reactor.waiting(),
        0,
        "the timeout is over, and the reactor still waits for a timer"
    );
}

#[test]
fn a_future_whose_time_is_up_is_given_back_and_loses_nothing() {
    let reactor = Reactor::new();
    let (answer, question) = oneshot::channel();
    let asked = Box::pin(question);
    let Err(asked) = run("a timeout of 20 ms", timeout(&reactor, SHORT, asked)) else {
        panic!("no answer was sent, and the timeout returned `Ok`");
    };
    answer
        .send(42)
        .expect("the receiver was given back, so it still exists");
    assert_eq!(
        run("the future that was given back", asked),
        Ok(42),
        "the future was given back, and polled on"
    );
}

#[test]
fn both_are_polled_in_every_poll() {
    let reactor = Reactor::new();
    let (_answer, question) = oneshot::channel::<()>();
    let counted = Counted::new(question);
    let counts = counted.counts();
    let returned = run(
        "a timeout of 20 ms",
        timeout(&reactor, SHORT, Box::pin(counted)),
    );
    assert_eq!(
        counts.polls(),
        2,
        "the future is polled once at the start, and once more when the timer wakes the task. A wake does not say \
         which of the two is ready."
    );
    assert_eq!(
        counts.drops(),
        0,
        "the future was dropped, although it should have been given back"
    );
    drop(returned);
    assert_eq!(
        counts.drops(),
        1,
        "the caller dropped what it was given back"
    );
}

#[test]
fn when_it_was_ready_nothing_is_kept() {
    let reactor = Reactor::new();
    for (limit, how) in [(LONG, "Ok"), (Duration::ZERO, "Err")] {
        let inner = async move {
            if how == "Err" {
                pending::<()>().await;
            }
        };
        let mut timeout = timeout(&reactor, limit, Box::pin(inner));
        let result = run("a timeout", Pin::new(&mut timeout));
        assert_eq!(result.is_ok(), how == "Ok");
        assert!(
            timeout.future.is_none(),
            "the timeout returned `{how}`, and its field `future` is not `None`. The comment on the field says when it is."
        );
    }
}

#[test]
fn the_last_moment_is_in_time() {
    let reactor = Reactor::new();
    let result = run(
        "a timeout of zero",
        timeout(&reactor, Duration::ZERO, Box::pin(ready(7))),
    );
    assert!(
        matches!(result, Ok(7)),
        "the future and the timer were ready at the same poll, and the output was not returned. Which of them did \
         you poll first?"
    );
}

#[test]
fn its_time_begins_when_the_future_has_been_polled() {
    let reactor = Reactor::new();
    let seen = async { poll_fn(|_| Poll::Ready(reactor.waiting())).await };
    let seen = run(
        "a timeout of an hour",
        timeout(&reactor, LONG, Box::pin(seen)),
    );
    assert!(
        matches!(seen, Ok(0)),
        "while the future was polled for the first time, the reactor was waiting for the timeout's timer already. A first \
         poll that takes long would use up the time. Which of them did you poll first?"
    );
}

#[test]
fn a_poll_may_come_for_any_reason_and_from_another_task() {
    let reactor = Reactor::new();
    let poll = |timeout: &mut Timeout<_>| {
        let mut cx = Context::from_waker(Waker::noop());
        within(LIMIT, || {
            Pin::new(&mut watch("a timeout", timeout)).poll(&mut cx)
        })
    };
    let mut hour = timeout(&reactor, LONG, Box::pin(pending::<()>()));
    for polls in 1..=2 {
        assert!(
            poll(&mut hour).is_pending(),
            "nothing has happened, and poll {polls} of a timeout of an hour was ready"
        );
    }
    let mut short = timeout(&reactor, SHORT, Box::pin(pending::<()>()));
    assert!(poll(&mut short).is_pending());
    let result = run("a timeout that changed its task", short);
    assert!(result.is_err(), "its future never finishes");
}
