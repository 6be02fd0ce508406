#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::{future::poll_fn, sync::mpsc, time::Duration};
    use step05_parker_block_on::{TimerFuture, thread_token::receives_in_poll};

    fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
        within(Duration::from_secs(2), || block_on(watch(name, future)))
    }

    fn moment() -> TimerFuture {
        TimerFuture::new(Duration::from_millis(30))
    }

    #[test]
    fn the_token_may_be_taken_ten_times() {
        run("receives ten times", async {
            for _ in 0..10 {
                assert_eq!(receives_in_poll().await, "the helper's answer");
            }
        });
    }

    #[test]
    fn three_timers_and_tokens_at_each_poll_are_four_polls() {
        let waiting = Counted::new(async {
            for _ in 0..3 {
                let mut moment = pin!(moment());
                poll_fn(|cx| {
                    thread::current().unpark();
                    moment.as_mut().poll(cx)
                })
                .await;
            }
        });
        let counts = waiting.counts();
        run("three timers", waiting);
        assert_eq!(
            counts.polls(),
            4,
            "a poll for the start and one for each timer"
        );
    }

    #[test]
    fn a_channel_may_park_in_a_poll() {
        let mut first = true;
        run(
            "receives in its poll",
            poll_fn(move |cx| match std::mem::take(&mut first) {
                true => {
                    cx.waker().wake_by_ref();
                    let (send, receive) = mpsc::channel();
                    thread::spawn(move || {
                        thread::sleep(Duration::from_millis(20));
                        send.send(()).unwrap();
                    });
                    receive.recv().unwrap();
                    thread::park_timeout(Duration::from_millis(1));
                    Poll::Pending
                }
                false => Poll::Ready(()),
            }),
        );
    }
}
