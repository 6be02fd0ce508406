#[cfg(test)]
mod tests {
    use super::*;
    use probe::{
        CountingWaker,
        hostile::{Hostile, Moment, elsewhere},
        watch, within,
    };
    use std::{future::poll_fn, pin::pin, sync::Arc, time::Duration};

    fn poll(signal: &Signal, name: &str, waker: &Waker) -> Poll<()> {
        within(Duration::from_secs(2), || {
            let mut polling = pin!(watch(name, poll_fn(|cx| signal.poll_fired(cx))));
            polling.as_mut().poll(&mut Context::from_waker(waker))
        })
    }

    #[test]
    fn another_thread_may_fire_while_a_waker_is_cloned() {
        let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
        let same = Arc::clone(&signal);
        hostile.arm(Moment::Clone, move || elsewhere(|| same.fire()));
        let polled = within(Duration::from_secs(2), || {
            let waker = hostile.waker();
            signal.poll_fired(&mut Context::from_waker(&waker))
        });
        assert!(
            polled.is_ready() || hostile.wakes() > 0,
            "the wake was lost"
        );
        hostile.disarm();
    }

    #[test]
    fn another_thread_may_fire_while_a_waker_is_dropped() {
        let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
        let (same, second) = (Arc::clone(&signal), CountingWaker::new());
        assert!(poll(&signal, "first", &hostile.waker()).is_pending());
        hostile.arm(Moment::Drop, move || elsewhere(|| same.fire()));
        let polled = poll(&signal, "second", &second.waker());
        assert!(
            polled.is_ready() || second.wakes() == 1,
            "the wake was lost"
        );
        hostile.disarm();
    }

    #[test]
    fn of_ten_tasks_the_latest_is_woken() {
        let (signal, wakers) = (Signal::default(), [(); 10].map(|()| CountingWaker::new()));
        for waker in &wakers {
            assert!(poll(&signal, "one of ten", &waker.waker()).is_pending());
        }
        signal.fire();
        let wakes = wakers.each_ref().map(|it| it.wakes());
        assert_eq!(wakes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "wakes of the ten");
    }
}
