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
                    // ANCHOR: slip
                    let mut b_now = b.take().expect("this state is left once");
                    let a_now = Pin::new(a).poll(cx);
                    if let Poll::Ready(from_b) = Pin::new(&mut b_now).poll(cx) {
                        if let Poll::Ready(from_a) = a_now {
                            return Poll::Ready(from_a + from_b);
                        }
                    }
                    *b = Some(b_now);
                    let from_a = ready!(a_now);
                    let b = b.take().expect("this state is left once");
                    // ANCHOR_END: slip
                    // No return: the loop polls b at once. Until then nobody has a waker for this future.
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
