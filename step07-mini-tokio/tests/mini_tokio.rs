//! Both runtimes run every task to its end, poll the tasks in turns, and contain their panics. Then what the one
//! adds that sleeps.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Counted, Counts, OnDrop, within};
use step07_mini_tokio::{MiniTokio, Signal, async_in_depth::mini_tokio as on_a_queue, sleep};

const LIMIT: Duration = Duration::from_secs(20);

/// Miri takes a thousand times as long, and needs fewer of them to find a mistake.
const fn few_under_miri(count: usize) -> usize {
    match count / 1_000 {
        _ if !cfg!(miri) => count,
        0..10 => 10,
        thousandth => thousandth,
    }
}

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Spawns the tasks and runs to the end.
type Run = fn(Vec<Task>);

fn on_both(test: impl Fn(Run)) {
    let on_queue: Run = |tasks| {
        let mut mini_tokio = on_a_queue::MiniTokio::new();
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        mini_tokio.run();
    };
    let on_channel: Run = |tasks| {
        let mini_tokio = MiniTokio::new();
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        mini_tokio.run();
    };
    for run in [on_queue, on_channel] {
        within(LIMIT, || test(run));
    }
}

fn counted(future: impl Future<Output = ()> + Send + 'static) -> (Task, Counts) {
    let counted = Counted::new(future);
    let counts = counted.counts();
    (Box::pin(counted), counts)
}

/// Pending `times` times, doing something with the waker before each.
async fn act(times: usize, mut act: impl FnMut(&Waker) + Send) {
    let mut left = times;
    poll_fn(move |cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        act(cx.waker());
        Poll::Pending
    })
    .await;
}

async fn yields(times: usize) {
    act(times, Waker::wake_by_ref).await;
}

#[test]
fn without_tasks_run_returns() {
    on_both(|run| run(Vec::new()));
}

#[test]
fn ten_thousand_tasks_are_each_finished_and_dropped() {
    on_both(|run| {
        let (tasks, counts): (Vec<_>, Vec<_>) = (0..few_under_miri(10_000))
            .map(|_| counted(yields(2)))
            .unzip();
        run(tasks);
        for counts in counts {
            assert_eq!(
                (counts.polls(), counts.completions(), counts.drops()),
                (3, 1, 1)
            );
        }
    });
}

#[test]
fn a_future_is_dropped_as_soon_as_it_is_ready() {
    on_both(|run| {
        let (first, counts) = counted(async {});
        let (second, second_counts) = counted(async move {
            yields(1).await;
            assert_eq!(
                counts.drops(),
                1,
                "the first task is done, and its future still there"
            );
        });
        run(vec![first, second]);
        assert_eq!(second_counts.panics(), 0);
    });
}

#[test]
fn a_task_that_panics_ends_alone() {
    on_both(|run| {
        let (panicking, panicked) = counted(async {
            yields(1).await;
            panic!("this panic belongs to the test");
        });
        let (other, counts) = counted(yields(5));
        run(vec![panicking, other]);
        assert_eq!((panicked.panics(), panicked.drops()), (1, 1));
        assert_eq!(counts.completions(), 1);
    });
}

/// Runs one task on the runtime that sleeps.
fn run_one(future: impl Future<Output = ()> + Send + 'static) -> Counts {
    let (task, counts) = counted(future);
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        mini_tokio.spawn(task);
        mini_tokio.run();
    });
    counts
}

#[test]
fn a_million_wakes_before_the_next_poll_make_one() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let fired = Arc::clone(&signal);
        let (stormy, counts) = counted(async move {
            act(1, |waker| {
                (0..few_under_miri(1_000_000)).for_each(|_| waker.wake_by_ref())
            })
            .await;
            poll_fn(|cx| fired.poll_fired(cx)).await;
        });
        let mini_tokio = MiniTokio::new();
        mini_tokio.spawn(stormy);
        // Each turn of this one is a chance for a queue entry too many to bring the other a poll too many.
        mini_tokio.spawn(async move {
            yields(100).await;
            signal.fire();
        });
        mini_tokio.run();
        // For being spawned, for the million, for the signal.
        assert_eq!(counts.polls(), 3);
    });
}

#[test]
fn run_returns_though_a_waker_lives_on() {
    let (keep, kept) = mpsc::channel();
    let counts = run_one(poll_fn(move |cx| {
        keep.send(cx.waker().clone()).unwrap();
        Poll::Ready(())
    }));
    let waker = kept.recv().unwrap();
    waker.wake_by_ref();
    thread::spawn(move || waker.wake()).join().unwrap();
    assert_eq!((counts.polls(), counts.drops()), (1, 1));
}

