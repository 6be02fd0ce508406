//! s07f · complete · 15 minutes · chapter 07, "A small tokio"
//!
//! On tokio's runtime with one thread, a task that never has to wait gets 128 awaits of most of tokio's futures in one
//! poll, and then the other tasks get their turn. `MiniTokio` has no such budget, so here you give it one.
//!
//! `Budgeted` is a future around the future of a task. `receive` is a leaf future for messages that are all there already,
//! so it is pending only if `take_one` is. Write both functions that are marked:
//!
//! - `Budgeted::poll` gives the task a full budget for each of its polls.
//! - `take_one` takes one from the budget. If nothing is left, it makes the task go on later, after the tasks that are in the
//!   queue already.
//!
//! Run: `cargo test --bin s07f_a_budget`, or save this file while `rustlings` runs.
//! Red: a test says how many messages a neighbour had to wait for, or the watchdog says that no clone of a waker was kept.
//! A poll that is pending leaves a clone with the code that wakes the task later, or it wakes the task itself.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll},
};

/// The number of times that leaf futures may be ready in one poll of a task.
const FULL: u32 = 128;

thread_local! {
    /// What is left for the task that this thread is polling.
    static BUDGET: Cell<u32> = const { Cell::new(FULL) };
}

/// Takes one from the budget. Pending if nothing is left.
fn take_one(cx: &mut Context<'_>) -> Poll<()> {
    let left = BUDGET.get();
    if left == 0 {
        // The promise that comes with `Pending`. The task goes to the end of the queue.
        cx.waker().wake_by_ref();
        return Poll::Pending;
    }
    BUDGET.set(left - 1);
    Poll::Ready(())
}

/// Receives a message. The messages are all there already.
async fn receive() {
    poll_fn(take_one).await;
}

/// The future of a task, which gets a full budget for each poll.
struct Budgeted(Pin<Box<dyn Future<Output = ()> + Send>>);

impl Future for Budgeted {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // Here and not in `take_one`, because a poll may end for other reasons too, and the next one starts afresh.
        BUDGET.set(FULL);
        self.0.as_mut().poll(cx)
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, Counts, watch, within};
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::SeqCst},
        },
        time::Duration,
    };
    use step07_mini_tokio::MiniTokio;

    const LIMIT: Duration = Duration::from_secs(2);

    fn spawn(
        mini_tokio: &MiniTokio,
        name: &str,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> Counts {
        let counted = Counted::new(Budgeted(Box::pin(future)));
        let counts = counted.counts();
        mini_tokio.spawn(watch(name, counted));
        counts
    }

    async fn receive_all(messages: usize) {
        for _ in 0..messages {
            receive().await;
        }
    }

    /// Wakes its own task and is pending once.
    async fn yield_now() {
        let mut yielded = false;
        poll_fn(|cx| {
            if std::mem::replace(&mut yielded, true) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    #[test]
    fn a_neighbour_waits_for_one_budget() {
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            let received = Arc::new(AtomicUsize::new(0));
            let waited = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&received);
            spawn(&mini_tokio, "receives 1,000 messages", async move {
                for _ in 0..1_000 {
                    receive().await;
                    counter.fetch_add(1, SeqCst);
                }
            });
            let (counter, seen) = (Arc::clone(&received), Arc::clone(&waited));
            spawn(&mini_tokio, "the neighbour", async move {
                seen.store(counter.load(SeqCst), SeqCst);
            });
            mini_tokio.run();
            let (received, waited) = (received.load(SeqCst), waited.load(SeqCst));
            assert_eq!(received, 1_000, "messages received in the end");
            assert!(
                waited == 128,
                "before the neighbour was polled for the first time, {waited} messages were received. After 128 in one \
                 poll, `receive` should be pending."
            );
        });
    }

    #[test]
    fn a_thousand_messages_take_eight_polls() {
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            let counts = spawn(&mini_tokio, "receives 1,000 messages", receive_all(1_000));
            mini_tokio.run();
            // Seven times 128, and 104.
            let polls = counts.polls();
            assert!(
                polls == 8,
                "1,000 messages took {polls} polls, and with 128 in each poll it should be 8"
            );
        });
    }

    #[test]
    fn each_poll_has_a_full_budget() {
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            let counts = spawn(&mini_tokio, "receives 100, yields, receives 100", async {
                receive_all(100).await;
                yield_now().await;
                receive_all(100).await;
            });
            mini_tokio.run();
            let polls = counts.polls();
            assert!(
                polls == 2,
                "a task received 100 messages, yielded, and received 100 more. That took {polls} polls and should take 2, \
                 because each poll has a full budget, whatever the poll before has left."
            );
        });
    }

    #[test]
    fn each_task_has_a_budget_of_its_own() {
        within(LIMIT, || {
            let mini_tokio = MiniTokio::new();
            let counts =
                ["one", "two", "three"].map(|name| spawn(&mini_tokio, name, receive_all(100)));
            mini_tokio.run();
            let polls = counts.map(|counts| counts.polls());
            assert!(
                polls == [1; 3],
                "three tasks receive 100 messages each. Each should need one poll, and they took {polls:?}. Whose budget did \
                 the second and the third task use?"
            );
        });
    }
}
