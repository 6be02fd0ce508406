#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, within};
    use std::cell::{Cell, RefCell};

    const US: Duration = Duration::from_micros(1);
    const MS: Duration = Duration::from_millis(1);

    /// A kernel in which a socket is ready at the times that are left of `sockets`.
    #[derive(Default)]
    struct Script {
        now: Cell<Duration>,
        sockets: RefCell<Vec<Duration>>,
        asked: RefCell<Vec<Option<u128>>>,
    }

    impl Kernel for &Script {
        fn now(&self) -> Duration {
            self.now.get()
        }

        fn wait(&self, ms: Option<u128>) {
            self.asked.borrow_mut().push(ms);
            let socket = self.sockets.borrow().first().copied();
            let limit = ms.map(|ms| self.now.get() + MS * u32::try_from(ms).unwrap());
            if socket.is_some_and(|at| limit.is_none_or(|limit| at <= limit)) {
                self.sockets.borrow_mut().remove(0);
                self.now.set(socket.unwrap());
            } else {
                let limit = limit.expect("a sleep without an end");
                self.now.set(limit.max(self.now.get() + 3 * US));
            }
        }
    }

    /// Parks until no timer is left. Returns when each fired, in microseconds, and what the kernel was asked.
    fn run(
        deadlines: &[u32],
        sockets: &[u32],
        limit: Option<Duration>,
    ) -> (Vec<u128>, Vec<Option<u128>>) {
        let script = Script::default();
        script
            .sockets
            .borrow_mut()
            .extend(sockets.iter().map(|at| *at * US));
        let task = CountingWaker::new();
        let numbered = (1..).zip(deadlines);
        let mut driver = Driver {
            kernel: &script,
            timers: numbered
                .map(|(n, at)| ((*at * US, n), task.waker()))
                .collect(),
        };
        let (mut fired, mut due) = (Vec::new(), Vec::new());
        within(Duration::from_secs(2), || {
            while !driver.timers.is_empty() {
                driver.park(limit, &mut due);
                // What was there before stays.
                fired.resize(due.len(), script.now.get().as_micros());
                assert!(script.asked.borrow().len() < 500, "it spins");
            }
        });
        assert_eq!(task.wakes(), 0, "a waker was called");
        assert_eq!(fired.len(), deadlines.len());
        (fired, script.asked.take())
    }

    #[test]
    fn as_many_sleeps_as_deadlines() {
        let (fired, asked) = run(&[1_500, 1_700, 8_200, 90_000], &[], None);
        assert_eq!(fired, [2_000, 2_000, 9_000, 90_000]);
        assert_eq!(asked, [Some(2), Some(7), Some(81)]);
    }

    #[test]
    fn sockets_in_between_make_nothing_early() {
        let (fired, asked) = run(&[30_000, 60_000], &[10_000, 20_000, 59_999], None);
        assert_eq!(fired, [30_000, 60_999]);
        assert_eq!(asked, [Some(30), Some(20), Some(10), Some(30), Some(1)]);
    }

    #[test]
    fn a_limit_is_kept() {
        let (fired, asked) = run(&[2_000, 11_000], &[], Some(4 * MS));
        assert_eq!(fired, [2_000, 11_000]);
        assert_eq!(asked, [Some(2), Some(4), Some(4), Some(1)]);
        let (_, asked) = run(&[2_000], &[], Some(400 * US));
        assert_eq!(asked, [Some(1), Some(1)]);
    }

    #[test]
    fn a_look_costs_no_sleep_and_finds_what_is_due() {
        let script = Script::default();
        script.now.set(50 * MS);
        let task = CountingWaker::new();
        let mut driver = Driver {
            kernel: &script,
            timers: [(40, 1), (50, 2), (50, 3), (51, 4)]
                .map(|(at, n)| ((at * MS, n), task.waker()))
                .into(),
        };
        let mut due = Vec::new();
        driver.park(Some(Duration::ZERO), &mut due);
        assert_eq!((due.len(), script.asked.take()), (3, vec![Some(0)]));
    }
}
