//! A join whose children run one after the other.

use std::cell::Cell;

use step02_join::{Poll, RunLoop, SimpleFuture};

// ANCHOR: program
/// Two futures, side by side.
struct Both<A, B> {
    a: A,
    b: B,
    a_is_done: bool,
    b_is_done: bool,
}

impl<A: SimpleFuture<Output = ()>, B: SimpleFuture<Output = ()>> SimpleFuture for Both<A, B> {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        self.a_is_done = self.a_is_done || is_ready(self.a.poll(wake));
        if self.a_is_done && (self.b_is_done || is_ready(self.b.poll(wake))) {
            self.b_is_done = true;
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

fn is_ready(poll: Poll<()>) -> bool {
    matches!(poll, Poll::Ready(()))
}
// ANCHOR_END: program

struct Repaired<A, B>(Both<A, B>);

impl<A: SimpleFuture<Output = ()>, B: SimpleFuture<Output = ()>> SimpleFuture for Repaired<A, B> {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        let this = &mut self.0;
        // ANCHOR: repair
        this.a_is_done = this.a_is_done || is_ready(this.a.poll(wake));
        this.b_is_done = this.b_is_done || is_ready(this.b.poll(wake));
        if this.a_is_done && this.b_is_done {
            return Poll::Ready(());
        }
        // ANCHOR_END: repair
        Poll::Pending
    }
}

/// Ready at the poll with this number.
struct Steps<'a>(usize, &'a Cell<usize>);

impl SimpleFuture for Steps<'_> {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        self.1.set(self.1.get() + 1);
        self.0 -= 1;
        if self.0 == 0 {
            return Poll::Ready(());
        }
        wake();
        Poll::Pending
    }
}

#[test]
fn the_second_is_not_polled_before_the_first_is_done() {
    fn rounds<'a, F: SimpleFuture>(
        polls: &'a [Cell<usize>; 2],
        made: impl FnOnce(Both<Steps<'a>, Steps<'a>>) -> F,
    ) -> usize {
        let [a, b] = polls.each_ref().map(|it| Steps(10, it));
        let (a_is_done, b_is_done) = (false, false);
        let mut run_loop = RunLoop::new([made(Both {
            a,
            b,
            a_is_done,
            b_is_done,
        })]);
        crate::within(|| run_loop.run());
        run_loop.polls()
    }
    let polls = Default::default();
    assert_eq!((rounds(&polls, |it| it), polls[1].get()), (19, 10));
    let polls = Default::default();
    assert_eq!((rounds(&polls, Repaired), polls[1].get()), (10, 10));
}
