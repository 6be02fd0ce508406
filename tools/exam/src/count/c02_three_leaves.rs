//! A race, a join and a sequence in one future, and how often the leaves are polled.

use std::cell::Cell;

use step02_join::{AndThen, Join, Poll, Race, RunLoop, SimpleFuture};

// ANCHOR: program
/// Ready at the poll with this number. Until then, it wakes itself in each poll.
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

fn program() -> [usize; 5] {
    let polls: [Cell<usize>; 4] = Default::default();
    let [slow, two, one, three] = &polls;
    let in_sequence = AndThen::new(Steps(1, one), Steps(3, three));
    let both = Join::new(Steps(2, two), in_sequence);
    let mut run_loop = RunLoop::new([Race::new(Steps(9, slow), both)]);
    run_loop.run();
    let [slow, two, one, three] = polls.each_ref().map(Cell::get);
    [run_loop.polls(), slow, two, one, three]
}
// ANCHOR_END: program

#[test]
fn the_second_begins_in_the_poll_that_finishes_the_first() {
    assert_eq!(crate::within(program), [3, 3, 2, 1, 3]);
}
