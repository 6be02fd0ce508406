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
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| test_timer(&make)));
        panic::set_hook(hook);
        result.is_ok()
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
            assert!(passes(good), "it failed on a good version");
            let eager = || {
                start();
                Box::new(FromFn(|| {})) as Timer
            };
            assert!(!passes(eager), "not caught: starts when it is created");
            let every = || Box::new(FromFn(start)) as Timer;
            assert!(!passes(every), "not caught: starts at every poll");
            assert!(passes(good), "it failed on a good version later on");
            let never = || Box::new(FromFn(|| {})) as Timer;
            assert!(!passes(never), "not caught: never starts");
            assert!(passes(good), "it failed on a good version at the end");
        });
    }
}
