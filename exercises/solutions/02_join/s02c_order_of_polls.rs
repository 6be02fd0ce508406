//! s02c, solved: what matters is when b is first polled.

use step02_join::{AndThen, Join, Poll, RunLoop, SimpleFuture, Trace, Traced};

/// Every poll of a and b under `Join::new(a, b)`.
// The first poll goes to both children and finishes b, so the second poll goes only to a.
const SIDE_BY_SIDE: Option<&[&str]> = Some(&["a pending", "b ready", "a ready"]);
/// Every poll of a and b under `AndThen::new(a, b)`.
// b could have been ready at once, but it is not polled before a is finished.
const ONE_AFTER_THE_OTHER: Option<&[&str]> = Some(&["a pending", "a ready", "b ready"]);
/// How many times the run loop polls the `AndThen` itself.
// The poll that finishes a goes on to b: three polls of the children in two of the AndThen.
const POLLS_OF_AND_THEN: Option<usize> = Some(2);

/// Ready at its poll with this number. In each poll before that, it calls `wake` itself.
struct ReadyAt(u32);

impl SimpleFuture for ReadyAt {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        self.0 -= 1;
        if self.0 == 0 {
            return Poll::Ready(());
        }
        wake();
        Poll::Pending
    }
}

fn side_by_side() -> Vec<String> {
    let trace = Trace::start();
    let a = Traced::new("a", ReadyAt(2), &trace);
    let b = Traced::new("b", ReadyAt(1), &trace);
    RunLoop::new([Join::new(a, b)]).run();
    trace.order()
}

fn one_after_the_other() -> (Vec<String>, usize) {
    let trace = Trace::start();
    let a = Traced::new("a", ReadyAt(2), &trace);
    let b = Traced::new("b", ReadyAt(1), &trace);
    let mut run_loop = RunLoop::new([AndThen::new(a, b)]);
    run_loop.run();
    (trace.order(), run_loop.polls())
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02c_order_of_polls.rs"]
mod tests;
