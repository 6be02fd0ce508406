use super::*;
use std::{cell::Cell, cell::RefCell, rc::Rc, time::Duration};

/// Is pending so many times, and then fails or succeeds. Writes down each poll.
struct Attempt {
    number: usize,
    pending: usize,
    succeeds: bool,
    polls: Rc<RefCell<Vec<String>>>,
    is_finished: bool,
}

impl SimpleFuture for Attempt {
    type Output = Result<usize, usize>;

    fn poll(&mut self, wake: fn()) -> Poll<Result<usize, usize>> {
        let number = self.number;
        assert!(
            !self.is_finished,
            "Attempt {number} was finished, and was polled again.\nLook at: where does the next attempt come from?"
        );
        let answer = if self.pending > 0 {
            self.pending -= 1;
            wake();
            Poll::Pending
        } else {
            self.is_finished = true;
            Poll::Ready(if self.succeeds {
                Ok(number)
            } else {
                Err(number)
            })
        };
        let what = match answer {
            Poll::Pending => "pending",
            Poll::Ready(Ok(_)) => "succeeds",
            Poll::Ready(Err(_)) => "fails",
        };
        self.polls.borrow_mut().push(format!("{number} {what}"));
        answer
    }
}

thread_local!(static WAKES: Cell<u32> = const { Cell::new(0) });

fn wake() {
    WAKES.set(WAKES.get() + 1);
}

/// In each attempt, how many of its polls are pending, and whether it succeeds. Then what is polled in each poll of
/// `TryAgain`, and what it returns in the last one.
fn check(attempts: &[(usize, bool)], wanted: &[&[&str]], output: Result<usize, usize>) {
    let polls = Rc::new(RefCell::new(Vec::new()));
    let mut made = 0;
    let mut future = TryAgain {
        make: || {
            let (pending, succeeds) = attempts[made];
            made += 1;
            Attempt {
                number: made,
                pending,
                succeeds,
                polls: Rc::clone(&polls),
                is_finished: false,
            }
        },
        running: None,
        left: attempts.len() - 1,
    };
    for (poll, wanted) in (1..).zip(wanted) {
        let answer = future.poll(wake);
        let seen = polls.take();
        let is_last = wanted.last().is_some_and(|it| !it.ends_with("pending"));
        // An attempt that is pending calls the `wake` that it gets, so that the calls can be counted.
        let (wakes, pending) = (
            WAKES.take(),
            seen.iter().filter(|it| it.ends_with("pending")),
        );
        let pending = pending.count() as u32;
        assert!(
            wakes >= pending,
            "Poll {poll} of `TryAgain`: {seen:?}, and the attempt that is pending did not get the `wake` of this poll.\n\
             Wanted: `TryAgain` passes its `wake` on."
        );
        assert!(
            wakes == pending,
            "Poll {poll} of `TryAgain`: {seen:?}, and then it called `wake` itself and was {answer:?}. So the run loop \
             polls all of its futures once more, although nothing has happened for the others.\n\
             Look at: what could you do right here, in the same poll, in place of asking for another one?"
        );
        let last = seen.last().map_or("", |it| it.as_str());
        assert!(
            answer != Poll::Pending || last.ends_with("pending"),
            "Poll {poll} of `TryAgain`: {seen:?}, and it was Pending. No attempt has its `wake`, so no code will ever call it, \
             and the program hangs.\n\
             Look at: which future is going to call `wake` when your `poll` returns Pending?"
        );
        let expected = if is_last {
            Poll::Ready(output)
        } else {
            Poll::Pending
        };
        let look_at = if matches!(answer, Poll::Ready(Err(_))) && seen.len() < wanted.len() {
            "\nLook at: the new attempt may fail at once, too."
        } else {
            ""
        };
        assert!(
            seen == *wanted && answer == expected,
            "Poll {poll} of `TryAgain`: {seen:?}, and it was {answer:?}.\nIt should be {wanted:?}, and {expected:?}.{look_at}"
        );
    }
}

#[test]
fn the_next_attempt_begins_in_the_poll_that_saw_the_last_fail() {
    probe::within(Duration::from_secs(2), || {
        let test = async {
            check(&[(0, true)], &[&["1 succeeds"]], Ok(1));
            check(
                &[(1, false), (1, true)],
                &[&["1 pending"], &["1 fails", "2 pending"], &["2 succeeds"]],
                Ok(2),
            );
            check(
                &[(0, false), (0, false), (0, false), (2, true)],
                &[
                    &["1 fails", "2 fails", "3 fails", "4 pending"],
                    &["4 pending"],
                    &["4 succeeds"],
                ],
                Ok(4),
            );
            check(&[(0, false)], &[&["1 fails"]], Err(1));
            check(
                &[(0, false), (0, false)],
                &[&["1 fails", "2 fails"]],
                Err(2),
            );
            a_thousand_fail_in_one_poll();
        };
        futures::executor::block_on(probe::watch("TryAgain", test));
    });
}

fn a_thousand_fail_in_one_poll() {
    let mut made = 0;
    let make = || {
        made += 1;
        Attempt {
            number: made,
            pending: 0,
            succeeds: made == 1_000,
            polls: Rc::default(),
            is_finished: false,
        }
    };
    let mut future = TryAgain {
        make,
        running: None,
        left: usize::MAX,
    };
    let answer = future.poll(wake);
    assert!(
        answer == Poll::Ready(Ok(1_000)) && made == 1_000,
        "999 attempts fail at once, the next one succeeds, and the limit is `usize::MAX`. {made} attempts were made, and \
         `TryAgain` was {answer:?}."
    );
}
