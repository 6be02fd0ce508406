use super::*;
use futures::executor::block_on;
use std::cmp::Ordering;
use std::sync::Mutex;
use std::time::Duration;

/// Ready at the poll with this number. Until then it wakes its own task. Records its polls.
struct ReadyAt<'a> {
    name: &'static str,
    poll: u32,
    polls: u32,
    journal: &'a Mutex<Vec<String>>,
}

impl Future for ReadyAt<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        self.polls += 1;
        let word = match self.polls.cmp(&self.poll) {
            Ordering::Less => "pending",
            Ordering::Equal => "ready",
            Ordering::Greater => "polled after it was ready",
        };
        self.journal
            .lock()
            .unwrap()
            .push(format!("{} {word}", self.name));
        if word != "pending" {
            return Poll::Ready(self.poll);
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[test]
fn it_polls_as_the_async_block_does() {
    for (a, b) in [(1, 1), (2, 1), (1, 3)] {
        let by_hand = Mutex::default();
        let child = |name, poll, journal| ReadyAt {
            name,
            poll,
            polls: 0,
            journal,
        };
        let sum = Sum::First {
            a: child("a", a, &by_hand),
            b: Some(child("b", b, &by_hand)),
        };
        let answer = probe::within(Duration::from_secs(2), || {
            block_on(probe::watch(
                format!("Sum, a ready at poll {a}, b at {b}"),
                sum,
            ))
        });
        let by_compiler = Mutex::default();
        let (a, b) = (child("a", a, &by_compiler), child("b", b, &by_compiler));
        let asked = block_on(async { a.await + b.await });
        let (by_hand, by_compiler) = (
            by_hand.into_inner().unwrap(),
            by_compiler.into_inner().unwrap(),
        );
        assert!(
            by_hand == by_compiler,
            "Sum polls its children in another order than the async block.\n\
             The async block: {by_compiler:?}\nSum:             {by_hand:?}"
        );
        assert!(
            answer == asked,
            "Sum returned {answer}. The async block returns {asked}, a's output plus b's."
        );
    }
}
