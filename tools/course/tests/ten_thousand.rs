//! 10,000 tasks that each wait for a timer: the executors of stages 04, 05, 07 and 08 on the reactor of stage 06.
//!
//! Alone in its file, because it counts the threads of its process.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::future::{join_all, try_join_all};
use probe::within;
use step04_channel_executor::executor;
use step05_parker_block_on::block_on;
use step06_reactor::{Reactor, Timer, TimerError};
use step07_mini_tokio::MiniTokio;
use step08_join_handle::Runtime;

const TASKS: usize = 10_000;
const WAIT: Duration = Duration::from_millis(50);

#[test]
fn ten_thousand_tasks_wait_on_one_thread() {
    within(Duration::from_secs(60), || {
        let before = probe::threads();
        let reactor = Reactor::new();
        let done = Arc::new(AtomicUsize::new(0));
        let task = || {
            let (timer, done) = (Timer::new(&reactor, WAIT), Arc::clone(&done));
            async move {
                assert_eq!(timer.await, Ok(()));
                done.fetch_add(1, Ordering::Relaxed);
            }
        };

        let (executor, spawner) = executor();
        (0..TASKS).for_each(|_| spawner.spawn(task()));
        drop(spawner);
        executor.run();
        assert_eq!(done.load(Ordering::Relaxed), TASKS);

        let mini_tokio = MiniTokio::new();
        (0..TASKS).for_each(|_| mini_tokio.spawn(task()));
        mini_tokio.run();
        assert_eq!(done.load(Ordering::Relaxed), 2 * TASKS);

        let runtime = Runtime::new(2);
        let handles = (0..TASKS).map(|_| runtime.spawn(task()));
        let joined = runtime.block_on(join_all(handles));
        assert!(joined.iter().all(Result::is_ok));
        assert_eq!(done.load(Ordering::Relaxed), 3 * TASKS);
        runtime.shutdown();

        let timers = (0..TASKS).map(|_| Timer::new(&reactor, WAIT));
        assert_eq!(
            block_on(try_join_all(timers)).map(|done| done.len()),
            Ok::<_, TimerError>(TASKS)
        );

        assert_eq!(Reactor::threads_started(), 1);
        assert_eq!(reactor.waiting(), 0);
        assert_eq!(probe::threads(), before.map(|threads| threads + 1));
    });
}
