//! A queue keeps its order and loses nothing, however long it is.

use std::{
    future::{Future, poll_fn},
    sync::{Arc, Mutex},
    task::Poll,
};

/// So many, which no buffer of a fixed length holds by chance.
pub const MANY: u32 = 1_000;

/// Sees to it that what came out is 1, 2, 3 and so on, up to `MANY`.
#[track_caller]
pub fn assert_in_order(what: &str, came: &[u32]) {
    let wrong = (1..=MANY).zip(came).find(|(wanted, came)| wanted != *came);
    if let Some((wanted, came)) = wrong {
        panic!(
            "{what}\nThey came as {}, and after that {came} came, where {wanted} should have come.\n\
             Wanted: the order in which they were put in.\n\
             Look at: at which end is one put in, and at which end is one taken out?",
            match wanted {
                1 => "follows: none was right".to_owned(),
                2 => "follows: 1".to_owned(),
                _ => format!("follows: 1 to {}", wanted - 1),
            }
        );
    }
    let count = came.len();
    assert!(
        count == MANY as usize,
        "{what}\nThen {count} came out. Wanted: each of the {MANY}, once.\nLook at: what becomes of one if many are there already?"
    );
}

/// What tasks have written down, in the order in which they were polled. Clones share it.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u32>>>);

impl Log {
    /// A task that writes its number down at both of its polls, and wakes itself in the first.
    pub fn task(&self, number: u32) -> impl Future<Output = ()> + Send + use<> {
        let (log, mut polls) = (self.clone(), 0);
        poll_fn(move |cx| {
            log.0.lock().unwrap().push(number);
            polls += 1;
            if polls == 2 {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
    }

    /// Sees to it that a thousand such tasks were polled in the order in which they were spawned, and then in the order in which
    /// they woke themselves, which is the same.
    #[track_caller]
    pub fn assert_in_order(&self) {
        let log = self.0.lock().unwrap();
        let (spawned, woken) = log.split_at(log.len().min(MANY as usize));
        let first = "A thousand tasks were spawned, one after the other, and polled.";
        assert_in_order(first, spawned);
        let second =
            "A thousand tasks woke themselves, one after the other, and were polled again.";
        assert_in_order(second, woken);
    }
}

/// Sees to it that a wake has put its task into the queue by the time it returns. `wake` makes one, and `is_queued` takes it out.
#[track_caller]
pub fn assert_sent_by_the_wake(mut wake: impl FnMut(), mut is_queued: impl FnMut() -> bool) {
    // A thread that does it later may be quick, but not a hundred times.
    for wakes in 1..=100 {
        wake();
        assert!(
            is_queued(),
            "Wake number {wakes} has returned, and the task is not in the queue.\n\
             Wanted: the wake itself puts it there. A thread for each wake is slow, and brings the wakes into any order.\n\
             Look at: on which thread does the waker send?"
        );
    }
}