#[test]
fn spawned_from_a_task_and_from_another_thread() {
    within(LIMIT, || {
        let done = Arc::new(AtomicUsize::new(0));
        let add = |done: &Arc<AtomicUsize>| {
            let done = Arc::clone(done);
            async move {
                done.fetch_add(1, Ordering::SeqCst);
            }
        };
        let mini_tokio = MiniTokio::new();
        let (inside, outside) = (mini_tokio.handle(), mini_tokio.handle());
        let signal = Arc::new(Signal::default());
        let elsewhere = thread::spawn({
            let (task, signal) = (add(&done), Arc::clone(&signal));
            move || {
                outside.spawn(task);
                signal.fire();
            }
        });
        let task = add(&done);
        mini_tokio.spawn(async move {
            inside.spawn(task);
            poll_fn(|cx| signal.poll_fired(cx)).await;
        });
        mini_tokio.run();
        elsewhere.join().unwrap();
        assert_eq!(done.load(Ordering::SeqCst), 2);
        // It may be run again.
        mini_tokio.spawn(add(&done));
        mini_tokio.run();
        assert_eq!(done.load(Ordering::SeqCst), 3);
    });
}

#[test]
fn thousands_spawned_by_four_threads_at_once_are_all_polled() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        let signal = Arc::new(Signal::default());
        let fired = Arc::clone(&signal);
        mini_tokio.spawn(poll_fn(move |cx| fired.poll_fired(cx)));
        let elsewhere = thread::spawn(move || {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..few_under_miri(2_000) {
                            let (poll, polled) = mpsc::channel();
                            handle.spawn(async move { poll.send(()).unwrap() });
                            polled.recv().unwrap();
                        }
                    });
                }
            });
            signal.fire();
        });
        mini_tokio.run();
        elsewhere.join().unwrap();
    });
}

#[cfg_attr(miri, ignore = "Miri keeps no CPU time")]
#[test]
fn while_nothing_is_ready_it_polls_nothing_and_uses_no_cpu() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let (task, counts) = counted(sleep(Duration::from_millis(50)));
        mini_tokio.spawn(task);
        let before = probe::thread_cpu_time();
        mini_tokio.run();
        let used = probe::thread_cpu_time() - before;
        assert_eq!(counts.polls(), 2);
        assert!(
            used < Duration::from_millis(25),
            "{used:?} of CPU in 50 ms of waiting"
        );
    });
}

#[cfg_attr(miri, ignore = "it leaks, and that is what the test says")]
#[test]
fn a_runtime_in_a_task_of_its_own_is_leaked_and_a_handle_is_not() {
    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    let (task, counts) = counted(async move { drop(mini_tokio) });
    handle.spawn(task);
    drop(handle);
    assert_eq!(counts.drops(), 0);

    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    let (task, counts) = counted(async move { drop(handle) });
    mini_tokio.spawn(task);
    drop(mini_tokio);
    assert_eq!(counts.drops(), 1);
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        std::panic::panic_any(()); // has no size, so nothing leaks when it is forgotten
    }
}

#[test]
fn a_payload_that_panics_when_dropped_harms_no_other_task() {
    on_both(|run| {
        let panicking = async { std::panic::panic_any(PanicsWhenDropped) };
        let (other, counts) = counted(yields(5));
        run(vec![Box::pin(panicking), other]);
        assert_eq!(counts.completions(), 1);
    });
}

#[test]
fn run_inside_run_is_a_panic_of_the_task_and_loses_no_wake() {
    thread_local! {
        static RUNTIME: MiniTokio = MiniTokio::new();
    }
    within(LIMIT, || {
        let (nesting, nested) = counted(async { RUNTIME.with(MiniTokio::run) });
        let (other, counts) = counted(yields(5));
        RUNTIME.with(|runtime| {
            runtime.spawn(nesting);
            runtime.spawn(other);
            runtime.run();
        });
        assert_eq!((nested.panics(), counts.completions()), (1, 1));
    });
}

#[test]
fn wakes_before_during_and_after_the_last_poll_in_their_order() {
    within(LIMIT, || {
        let log = Arc::new(Mutex::new(Vec::new()));
        let event = |what| {
            let log = Arc::clone(&log);
            move || log.lock().unwrap().push(what)
        };
        let dropped = OnDrop(event("P's future is dropped"));
        let [first, second] = ["P's first poll", "P's second poll"].map(event);
        let [polls_q, polls_r] = ["Q's poll", "R's poll"].map(event);
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        let (to_q, waker_of_p) = mpsc::channel::<Waker>();
        let (to_r, kept) = mpsc::channel::<Waker>();
        let mut r = Some(async move {
            polls_r();
            kept.recv().unwrap().wake();
        });
        mini_tokio.spawn(poll_fn(move |cx| {
            let _owned = &dropped;
            let Some(r) = r.take() else {
                second();
                return Poll::Ready(());
            };
            first();
            cx.waker().wake_by_ref();
            to_q.send(cx.waker().clone()).unwrap();
            handle.spawn(r);
            Poll::Pending
        }));
        mini_tokio.spawn(async move {
            polls_q();
            let waker = waker_of_p.recv().unwrap();
            waker.wake_by_ref();
            to_r.send(waker).unwrap();
        });
        mini_tokio.run();
        event("`run` returns")();
        let order = [
            "P's first poll",
            "Q's poll",
            "P's second poll",
            "P's future is dropped",
            "R's poll",
            "`run` returns",
        ];
        assert_eq!(*log.lock().unwrap(), order);
    });
}
