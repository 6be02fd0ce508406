#[cfg(test)]
mod tests {
    use super::*;
    use futures::join;
    use probe::{
        CountingWaker,
        hostile::{Hostile, Moment},
        watch, within,
    };
    use std::task::Waker;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn of_ten_tasks_the_tenth_is_woken_and_one_thread_is_started() {
        within(LIMIT, || {
            let time = Time::default();
            let mut delay = Box::pin(watch("a delay", Delay::until(80, &time)));
            let ten = [(); 10].map(|()| CountingWaker::new());
            for waker in &ten {
                let waker = waker.waker();
                let answer = delay.as_mut().poll(&mut Context::from_waker(&waker));
                assert!(answer.is_pending(), "the delay was ready too early");
            }
            time.pass_and_act(80);
            assert!(ten[9].wakes() > 0, "the tenth task was woken");
            let answer = delay
                .as_mut()
                .poll(&mut Context::from_waker(&ten[9].waker()));
            assert!(answer.is_ready(), "woken, it is ready");
            assert_eq!(time.started(), 1, "threads started for one delay");
        });
    }

    #[test]
    fn beside_a_task_that_is_polled_all_the_time_it_starts_one_thread() {
        within(LIMIT, || {
            let time = Time::default();
            let waker = CountingWaker::new();
            let (one, two) = (Delay::until(30, &time), Delay::until(31, &time));
            let mut both = Box::pin(async { join!(one, two) });
            for now in 0..=31 {
                time.pass_and_act(now);
                let answer = both.as_mut().poll(&mut Context::from_waker(&waker.waker()));
                assert_eq!(answer.is_ready(), now == 31, "ready at {now} of 31");
            }
            assert_eq!(time.started(), 2, "threads started for two delays");
        });
    }

    #[test]
    fn the_time_comes_in_the_third_poll() {
        within(LIMIT, || {
            for in_clone in [true, false] {
                let time = Time::default();
                let mut delay = Box::pin(Delay::until(7, &time));
                for _ in 0..2 {
                    let waker = CountingWaker::new().waker();
                    let _ = delay.as_mut().poll(&mut Context::from_waker(&waker));
                }
                let third = Hostile::new();
                let waker = third.waker();
                if in_clone {
                    let passes = time.clone();
                    third.arm(Moment::Clone, move || passes.pass(7));
                } else {
                    time.lock().after_look = Some(7);
                }
                let answer = delay.as_mut().poll(&mut Context::from_waker(&waker));
                time.pass_and_act(7);
                assert!(
                    answer.is_ready() || third.wakes() > 0,
                    "ready in the third poll, or woken after it"
                );
            }
        });
    }

    #[test]
    fn a_hundred_polls_start_one_thread() {
        let time = Time::default();
        let mut delay = Box::pin(Delay::until(60_000, &time));
        for _ in 0..100 {
            let _ = delay.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
        assert_eq!(time.started(), 1, "threads started for one delay");
    }
}
