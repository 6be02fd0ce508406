//! Both runtimes run every task to its end, poll the tasks in turns, and contain their panics. Then what version 2 adds.

use std::{
    future::{Future, pending, poll_fn},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::{Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::future::join_all;
use probe::{Counted, Counts, within};
use step07_mini_tokio::{Delay, MiniTokio, Signal, mini_tokio::v1_queue};

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
        let mut mini_tokio = v1_queue::MiniTokio::new();
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
fn woken_as_it_finishes_and_later_it_is_not_polled_again() {
    on_both(|run| {
        let (late, wakers) = mpsc::channel();
        let (task, counts) = counted(poll_fn(move |cx| {
            cx.waker().wake_by_ref();
            late.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        }));
        let (other, _) = counted(async move {
            yields(3).await;
            wakers.recv().unwrap().wake();
            yields(3).await;
        });
        run(vec![task, other]);
        assert_eq!((counts.polls(), counts.polls_after_ready()), (1, 0));
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

#[test]
fn tasks_take_turns() {
    on_both(|run| {
        let log = Arc::new(Mutex::new(String::new()));
        let task = |name: char| {
            let log = Arc::clone(&log);
            Box::pin(async move {
                for _ in 0..3 {
                    log.lock().unwrap().push(name);
                    yields(1).await;
                }
            }) as Task
        };
        run(vec![task('a'), task('b')]);
        assert_eq!(*log.lock().unwrap(), "ababab");
    });
}

#[test]
fn a_thousand_joined_in_one_task() {
    on_both(|run| {
        let (task, counts) = counted(async {
            join_all((0..few_under_miri(1_000)).map(|i| yields(i % 3))).await;
        });
        run(vec![task]);
        assert_eq!(counts.completions(), 1);
    });
}

/// Runs one task on version 2.
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
fn woken_by_value_by_reference_and_from_four_threads_at_once() {
    let four = |waker: &Waker| {
        let by_value = [(); 4].map(|()| waker.clone());
        thread::scope(|scope| {
            for waker in by_value {
                scope.spawn(|| waker.wake());
            }
        });
    };
    const TIMES: usize = if cfg!(miri) { 8 } else { 20 };
    assert_eq!(run_one(act(TIMES, four)).polls(), TIMES + 1);
    assert_eq!(run_one(act(20, Waker::wake_by_ref)).polls(), 21);
}

#[test]
fn a_storm_of_wakes_from_four_threads_loses_none() {
    const WAKES: usize = if cfg!(miri) { 200 } else { 20_000 };
    let done = Arc::new(AtomicUsize::new(0));
    let mut started = false;
    let counts = run_one(poll_fn(move |cx| {
        if !started {
            started = true;
            for _ in 0..4 {
                let (waker, done) = (cx.waker().clone(), Arc::clone(&done));
                thread::spawn(move || {
                    for _ in 0..WAKES {
                        done.fetch_add(1, Ordering::Relaxed);
                        waker.wake_by_ref();
                    }
                });
            }
        }
        // If the last wake were lost, this task would never be polled again.
        if done.load(Ordering::Relaxed) == 4 * WAKES {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }));
    assert!(counts.polls() <= 4 * WAKES + 1, "more polls than wakes");
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
fn a_thousand_spawned_from_another_thread_are_all_polled() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        let signal = Arc::new(Signal::default());
        let fired = Arc::clone(&signal);
        // As long as it waits, the runtime runs, and sleeps between the tasks that are spawned.
        mini_tokio.spawn(poll_fn(move |cx| fired.poll_fired(cx)));
        let elsewhere = thread::spawn(move || {
            for _ in 0..few_under_miri(1_000) {
                let (poll, polled) = mpsc::channel();
                handle.spawn(async move { poll.send(()).unwrap() });
                polled.recv().unwrap();
            }
            signal.fire();
        });
        mini_tokio.run();
        elsewhere.join().unwrap();
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

#[test]
fn version_1_polls_again_and_again_a_task_that_is_never_woken() {
    within(LIMIT, || {
        let times = few_under_miri(1_000);
        let (task, counts) = counted(act(times, |_| {}));
        let mut mini_tokio = v1_queue::MiniTokio::new();
        mini_tokio.spawn(task);
        mini_tokio.run();
        assert_eq!(counts.polls(), times + 1);
    });
}

#[cfg_attr(miri, ignore = "Miri keeps no CPU time")]
#[test]
fn while_nothing_is_ready_it_polls_nothing_and_uses_no_cpu() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let when = Instant::now() + Duration::from_millis(50);
        let (task, counts) = counted(async move {
            Delay::until(when).await;
        });
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

/// Spawns another task when dropped, and wakes its own.
struct Meddler {
    handle: step07_mini_tokio::Handle,
    refused: Arc<Mutex<Option<Counts>>>,
}

impl Drop for Meddler {
    fn drop(&mut self) {
        let (task, counts) = counted(async {});
        self.handle.spawn(task);
        *self.refused.lock().unwrap() = Some(counts);
    }
}

#[test]
fn a_runtime_that_is_dropped_drops_its_tasks_and_refuses_more() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        let refused = Arc::new(Mutex::new(None));
        let meddler = Meddler {
            handle: handle.clone(),
            refused: Arc::clone(&refused),
        };
        let (task, counts) = counted(async move {
            let _meddler = meddler;
            pending().await
        });
        mini_tokio.spawn(task);
        drop(mini_tokio);
        assert_eq!((counts.polls(), counts.drops()), (0, 1));
        let from_destructor = refused.lock().unwrap().take().unwrap();
        let (task, from_handle) = counted(async {});
        handle.spawn(task);
        for counts in [from_destructor, from_handle] {
            assert_eq!((counts.polls(), counts.drops()), (0, 1));
        }
    });
}

#[test]
fn a_future_that_is_refused_may_spawn_as_it_is_dropped() {
    within(LIMIT, || {
        let handle = MiniTokio::new().handle();
        let refused = Arc::new(Mutex::new(None));
        let meddler = Meddler {
            handle: handle.clone(),
            refused: Arc::clone(&refused),
        };
        let (task, counts) = counted(async move { drop(meddler) });
        handle.spawn(task);
        let from_destructor = refused.lock().unwrap().take().unwrap();
        for counts in [counts, from_destructor] {
            assert_eq!((counts.polls(), counts.drops()), (0, 1));
        }
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
fn destructors_that_panic_harm_no_other_task() {
    let bomb = || {
        let bomb = PanicsWhenDropped;
        async move {
            let _bomb = bomb;
        }
    };
    on_both(|run| {
        let (other, counts) = counted(yields(5));
        run(vec![Box::pin(bomb()), other]);
        assert_eq!(counts.completions(), 1);
    });
    // Nor when the runtime is dropped.
    let mini_tokio = MiniTokio::new();
    let counts = [(); 10].map(|()| {
        let (task, counts) = counted(pending());
        mini_tokio.spawn(task);
        mini_tokio.spawn(bomb());
        counts
    });
    drop(mini_tokio);
    assert_eq!(counts.map(|counts| counts.drops()), [1; 10]);
    let mut mini_tokio = v1_queue::MiniTokio::new();
    let (task, counts) = counted(pending());
    mini_tokio.spawn(bomb());
    mini_tokio.spawn(bomb());
    mini_tokio.spawn(task);
    drop(mini_tokio);
    assert_eq!(counts.drops(), 1);
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

/// Calls its closure when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}
