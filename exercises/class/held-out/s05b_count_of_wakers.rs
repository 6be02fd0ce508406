#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        future::{Future, poll_fn},
        mem,
        pin::pin,
        task::{Context, Poll},
    };

    /// Spare counts, never given back. Because of them, a missing count shows as a number instead of freed memory.
    const SPARE: usize = 1_000;

    fn bell_and_waker() -> (Arc<Bell>, Waker) {
        let bell = Arc::new(Bell::default());
        for _ in 0..SPARE {
            mem::forget(Arc::clone(&bell));
        }
        let waker = waker(Arc::clone(&bell));
        (bell, waker)
    }

    fn counted(bell: &Arc<Bell>) -> isize {
        Arc::strong_count(bell) as isize - SPARE as isize - 1
    }

    #[test]
    fn a_future_that_replaces_its_waker_fifty_times_leaks_none() {
        let (bell, waker) = bell_and_waker();
        let mut kept = None;
        let mut future = pin!(poll_fn(|cx| {
            kept = Some(cx.waker().clone());
            Poll::<()>::Pending
        }));
        for _ in 0..50 {
            let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
            assert_eq!(counted(&bell), 2, "one waker here, one kept by the future");
        }
        drop(kept.take());
        drop(waker);
        assert_eq!(counted(&bell), 0, "no waker is left");
    }

    #[test]
    fn woken_by_value_it_frees_nothing_too_early() {
        let (bell, waker) = bell_and_waker();
        for round in 1..=50 {
            let clones = [waker.clone(), waker.clone()];
            clones.into_iter().for_each(Waker::wake);
            assert_eq!(counted(&bell), 1, "one waker is left in round {round}");
        }
        assert_eq!(bell.rung.load(SeqCst), 100, "wakes that arrived");
    }
}
