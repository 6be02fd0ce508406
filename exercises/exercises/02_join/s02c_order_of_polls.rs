//! s02c · predict · 10 minutes · chapter 02, "Two futures at once"
//!
//! `a` is ready at its second poll, `b` at its first. They run side by side, and then one after the other. Write down
//! every poll in order, like this: `Some(&["b pending", "a ready"])`. Do it before you run the program.
//!
//! Run: `cargo test --bin s02c_order_of_polls`
//! Red: "Write down your prediction first", and then how far your order agrees with the run.

use step02_join::{AndThen, Join, Poll, RunLoop, SimpleFuture, Trace, Traced};

// TODO: write down what you expect in place of each `None`.

/// Every poll of a and b under `Join::new(a, b)`.
const SIDE_BY_SIDE: Option<&[&str]> = None;
/// Every poll of a and b under `AndThen::new(a, b)`.
const ONE_AFTER_THE_OTHER: Option<&[&str]> = None;
/// How many times the run loop polls the `AndThen` itself.
const POLLS_OF_AND_THEN: Option<usize> = None;

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
