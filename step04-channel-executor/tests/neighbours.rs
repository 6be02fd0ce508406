//! A task that blocks its thread, or never yields it, keeps its neighbour from being polled.

use std::{
    future::{poll_fn, ready},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use probe::within;
use step04_channel_executor::{Signal, polls_of_neighbour, yield_now};

const LIMIT: Duration = Duration::from_secs(20);

async fn yields(times: usize) {
    for _ in 0..times {
        yield_now().await;
    }
}

#[test]
fn while_a_task_awaits_its_neighbour_gets_all_its_polls() {
    within(LIMIT, || {
        let done = Arc::new(Signal::default());
        let fires = Arc::clone(&done);
        let neighbour = async move {
            yields(10).await;
            fires.fire();
        };
        let awaits = async move { poll_fn(|cx| done.poll_fired(cx)).await };
        assert_eq!(polls_of_neighbour(neighbour, awaits), 11);
    });
}

#[test]
fn while_a_task_blocks_a_woken_neighbour_is_not_polled() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let (fires, fired) = (Arc::clone(&signal), mpsc::channel());
        let neighbour = async move { poll_fn(|cx| signal.poll_fired(cx)).await };
        let blocks = async move {
            thread::spawn(move || {
                fires.fire();
                fired.0.send(()).unwrap();
            });
            // Returns when the neighbour has been woken. It is in the queue, and this poll has not ended.
            fired.1.recv().unwrap();
        };
        assert_eq!(polls_of_neighbour(neighbour, blocks), 1);
    });
}

#[test]
#[cfg_attr(
    miri,
    ignore = "safe code on one thread, which the first test runs with fewer awaits"
)]
fn a_neighbour_is_polled_only_where_the_task_yields() {
    within(LIMIT, || {
        let awaits_ready = |count| async move {
            for _ in 0..count {
                ready(()).await;
            }
        };
        assert_eq!(polls_of_neighbour(yields(100), awaits_ready(1_000)), 1);
        let yields_between = async move {
            for _ in 0..10 {
                awaits_ready(100).await;
                yield_now().await;
            }
        };
        assert_eq!(polls_of_neighbour(yields(100), yields_between), 11);
    });
}
