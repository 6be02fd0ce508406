//! What all versions keep, and the local executor too: tasks run to completion, are polled in turns, are never polled
//! again after that, and when one panics, the others go on.

use std::{
    future::{Future, poll_fn},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use probe::{Counted, Counts, OnDrop, within};
use step04_channel_executor::{
    TimerFuture, executor, local, v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken,
};

const LIMIT: Duration = Duration::from_secs(20);

/// Miri takes a thousand times as long for everything, and needs fewer of them to see what is wrong.
const fn few_under_miri(count: usize) -> usize {
    if cfg!(miri) { count / 100 } else { count }
}

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Spawns the tasks, drops the spawner, and runs to the end.
type Run = fn(Vec<Task>);

macro_rules! run_on {
    ($executor:expr) => {
        |tasks| {
            let (executor, spawner) = $executor();
            tasks.into_iter().for_each(|task| spawner.spawn(task));
            drop(spawner);
            let _ = executor.run();
        }
    };
}

fn on_each_version(test: impl Fn(Run)) {
    let versions: [(&str, Run); 5] = [
        ("v1", run_on!(v1_looks_every_10_ms::executor)),
        ("v2", run_on!(v2_sends_again::executor)),
        ("v3", run_on!(v3_polls_when_woken::executor)),
        ("v4", run_on!(executor)),
        ("local", run_on!(local::executor)),
    ];
    for (name, run) in versions {
        println!("{name}");
        within(LIMIT, || test(run));
    }
}

/// A log of what the tasks did, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Pending `times` times, each time after waking itself.
async fn yields(times: usize) {
    let mut left = times;
    poll_fn(move |cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn counted(future: impl Future<Output = ()> + Send + 'static) -> (Task, Counts) {
    let counted = Counted::new(future);
    let counts = counted.counts();
    (Box::pin(counted), counts)
}

#[test]
fn without_tasks_run_returns() {
    on_each_version(|run| run(Vec::new()));
}

#[test]
fn a_task_that_waits_for_a_timer_runs_to_its_end() {
    on_each_version(|run| {
        let log = Log::default();
        let task = {
            let log = log.clone();
            async move {
                log.add("howdy!");
                TimerFuture::new(Duration::from_millis(20)).await;
                log.add("done!");
            }
        };
        run(vec![Box::pin(task)]);
        assert_eq!(log.lines(), ["howdy!", "done!"]);
    });
}

#[test]
fn a_task_that_panics_ends_alone() {
    on_each_version(|run| {
        let (panicking, panicked) = counted(async {
            yields(1).await;
            panic!("this panic belongs to the test");
        });
        let (other, counts) = counted(yields(5));
        run(vec![panicking, other]);
        assert_eq!((panicked.panics(), panicked.drops()), (1, 1));
        assert_eq!((counts.completions(), counts.drops()), (1, 1));
    });
}

/// Panics when it is dropped, and what that panic carries does the same, and so on. It has no size, so nothing leaks when
/// one is forgotten.
struct CarriesMore;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

impl Drop for CarriesMore {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        std::panic::panic_any(CarriesMore);
    }
}

#[test]
fn what_a_panic_carries_is_dropped_once() {
    on_each_version(|run| {
        let panicking = async { std::panic::panic_any(CarriesMore) };
        let (other, counts) = counted(yields(5));
        let run_on = || run(vec![Box::pin(panicking), other]);
        // A payload without end that got out would keep the test's own harness busy.
        let got_out = catch_unwind(AssertUnwindSafe(run_on)).map_err(mem::forget);
        assert_eq!((got_out, counts.completions()), (Ok(()), 1));
        assert_eq!(DROPPED.swap(0, Ordering::Relaxed), 1);
    });
}

#[test]
fn a_task_without_wakers_that_panics_when_dropped_ends_alone() {
    // Only versions 3 and 4 drop a pending task because it has no waker left.
    for run in [run_on!(v3_polls_when_woken::executor), run_on!(executor)] as [Run; 2] {
        within(LIMIT, || {
            let bomb = OnDrop(|| panic!("this panic belongs to the test"));
            let pending = async move {
                let _bomb = bomb;
                std::future::pending().await
            };
            let (other, counts) = counted(yields(5));
            run(vec![Box::pin(pending), other]);
            assert_eq!(counts.completions(), 1);
        });
    }
}

#[test]
fn tasks_that_wake_themselves_take_turns() {
    on_each_version(|run| {
        let log = Log::default();
        let task = |name: &'static str| {
            let log = log.clone();
            Box::pin(async move {
                for _ in 0..3 {
                    log.add(name);
                    yields(1).await;
                }
            }) as Task
        };
        run(["a", "b"].map(task).into());
        assert_eq!(log.lines(), ["a", "b", "a", "b", "a", "b"]);
    });
}

#[test]
#[cfg_attr(miri, ignore = "too many for Miri")]
fn ten_thousand_tasks() {
    on_each_version(|run| {
        let (tasks, counts): (Vec<_>, Vec<_>) = (0..few_under_miri(10_000))
            .map(|_| counted(yields(2)))
            .unzip();
        run(tasks);
        for counts in counts {
            assert_eq!((counts.polls(), counts.drops()), (3, 1));
        }
    });
}

#[test]
fn while_a_spawner_is_left_run_waits_for_more_tasks() {
    macro_rules! check {
        ($executor:expr) => {
            within(LIMIT, || {
                let (executor, spawner) = $executor();
                let elsewhere = thread::spawn(move || {
                    for _ in 0..3 {
                        let (done, is_done) = mpsc::channel();
                        spawner.spawn(async move { done.send(()).unwrap() });
                        // Now there is no task left, and a spawner. An executor that has returned drops the task.
                        is_done.recv().expect("`run` has not returned");
                    }
                });
                let _ = executor.run();
                elsewhere.join().unwrap();
            })
        };
    }
    check!(v1_looks_every_10_ms::executor);
    check!(v2_sends_again::executor);
    check!(v3_polls_when_woken::executor);
    check!(executor);
}

#[test]
#[cfg_attr(
    miri,
    ignore = "so many that one check cannot receive all, and too many for Miri"
)]
fn version_1_polls_before_it_has_received_all_tasks() {
    within(LIMIT, || {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        let (first, counts) = counted(yields(1));
        spawner.spawn(first);
        for _ in 0..20_000 {
            spawner.spawn(async {});
        }
        let (last, last_counts) = counted(async move {
            // If one check received all, each task would be polled once before any is polled twice.
            assert_eq!(
                counts.polls(),
                2,
                "polls of the first, when the last is polled"
            );
        });
        spawner.spawn(last);
        drop(spawner);
        executor.run();
        assert_eq!((last_counts.completions(), last_counts.panics()), (1, 0));
    });
}

