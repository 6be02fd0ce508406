//! s03e, solved: the same poll goes on after a change of state.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

enum Sum<A, B> {
    /// At `a.await`. `b` is taken out when the state changes.
    First {
        a: A,
        b: Option<B>,
    },
    /// At `b.await`. Keeps the output of a.
    Second {
        from_a: u32,
        b: B,
    },
    Done,
}

impl<A, B> Future for Sum<A, B>
where
    A: Future<Output = u32> + Unpin,
    B: Future<Output = u32> + Unpin,
{
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        loop {
            match &mut *self {
                Sum::First { a, b } => {
                    let from_a = ready!(Pin::new(a).poll(cx));
                    let b = b.take().expect("this state is left once");
                    // No return here. The loop polls b at once, because no waker has been registered yet.
                    *self = Sum::Second { from_a, b };
                }
                Sum::Second { from_a, b } => {
                    let sum = *from_a + ready!(Pin::new(b).poll(cx));
                    *self = Sum::Done;
                    return Poll::Ready(sum);
                }
                Sum::Done => panic!("polled after it was ready"),
            }
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03e_await_by_hand.rs"]
mod tests;
