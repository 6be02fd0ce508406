#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, within};
    use std::{sync::Arc, time::Duration};

    const LIMIT: Duration = Duration::from_secs(2);

    type Both = Arc<(Source, Socket)>;

    fn arrive(both: &Both, byte: u8) {
        both.1.bytes.lock().unwrap().push_back(byte);
        report(both);
    }

    fn report(both: &Both) {
        both.0.report().into_iter().for_each(Waker::wake);
    }

    fn poll(both: &Both, task: &CountingWaker) -> Poll<u8> {
        poll_read(&both.0, &both.1, &mut Context::from_waker(&task.waker()))
    }

    /// Takes bytes as a task does: it polls again when it got a byte or was woken.
    fn drain(both: &Both, task: &CountingWaker) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let before = task.wakes();
            match poll(both, task) {
                Poll::Ready(byte) => bytes.push(byte),
                Poll::Pending if task.wakes() > before => {}
                Poll::Pending => return bytes,
            }
        }
    }

    /// In each of ten reads, bytes arrive before it takes one or after that, as the bits of `order` say.
    #[test]
    fn every_order_of_ten_arrivals() {
        for order in 0_u16..1_024 {
            let (both, task) = (Both::default(), CountingWaker::new());
            for bit in 0..10 {
                let same = Arc::clone(&both);
                let arrival: Step = Box::new(move || arrive(&same, bit));
                let nothing: Step = Box::new(|| ());
                let after = order >> bit & 1 == 1;
                let step = if after {
                    [nothing, arrival]
                } else {
                    [arrival, nothing]
                };
                both.1.script.lock().unwrap().push_back(step);
            }
            report(&both);
            let bytes = within(LIMIT, || drain(&both, &task));
            let wanted: Vec<u8> = (0..10).collect();
            assert_eq!(bytes, wanted, "order {order:010b}");
        }
    }

    #[test]
    fn a_burst_between_the_read_and_the_note() {
        for count in [1, 255, 256, 512, 65_536] {
            let (both, task) = (Both::default(), CountingWaker::new());
            let same = Arc::clone(&both);
            let burst: Step = Box::new(move || (0..count).for_each(|_| arrive(&same, 9)));
            both.1
                .script
                .lock()
                .unwrap()
                .push_back([Box::new(|| ()), burst]);
            report(&both);
            assert_eq!(within(LIMIT, || drain(&both, &task)).len(), count);
            assert!(both.1.bytes.lock().unwrap().is_empty());
        }
    }

    /// Bytes arrive before some of the first eight locks, as the bits of `which` say, and each report is made at once.
    #[test]
    fn arrivals_before_any_locks() {
        for which in 0_u8..=255 {
            let (both, task) = (Both::default(), CountingWaker::new());
            report(&both);
            let steps = (0..8).map(|bit| -> Step {
                let same = Arc::clone(&both);
                Box::new(move || {
                    if which >> bit & 1 == 1 {
                        let rest = BEFORE_LOCKS.take();
                        arrive(&same, bit);
                        BEFORE_LOCKS.set(rest);
                    }
                })
            });
            BEFORE_LOCKS.set(steps.collect());
            within(LIMIT, || drain(&both, &task));
            BEFORE_LOCKS.take();
            let left = both.1.bytes.lock().unwrap().len();
            assert_eq!(left, 0, "bytes that are left, locks {which:08b}");
        }
    }

    #[test]
    fn pending_costs_no_reads_and_a_report_wakes() {
        let (both, task) = (Both::default(), CountingWaker::new());
        for n in 1..=20 {
            for _ in 0..3 {
                assert!(within(LIMIT, || poll(&both, &task)).is_pending());
            }
            let before = task.wakes();
            report(&both);
            assert!(task.wakes() > before, "not woken");
            assert!(within(LIMIT, || poll(&both, &task)).is_pending());
            assert_eq!(both.1.misses.load(SeqCst), n, "reads");
        }
    }
}
