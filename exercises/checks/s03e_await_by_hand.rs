use super::*;
use futures::executor::block_on;
use futures::future::join;
use probe::CountingWaker;
use std::cmp::Ordering;
use std::future::poll_fn;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::task::Waker;
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

fn child<'a>(name: &'static str, poll: u32, journal: &'a Mutex<Vec<String>>) -> ReadyAt<'a> {
    ReadyAt {
        name,
        poll,
        polls: 0,
        journal,
    }
}

#[test]
fn it_polls_as_the_async_block_does() {
    for (a, b) in [(1, 1), (2, 1), (1, 3)] {
        let by_hand = Mutex::default();
        let sum = Sum::First {
            a: child("a", a, &by_hand),
            b: Some(child("b", b, &by_hand)),
        };
        let (mut sum, mut polls) = (sum, 0);
        let counted = poll_fn(|cx| {
            polls += 1;
            Pin::new(&mut sum).poll(cx)
        });
        let answer = probe::within(Duration::from_secs(2), || {
            let name = format!("Sum, a ready at poll {a}, b at {b}");
            block_on(probe::watch(name, counted))
        });
        let again = panic::catch_unwind(AssertUnwindSafe(|| {
            let _ = Pin::new(&mut sum).poll(&mut Context::from_waker(Waker::noop()));
        }));
        let by_compiler = Mutex::default();
        let (a, b) = (child("a", a, &by_compiler), child("b", b, &by_compiler));
        let asked = block_on(async { a.await + b.await });
        let (by_hand, by_compiler) = (
            by_hand.into_inner().unwrap(),
            by_compiler.into_inner().unwrap(),
        );
        let by_hand = &by_hand[..by_hand.len().min(asked as usize)];
        assert!(
            by_hand == by_compiler.as_slice(),
            "Sum polls its children in another order than the async block.\n\
             The async block: {by_compiler:?}\nSum:             {by_hand:?}"
        );
        assert!(
            answer == asked,
            "Sum returned {answer}. The async block returns {asked}, a's output plus b's."
        );
        assert!(
            polls == asked - 1,
            "Sum was polled {polls} times, and the async block {} times. A change of the state is no reason to return \
             Pending: the loop polls b in the same poll.",
            asked - 1
        );
        assert!(
            again.is_err(),
            "Sum was ready, was polled again, and did not panic. Which state does it have to be in when it has returned Ready?"
        );
    }
    in_turns();
}

/// Two of them, each of which has a child that is pending at first, and wakes the task.
fn in_turns() {
    let (journal, waker) = (Mutex::default(), CountingWaker::new());
    let mut sums = [(3, 1), (1, 4)].map(|(a, b)| Sum::First {
        a: child("a", a, &journal),
        b: Some(child("b", b, &journal)),
    });
    let waking = waker.waker();
    let polled = sums
        .each_mut()
        .map(|sum| Pin::new(sum).poll(&mut Context::from_waker(&waking)));
    assert!(
        polled == [Poll::Pending; 2] && waker.wakes() == 2,
        "The first child of two sums is pending, and woke the task, so a sum has no reason to wake it too. They returned {polled:?}, \
         and there were {} wakes.",
        waker.wakes()
    );
    let [first, second] = sums;
    let both = probe::within(Duration::from_secs(2), || {
        block_on(probe::watch("two sums", join(first, second)))
    });
    assert!(
        both == (4, 5),
        "Two sums were polled in turns. They returned {both:?}, and (4, 5) was asked for. What does a sum share with another one?"
    );
}
