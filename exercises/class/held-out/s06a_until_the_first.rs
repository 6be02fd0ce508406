#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::{sync::mpsc, thread};

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_hundred_deadlines_come_out_in_order_each_at_its_time() {
        let start = Instant::now();
        let mut deadlines = Deadlines::default();
        // 37 and 101 have no common divisor, so this is every number below 101, shuffled.
        for id in 0..101 {
            deadlines.add(start + (id * 37 % 101) as u32 * MS, id);
        }
        for ms in 0..101 {
            let now = start + ms * MS;
            assert_eq!(deadlines.how_long(now), Some(Duration::ZERO), "one is due");
            let id = deadlines
                .take_due(now)
                .expect("one is due at each millisecond");
            assert_eq!(
                (id * 37 % 101) as u32,
                ms,
                "the deadline of the one taken out"
            );
            assert_eq!(deadlines.take_due(now), None, "only one is due");
            if ms < 100 {
                assert_eq!(deadlines.how_long(now), Some(MS), "the next is due in 1 ms");
            }
        }
        assert_eq!(deadlines.how_long(start), None, "all were taken out");
    }

    #[test]
    fn two_of_one_deadline_both_come_out() {
        let start = Instant::now();
        let mut deadlines = Deadlines::default();
        deadlines.add(start, 1);
        deadlines.add(start, 2);
        let mut out = [deadlines.take_due(start), deadlines.take_due(start)];
        out.sort();
        assert_eq!(out, [Some(1), Some(2)], "two of one deadline");
    }

    #[test]
    fn it_sleeps_while_there_is_no_event() {
        let (sender, events) = mpsc::channel();
        let driver = thread::spawn(move || drive(&events, |_| {}));
        let woke_up = within(Duration::from_secs(2), || {
            thread::sleep(50 * MS);
            sender
                .send((Instant::now() + Duration::from_secs(3_600), 1))
                .unwrap();
            thread::sleep(50 * MS);
            drop(sender);
            driver.join().unwrap()
        });
        assert_eq!(woke_up, 2, "notified of a timer, and of the end");
    }
}