#[test]
fn version_1_checks_once_more_after_each_sleep() {
    let checks = |task| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        spawner.spawn(task);
        drop(spawner);
        within(LIMIT, || executor.run())
    };
    assert_eq!(checks(yields(0)), 1);
    let start = Instant::now();
    assert_eq!(checks(yields(3)), 4);
    assert!(start.elapsed() >= Duration::from_millis(30));
}

#[test]
fn version_2_polls_a_task_again_and_again_without_a_wake() {
    within(LIMIT, || {
        let (executor, spawner) = v2_sends_again::executor();
        let polls = few_under_miri(1_000);
        let mut left = polls;
        let (task, counts) = counted(poll_fn(move |_| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            Poll::Pending
        }));
        spawner.spawn(task);
        drop(spawner);
        executor.run();
        assert_eq!(counts.polls(), polls + 1);
    });
}

#[test]
fn a_dropped_executor_drops_its_futures_and_refuses_more() {
    macro_rules! check {
        ($executor:expr) => {{
            let (executor, spawner) = $executor();
            for _ in 0..2 {
                let bomb = OnDrop(|| panic!("this panic belongs to the test"));
                spawner.spawn(async move { drop(bomb) });
            }
            let (task, before) = counted(async {});
            spawner.spawn(task);
            drop(executor);
            let (task, after) = counted(async {});
            spawner.spawn(task);
            for counts in [before, after] {
                assert_eq!((counts.polls(), counts.drops()), (0, 1));
            }
        }};
    }
    check!(v1_looks_every_10_ms::executor);
    check!(v2_sends_again::executor);
    check!(v3_polls_when_woken::executor);
    check!(executor);
    check!(local::executor);
}

#[cfg_attr(miri, ignore = "it leaks, and that is what the test says")]
#[test]
fn an_executor_in_its_own_task_is_leaked_and_a_spawner_is_not() {
    macro_rules! check {
        ($executor:expr) => {{
            let (executor, spawner) = $executor();
            let (task, counts) = counted(async move { drop(executor) });
            spawner.spawn(task);
            drop(spawner);
            assert_eq!(counts.drops(), 0);

            let (executor, spawner) = $executor();
            let own = spawner.clone();
            let (task, counts) = counted(async move { drop(own) });
            spawner.spawn(task);
            drop((spawner, executor));
            assert_eq!(counts.drops(), 1);
        }};
    }
    check!(v1_looks_every_10_ms::executor);
    check!(v2_sends_again::executor);
    check!(v3_polls_when_woken::executor);
    check!(executor);
}
