#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        panic::{self, AssertUnwindSafe},
        sync::Arc,
        task::Waker,
    };
    use step07_mini_tokio::Signal;

    /// A good signal, under a mistake.
    #[derive(Clone, Copy)]
    enum Mistake {
        None,
        /// Hands the first waker in at each poll.
        FirstWaker,
        /// The event never comes through.
        Deaf,
        /// Wakes in each poll, and is deaf.
        RestlessAndDeaf,
        /// Wakes in each poll, is ready after the event, and is not woken by it.
        RestlessAndSilent,
    }

    fn passes(mistake: Mistake) -> bool {
        let signal = Arc::new(Signal::default());
        let polled = Arc::clone(&signal);
        let mut first = None;
        let future = Box::pin(std::future::poll_fn(move |cx| {
            let first = first.get_or_insert_with(|| cx.waker().clone());
            match mistake {
                Mistake::FirstWaker => polled.poll_fired(&mut Context::from_waker(first)),
                Mistake::RestlessAndDeaf => {
                    cx.waker().wake_by_ref();
                    polled.poll_fired(cx)
                }
                Mistake::RestlessAndSilent => {
                    cx.waker().wake_by_ref();
                    // The signal fires and wakes no task.
                    polled.poll_fired(&mut Context::from_waker(Waker::noop()))
                }
                Mistake::None | Mistake::Deaf => polled.poll_fired(cx),
            }
        }));
        let event = || {
            if !matches!(mistake, Mistake::Deaf | Mistake::RestlessAndDeaf) {
                signal.fire();
            }
        };
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| check(future, event)));
        panic::set_hook(hook);
        result.is_ok()
    }

    fn the_good_one_passes() {
        assert!(passes(Mistake::None), "the correct future is refused");
    }

    #[test]
    fn the_good_one_passes_and_broken_ones_are_caught() {
        the_good_one_passes();
        assert!(
            !passes(Mistake::FirstWaker),
            "one that keeps its first waker passes"
        );
        the_good_one_passes();
        assert!(!passes(Mistake::Deaf), "one that is never woken passes");
        for mistake in [Mistake::RestlessAndDeaf, Mistake::RestlessAndSilent] {
            assert!(!passes(mistake), "one that wakes in its poll only passes");
        }
        the_good_one_passes();
    }
}
