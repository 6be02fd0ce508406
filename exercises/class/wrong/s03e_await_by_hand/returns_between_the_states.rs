use std::pin::Pin;
use std::task::{Context, Poll, ready};

enum Sum<A, B> {
    /// At `a.await`. `b` is there to be taken out when the state changes.
    First {
        a: A,
        b: Option<B>,
    },
    /// At `b.await`. What a gave has to be kept.
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
                    // ANCHOR: slip
                    *self = Sum::Second { from_a, b };
                    return Poll::Pending;
                    // ANCHOR_END: slip
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
