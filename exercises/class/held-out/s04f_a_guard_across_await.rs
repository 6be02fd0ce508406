#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::time::Duration;
    use step04_channel_executor::{TimerFuture, local, yield_now};

    #[test]
    fn twenty_timers_add_to_one_total() {
        within(Duration::from_secs(2), || {
            let (executor, spawner) = local::executor();
            let total = Rc::new(Mutex::new(5));
            for number in 0..20 {
                let arrives = async move {
                    yield_now().await;
                    TimerFuture::new(Duration::from_millis(20 - u64::from(number))).await;
                    number
                };
                spawner.spawn(add(Rc::clone(&total), arrives));
            }
            executor.run();
            assert_eq!(
                *total.lock().unwrap(),
                195,
                "5 and the numbers from 0 to 19"
            );
        });
    }
}
