//! How often the executor of stage 09 goes to the place where it sleeps, although it has something to poll.

use std::{
    sync::mpsc::{self, Sender},
    task::Waker,
    time::Duration,
};

use step08_join_handle::yield_now;
use step09_epoll_reactor::{Park, Parker, Runtime};

// ANCHOR: program
/// A place to sleep that notes each time limit.
struct Noted(Parker, Sender<Option<Duration>>);

impl Park for Noted {
    fn park(&self, limit: Option<Duration>, due: &mut Vec<Waker>) {
        self.1.send(limit).unwrap();
        self.0.park(limit, due);
    }

    fn unpark(&self) {
        self.0.unpark();
    }
}

fn program() -> (usize, usize) {
    let (note, limits) = mpsc::channel();
    let mut runtime = Runtime::with_park(Noted(Parker::default(), note));
    runtime.block_on(async {
        for _ in 0..200 {
            yield_now().await; // pending once, after it has woken its own task
        }
    });
    let limits: Vec<_> = limits.try_iter().collect();
    let looks = limits.iter().filter(|it| **it == Some(Duration::ZERO));
    (limits.len(), looks.count())
}
// ANCHOR_END: program

#[test]
fn after_each_61_polls_it_looks_and_never_sleeps() {
    assert_eq!(crate::within(program), (3, 3));
}
