#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use probe::{Counted, within};
    use std::future::{poll_fn, ready};
    use std::panic::{self, AssertUnwindSafe};
    use std::task::Waker;
    use std::time::Duration;
    use step03_timer_future::TimerFuture;

    fn later(pending: u32, output: u32) -> impl Future<Output = u32> + Unpin {
        let mut left = pending;
        poll_fn(move |cx| {
            if left == 0 {
                return Poll::Ready(output);
            }
            left -= 1;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
    }

    #[test]
    fn as_many_polls_as_the_async_block() {
        within(Duration::from_secs(2), || {
            for (a, b) in [(0, 0), (0, 2), (3, 0), (2, 2)] {
                let machine = Counted::new(Sum::First {
                    a: later(a, 30),
                    b: Some(later(b, 4)),
                });
                let counts = machine.counts();
                assert_eq!(block_on(machine), 34, "30 + 4, pending {a} and {b} times");
                let block = Counted::new(async move { later(a, 30).await + later(b, 4).await });
                let asked = block.counts();
                assert_eq!(block_on(block), 34, "the async block");
                assert_eq!(counts.polls(), asked.polls(), "pending {a} and {b} times");
            }
        });
    }

    #[test]
    fn with_a_timer_and_polled_once_too_often() {
        within(Duration::from_secs(2), || {
            let timer = async {
                TimerFuture::new(Duration::from_millis(5)).await;
                1
            };
            let mut machine = Sum::First {
                a: Box::pin(timer),
                b: Some(ready(2)),
            };
            assert_eq!(block_on(&mut machine), 3, "1 + 2, the 1 after a timer");
            let again = AssertUnwindSafe(|| {
                Pin::new(&mut machine).poll(&mut Context::from_waker(Waker::noop()))
            });
            assert!(panic::catch_unwind(again).is_err(), "ready twice");
        });
    }
}
