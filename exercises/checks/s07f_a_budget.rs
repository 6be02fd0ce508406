use super::*;
use futures::FutureExt;
use probe::{Counted, CountingWaker, Counts, watch, within};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Waker,
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
fn a_poll_that_receives_from_two_sides_has_one_budget() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let both = futures::future::join(receive_all(500), receive_all(500));
        let counts = spawn(&mini_tokio, "receives 500 messages twice", both.map(drop));
        mini_tokio.run();
        let polls = counts.polls();
        assert!(
            polls == 8,
            "two futures that are joined in one task receive 500 messages each. That took {polls} polls, and with 128 in \
             each poll it should be 8. When one of the two finds nothing left, what does the other one find?"
        );
    });
}

#[test]
fn the_task_is_woken_only_when_nothing_is_left() {
    let task = CountingWaker::new();
    let mut budgeted = Budgeted(Box::pin(receive_all(200)));
    let waker = task.waker();
    let mut cx = Context::from_waker(&waker);
    let mut exact = Budgeted(Box::pin(receive_all(128)));
    let answer = Pin::new(&mut exact).poll(&mut cx);
    assert!(
        (task.wakes(), answer) == (0, Poll::Ready(())),
        "A task received 128 messages in one poll, which returned {answer:?}, and was woken {} times. It has not asked for more \
         than there was.",
        task.wakes()
    );
    for (wakes, wanted) in [(1, Poll::Pending), (1, Poll::Ready(()))] {
        let answer = Pin::new(&mut budgeted).poll(&mut cx);
        assert!(
            (task.wakes(), answer) == (wakes, wanted),
            "A task receives 200 messages in two polls. At the end of one it returned {answer:?}, and it had been woken {} \
             times. Wanted: {wanted:?} and {wakes} in all, because only a poll that is pending needs another one.",
            task.wakes()
        );
    }
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
        let counts = ["one", "two", "three"].map(|name| spawn(&mini_tokio, name, receive_all(100)));
        mini_tokio.run();
        let polls = counts.map(|counts| counts.polls());
        assert!(
            polls == [1; 3],
            "three tasks receive 100 messages each. Each should need one poll, and they took {polls:?}. Whose budget did \
             the second and the third task use?"
        );
    });
}

#[test]
fn each_thread_has_a_budget_of_its_own() {
    within(LIMIT, || {
        let waker = CountingWaker::new().waker();
        let mut task = Budgeted(Box::pin(async {
            receive_all(100).await;
            // Meanwhile, another thread polls a task of its own.
            let other = || {
                Pin::new(&mut Budgeted(Box::pin(receive_all(0))))
                    .poll(&mut Context::from_waker(Waker::noop()))
            };
            std::thread::scope(|scope| drop(scope.spawn(other).join()));
            receive_all(100).await;
        }));
        let answer = Pin::new(&mut task).poll(&mut Context::from_waker(&waker));
        assert!(
            answer.is_pending(),
            "A task received 100 messages. Then another thread polled a task, and the first received 100 more in the same poll. \
             Who filled its budget again?"
        );
    });
}
