//! By hand and by the compiler: equal, poll for poll, where the chapter says so and only there.

use std::{
    future::Future,
    panic::{self, AssertUnwindSafe},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use futures::executor::block_on;
use probe::{Counted, CountingWaker, within};
use step03_timer_future::{MyFuture, Nap, my_future, nap, nap_expanded};

const LIMIT: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(10);

fn polls(future: impl Future<Output = &'static str>) -> (&'static str, usize) {
    within(LIMIT, || {
        let counted = Counted::new(future);
        let counts = counted.counts();
        (block_on(counted), counts.polls())
    })
}

#[test]
fn three_states_take_three_polls_and_no_await_takes_one() {
    assert_eq!(polls(MyFuture::Start), ("finished", 3));
    assert_eq!(polls(my_future()), ("finished", 1));
}

#[test]
fn around_a_timer_all_three_take_two_polls() {
    assert_eq!(polls(nap(SHORT)), ("rested", 2));
    assert_eq!(polls(nap_expanded(SHORT)), ("rested", 2));
    assert_eq!(polls(Nap::Start(SHORT)), ("rested", 2));
}

#[test]
fn around_a_zero_timer_all_three_take_one_poll() {
    assert_eq!(polls(nap(Duration::ZERO)), ("rested", 1));
    assert_eq!(polls(nap_expanded(Duration::ZERO)), ("rested", 1));
    assert_eq!(polls(Nap::Start(Duration::ZERO)), ("rested", 1));
}

#[test]
fn polled_without_a_wake_both_stay_pending() {
    let mut cx = Context::from_waker(Waker::noop());
    let (mut by_compiler, mut by_hand) =
        (pin!(nap(Duration::MAX)), pin!(Nap::Start(Duration::MAX)));
    for _ in 0..3 {
        assert_eq!(by_compiler.as_mut().poll(&mut cx), Poll::Pending);
        assert_eq!(by_hand.as_mut().poll(&mut cx), Poll::Pending);
    }
}

#[test]
fn polled_after_they_were_ready_both_panic() {
    let (mut by_compiler, mut by_hand) =
        (pin!(nap(Duration::ZERO)), pin!(Nap::Start(Duration::ZERO)));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(by_compiler.as_mut().poll(&mut cx), Poll::Ready("rested"));
    assert_eq!(by_hand.as_mut().poll(&mut cx), Poll::Ready("rested"));
    let again = AssertUnwindSafe(|| {
        by_compiler
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    });
    assert!(panic::catch_unwind(again).is_err());
    let again = AssertUnwindSafe(|| {
        by_hand
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    });
    assert!(panic::catch_unwind(again).is_err());
}

#[test]
fn after_a_panic_the_compilers_machine_is_in_a_state_of_its_own() {
    let mut future = pin!(async { panic!("this panic belongs to the test") });
    let mut again = || {
        let mut cx = Context::from_waker(Waker::noop());
        let poll = AssertUnwindSafe(|| future.as_mut().poll(&mut cx));
        let payload = panic::catch_unwind(poll).expect_err("it panics");
        payload.downcast_ref::<&str>().copied().unwrap_or_default()
    };
    assert_eq!(again(), "this panic belongs to the test");
    assert_eq!(again(), "`async fn` resumed after panicking");
}

#[test]
fn the_three_states_ask_for_each_next_poll_by_themselves() {
    let waker = CountingWaker::new();
    let handed_out = waker.waker();
    let mut cx = Context::from_waker(&handed_out);
    let mut future = pin!(MyFuture::Start);
    for woken in 1..3 {
        assert_eq!(future.as_mut().poll(&mut cx), Poll::Pending);
        assert_eq!(waker.wakes(), woken);
    }
    assert_eq!(future.as_mut().poll(&mut cx), Poll::Ready("finished"));
    assert_eq!(waker.wakes(), 2);
}
