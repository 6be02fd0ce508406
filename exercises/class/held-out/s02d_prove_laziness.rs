#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{self, AssertUnwindSafe};
    use std::time::Duration;

    struct FromFn<F>(F);

    impl<F: FnMut() + 'static> SimpleFuture for FromFn<F> {
        type Output = ();

        fn poll(&mut self, _: fn()) -> Poll<()> {
            (self.0)();
            Poll::Pending
        }
    }

    fn start() {
        STARTS.set(STARTS.get() + 1);
    }

    fn passes(make: fn() -> Timer) -> bool {
        STARTS.set(0);
        panic::catch_unwind(AssertUnwindSafe(|| test_timer(&make))).is_ok()
    }

    fn good() -> Timer {
        let mut due = Some(());
        Box::new(FromFn(move || {
            due.take().into_iter().for_each(|()| start())
        }))
    }

    #[test]
    fn other_versions() {
        probe::within(Duration::from_secs(2), || {
            assert!(passes(good), "it refused a good version");
            let eager = || {
                start();
                Box::new(FromFn(|| {})) as Timer
            };
            assert!(!passes(eager), "starts when it is made");
            assert!(!passes(|| Box::new(FromFn(start))), "starts at every poll");
            assert!(!passes(|| Box::new(FromFn(|| {}))), "never starts");
            let late = || {
                let mut polls = 0;
                Box::new(FromFn(move || {
                    polls += 1;
                    if polls == 2 {
                        start();
                    }
                })) as Timer
            };
            assert!(!passes(late), "starts at the second poll");
        });
    }
}
