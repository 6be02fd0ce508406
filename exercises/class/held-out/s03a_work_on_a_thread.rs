#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use probe::{CountingWaker, within};
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(2);

    fn on_thread(job: impl FnOnce() + Send + 'static) -> OnThread {
        OnThread {
            job: Some(Box::new(job)),
            done: Arc::default(),
        }
    }

    #[test]
    fn dropped_before_it_is_polled_it_runs_nothing() {
        let runs = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&runs);
        let job = move || {
            count.fetch_add(1, SeqCst);
        };
        drop(on_thread(job));
        assert_eq!(
            (runs.load(SeqCst), Arc::strong_count(&runs)),
            (0, 1),
            "dropped before its first poll: runs of the job, and owners of what it held"
        );
    }

    #[test]
    fn polled_again_before_it_is_done_it_runs_the_job_once_and_wakes() {
        within(LIMIT, || {
            let (go, gate) = mpsc::channel::<()>();
            let (runs, early) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let counting = CountingWaker::new();
            let job_sees = (Arc::clone(&runs), Arc::clone(&early), counting.clone());
            let mut future = on_thread(move || {
                gate.recv().unwrap();
                job_sees.1.fetch_add(job_sees.2.wakes(), SeqCst);
                job_sees.0.fetch_add(1, SeqCst);
            });
            let waker = counting.waker();
            for _ in 0..3 {
                let poll = Pin::new(&mut future).poll(&mut Context::from_waker(&waker));
                assert!(poll.is_pending(), "ready before the job is done");
            }
            go.send(()).unwrap();
            while counting.wakes() == 0 {
                thread::yield_now();
            }
            block_on(future);
            while runs.load(SeqCst) == 0 {
                thread::yield_now();
            }
            assert_eq!(
                (runs.load(SeqCst), early.load(SeqCst)),
                (1, 0),
                "runs, and wakes before it"
            );
        });
    }

    #[test]
    fn twenty_side_by_side() {
        within(LIMIT, || {
            let (send, received) = mpsc::channel();
            let twenty = (0..20).map(|number| {
                let send = send.clone();
                on_thread(move || send.send(number).unwrap())
            });
            block_on(futures::future::join_all(twenty));
            assert_eq!(received.try_iter().count(), 20, "jobs that were run");
        });
    }
}
