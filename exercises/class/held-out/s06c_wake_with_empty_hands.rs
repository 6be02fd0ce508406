#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, watch, within};
    use std::{
        sync::{Arc, Weak},
        task::Wake,
        time::Duration,
    };
    use step05_parker_block_on::block_on;

    /// Comes back in every way: when woken, and when dropped.
    struct Meddler {
        timers: Weak<Timers>,
        id: Id,
        counting: CountingWaker,
    }

    impl Wake for Meddler {
        fn wake(self: Arc<Self>) {
            let timers = self.timers.upgrade().unwrap();
            assert!(timers.len() < 100, "`close` never comes to an end");
            timers.finish(self.id + 1);
            timers.start(self.id + 100, self.counting.waker());
        }
    }

    impl Drop for Meddler {
        fn drop(&mut self) {
            if let Some(timers) = self.timers.upgrade() {
                timers.remove(self.id + 50);
            }
        }
    }

    fn meddlers() -> (Arc<Timers>, CountingWaker) {
        let (timers, counting) = (Arc::new(Timers::default()), CountingWaker::new());
        for id in 0..5 {
            let meddler = Meddler {
                timers: Arc::downgrade(&timers),
                id,
                counting: counting.clone(),
            };
            timers.start(id, Waker::from(Arc::new(meddler)));
        }
        (timers, counting)
    }

    fn run(name: &str, act: impl FnOnce()) {
        within(Duration::from_secs(2), || {
            block_on(watch(name, async { act() }))
        });
    }

    #[test]
    fn one_wakes_the_next_and_each_starts_another() {
        let (timers, counting) = meddlers();
        run("a chain of wakers", || timers.finish(0));
        assert_eq!(
            (timers.len(), counting.live()),
            (5, 5),
            "the timers that were started by wakers, and their wakers"
        );
        run("the end", || timers.close());
        assert_eq!(counting.wakes(), 5, "`close` wakes every task once");
    }

    #[test]
    fn replaced_each_may_remove_another() {
        let (timers, counting) = meddlers();
        let latest = CountingWaker::new();
        timers.start(52, counting.waker());
        run("replacing", || {
            (0..5).for_each(|id| timers.start(id, latest.waker()));
        });
        assert_eq!(
            (timers.len(), counting.live(), latest.live()),
            (5, 0, 5),
            "the timers, and the wakers that are left of the earlier and of the latest"
        );
    }

    #[test]
    fn closed_each_is_woken_once() {
        let (timers, _) = meddlers();
        run("all at once", || timers.close());
        run("what they started", || timers.close());
        assert_eq!(timers.len(), 0, "`close` takes every timer out");
    }

    #[test]
    fn removed_each_may_remove_another() {
        let (timers, counting) = meddlers();
        run("removing", || (0..5).for_each(|id| timers.remove(id)));
        assert_eq!(
            (timers.len(), counting.wakes()),
            (0, 0),
            "the timers that are left, and wakes of removed ones"
        );
    }
}
