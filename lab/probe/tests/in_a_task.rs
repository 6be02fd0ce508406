//! The watchdog inside a task, and a report that ends nothing.

// A backtrace is no thing for Miri, and tokio's driver neither.
#![cfg(not(miri))]

use std::{
    any::Any,
    future::{pending, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use tokio::{
    runtime::Builder,
    sync::{Mutex, oneshot},
    task::yield_now,
};
use why_pending::{
    hostile::{Hostile, Moment},
    poll, report,
    tokio::{spawn, task::spawn_blocking},
    watch, watched, within_async,
};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(20);

fn text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<String>()
        .expect("it panics with a text")
}

#[tokio::test]
async fn it_returns_what_the_future_returns() {
    let output = within_async(LONG, async {
        yield_now().await;
        7
    });
    assert_eq!(output.await, 7);
}

#[test]
fn a_future_that_hangs_panics_where_it_is_awaited() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let line = line!() + 3;
    let hangs = async {
        let (_reply, answer) = oneshot::channel::<()>();
        answer.await.unwrap();
    };
    let hangs = || runtime.block_on(within_async(SHORT, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    let at = format!("  at       tests/in_a_task.rs:{line}, in tokio::sync::oneshot");
    assert!(
        said.starts_with("task 1 \"lab/probe/tests/in_a_task.rs:"),
        "{said}"
    );
    assert!(said.contains(&at), "{said}");
    // The runtime is as good as before.
    assert_eq!(runtime.block_on(async { 7 }), 7);
}

#[tokio::test]
async fn one_task_that_hangs_is_no_concern_of_another() {
    let lock = Mutex::new(());
    let _held = lock.lock().await;
    let hangs = tokio::spawn(within_async(SHORT, std::future::pending::<()>()));
    let fares_well = tokio::spawn(within_async(LONG, async { 7 }));
    let panic = hangs.await.unwrap_err().into_panic();
    let said = text(&*panic);
    assert!(said.contains("no clone of its waker was kept"), "{said}");
    assert_eq!(fares_well.await.unwrap(), 7);
}

#[test]
fn what_its_tasks_watch_belongs_to_it() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let hangs = async {
        let (_reply, answer) = oneshot::channel::<()>();
        let _elsewhere = tokio::spawn(watch("worker", async {
            let inner = watch("inner of worker", answer);
            inner.await
        }));
        tokio::task::yield_now().await;
        std::future::pending::<()>().await;
    };
    let hangs = || runtime.block_on(within_async(SHORT, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    assert!(
        said.contains("\"inner of worker\" returned Pending"),
        "{said}"
    );
    assert!(
        said.contains("\"worker\" waits for \"inner of worker\""),
        "{said}"
    );
}

#[test]
fn what_the_caller_awaits_comes_first() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let line = line!() + 3;
    let hangs = async {
        let [a, b, c, d] = [(); 4].map(|()| oneshot::channel::<()>());
        let _idle = tokio::spawn(watch("idle", a.1));
        let _idler = tokio::spawn(watch("idler", b.1));
        let _idlest = tokio::spawn(watch("idlest", c.1));
        let needed = spawn(watch("needed", d.1));
        needed.await.unwrap().unwrap();
    };
    let hangs = || runtime.block_on(within_async(SHORT, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    let place = |name| said.find(&format!("\"{name}\" returned Pending"));
    let needed = place("needed");
    assert!(needed.is_some() && needed < place("idle"), "{said}");
    // Neither future has a line of its own, and no async function awaits it.
    let at = format!("at       lab/probe/tests/in_a_task.rs:{line}, in tokio::sync::oneshot");
    assert!(said.contains(&at), "{said}");
}

#[test]
fn one_who_has_a_lock_alone_needs_no_wait() {
    let mut lock = why_pending::tokio::sync::Mutex::new(7);
    *lock.get_mut() += 1;
    assert_eq!(lock.into_inner(), 8);
}

#[test]
fn a_report_ends_nothing() {
    let (reply, answer) = oneshot::channel();
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap();
    let waits = runtime.spawn(watch("waits for an answer", answer));
    while !report().contains("task") {}
    let said = report();
    assert!(
        said.contains("\"waits for an answer\" returned Pending"),
        "{said}"
    );
    assert!(
        said.contains("the other end is still there, and has neither sent nor been dropped."),
        "{said}"
    );
    assert!(!said.contains("Stopped"), "{said}");
    reply.send(7).unwrap();
    assert_eq!(runtime.block_on(waits).unwrap(), Ok(7));
}

#[test]
fn a_future_without_a_name_is_called_by_its_line() {
    let line = line!() + 1;
    let mut future = pin!(watched(std::future::pending::<()>()));
    let mut cx = Context::from_waker(Waker::noop());
    let said = why_pending::record(|| assert!(future.as_mut().poll(&mut cx).is_pending()));
    assert_eq!(
        said.tasks[0].name,
        format!("lab/probe/tests/in_a_task.rs:{line}")
    );
}

/// All of what is kept of 200,000 finished tasks would take 100 MB.
#[test]
#[cfg(target_os = "linux")]
fn what_is_over_is_forgotten() {
    why_pending::alone(|| {
        let pages = || {
            let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
            statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap()
        };
        why_pending::within(LONG, || {
            let runs = |times| {
                for n in 0..times {
                    let future = pin!(watch(format!("number {n}"), async {}));
                    let poll = future.poll(&mut Context::from_waker(Waker::noop()));
                    assert!(poll.is_ready());
                }
            };
            runs(1_000);
            let before = pages();
            runs(200_000);
            let more = (pages() - before) * 4096;
            assert!(more < 5_000_000, "{more} bytes");
        });
    });
}

/// Waits until the guard has woken one of these. `false`: it gives up, so that no test hangs.
fn is_woken(wakers: &Hostile) -> bool {
    let begun = Instant::now();
    while wakers.wakes() == 0 && begun.elapsed() < LONG {
        thread::sleep(Duration::from_millis(1));
    }
    wakers.wakes() > 0
}

/// What a waker does that needs a wake of `others` to go on.
fn needs(others: &Hostile, gave_up: &Arc<AtomicBool>) -> impl Fn() + Send + Sync + 'static {
    let (others, gave_up) = (others.clone(), gave_up.clone());
    move || gave_up.store(!is_woken(&others), SeqCst)
}

/// Polls as an executor does: once more after a wake.
fn says_that_no_waker_was_kept(mut hangs: Pin<&mut impl Future<Output = ()>>, wakers: &Hostile) {
    let waker = wakers.waker();
    let polls = || {
        while poll(&mut hangs, &waker).is_pending() {
            assert!(is_woken(wakers));
        }
    };
    let panic = catch_unwind(AssertUnwindSafe(polls)).unwrap_err();
    let said = text(&*panic);
    assert!(said.contains("no clone of its waker was kept"), "{said}");
}

#[test]
fn the_guard_does_not_wait_for_a_waker_that_is_being_cloned() {
    let [first, second] = [Hostile::new(), Hostile::new()];
    let mut hangs = pin!(within_async(SHORT, pending::<()>()));
    assert!(poll(&mut hangs, &first.waker()).is_pending());
    let gave_up = Arc::default();
    second.arm(Moment::Clone, needs(&first, &gave_up));
    says_that_no_waker_was_kept(hangs, &second);
    assert!(second.acted() && !gave_up.load(SeqCst));
}

#[test]
fn the_guard_does_not_wait_for_a_waker_that_is_being_dropped() {
    let [first, second] = [Hostile::new(), Hostile::new()];
    let mut hangs = pin!(within_async(SHORT, pending::<()>()));
    let waker = first.waker();
    assert!(poll(&mut hangs, &waker).is_pending());
    let gave_up = Arc::default();
    first.arm(Moment::Drop, needs(&second, &gave_up));
    says_that_no_waker_was_kept(hangs, &second);
    assert!(first.acted() && !gave_up.load(SeqCst));
}

#[test]
fn the_guard_clones_no_waker() {
    let hostile = Hostile::new();
    let mut hangs = pin!(within_async(SHORT, pending::<()>()));
    assert!(poll(&mut hangs, &hostile.waker()).is_pending());
    let here = thread::current().id();
    hostile.arm(Moment::Clone, move || {
        assert_eq!(thread::current().id(), here)
    });
    says_that_no_waker_was_kept(hangs, &hostile);
}

/// It wakes the waker that it replaces, as the crate `want` does below hyper.
#[derive(Default)]
struct WakesWhatItReplaces(Option<Waker>);

impl Future for WakesWhatItReplaces {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let kept = self.0.as_ref();
        if !kept.is_some_and(|kept| kept.will_wake(cx.waker())) {
            let replaced = self.0.replace(cx.waker().clone());
            replaced.into_iter().for_each(Waker::wake);
        }
        Poll::Pending
    }
}

#[test]
fn a_wake_that_the_watchdog_caused_is_no_sign_of_life() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let hangs = || runtime.block_on(within_async(SHORT, WakesWhatItReplaces::default()));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    let first = said.lines().next().unwrap();
    assert!(
        first.ends_with("waits for an event that has not come."),
        "{said}"
    );
    assert!(said.contains("polled once\n"), "{said}");
    assert!(said.contains("never woken"), "{said}");
}

#[test]
fn what_goes_on_in_one_more_poll_lacks_a_wake() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let (mut polls, mut kept) = (0, Vec::new());
    let forgotten = poll_fn(move |cx| {
        polls += 1;
        kept.push(cx.waker().clone());
        if polls == 1 {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    });
    let hangs = async {
        forgotten.await;
        yield_now().await;
        std::future::pending::<()>().await;
    };
    let hangs = || runtime.block_on(within_async(SHORT, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    assert!(said.contains("So a wake is missing."), "{said}");
}

#[test]
fn what_waits_forever_on_purpose_does_not_come_first() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let hangs = async {
        let (reply, answer) = oneshot::channel::<()>();
        spawn(async move {
            yield_now().await;
            std::future::pending::<()>().await;
            drop(reply);
        });
        answer.await.unwrap();
    };
    let hangs = || runtime.block_on(within_async(SHORT, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    assert!(said.starts_with("task 1 "), "{said}");
    assert!(
        said.contains("that is meant so in std::future::pending()"),
        "{said}"
    );
}

#[test]
fn who_waits_for_a_task_that_has_panicked_is_told_why_it_did() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let line = line!() + 5;
    let hangs = async {
        let (one, mut inbox) = why_pending::tokio::sync::mpsc::channel(1);
        let _other = one.clone();
        let asks = spawn(async move { one.send(1).await.unwrap() });
        let fails = spawn_blocking(|| panic!("no such account"));
        asks.await.unwrap();
        assert!(fails.await.is_err());
        inbox.recv().await;
        inbox.recv().await;
    };
    let hangs = || runtime.block_on(within_async(SHORT, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    let panicked =
        format!("  panic    at lab/probe/tests/in_a_task.rs:{line}: \"no such account\"");
    assert!(said.contains(&panicked), "{said}");
}

#[test]
fn the_panic_of_who_sent_last_is_told_to_who_receives() {
    // Each report is about all that is watched in a process.
    why_pending::alone(|| {
        // From here on, panics are noted.
        why_pending::within(LONG, || ());
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let (sender, mut inbox) = why_pending::tokio::sync::mpsc::channel(1);
        let _unused = sender.clone();
        let line = line!() + 3;
        let sends = async move {
            sender.send(1).await.unwrap();
            panic!("half of the work is done");
        };
        let sends = runtime.block_on(async { spawn(sends).await });
        assert!(sends.unwrap_err().is_panic());
        let hangs = async { while inbox.recv().await.is_some() {} };
        let hangs = || runtime.block_on(within_async(SHORT, hangs));
        let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
        let said = text(&*panic).split_whitespace().collect::<Vec<_>>();
        let fate = format!(
            ", and has panicked at lab/probe/tests/in_a_task.rs:{line}: \"half of the work is done\"; that one is gone"
        );
        let said = said.join(" ");
        assert!(said.contains(&fate), "{said}");
    });
}

#[test]
fn closures_that_have_begun_and_those_that_have_not_are_told_apart() {
    // Each report is about all that is watched in a process.
    why_pending::alone(|| {
        let mut builder = Builder::new_current_thread();
        let runtime = builder.max_blocking_threads(2).build().unwrap();
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(std::sync::Mutex::new(gate));
        let hangs = async {
            let waits = |_| {
                let gate = gate.clone();
                spawn_blocking(move || gate.lock().unwrap().recv().is_ok())
            };
            let all = [(); 5].map(waits);
            for closure in all {
                closure.await.unwrap();
            }
        };
        // As long as a thread is inside of a closure, the panic would be the end of the process.
        let message = Arc::new(std::sync::Mutex::new(String::new()));
        let says = message.clone();
        let asks = std::thread::spawn(move || {
            std::thread::sleep(SHORT);
            *says.lock().unwrap() = report();
            drop(open);
        });
        runtime.block_on(watch("main", hangs));
        asks.join().unwrap();
        let said = message.lock().unwrap().clone();
        let line = |part: &str| said.lines().find(|line| line.contains(part)).unwrap_or("");
        assert!(
            line("has not returned: it has not begun").contains("Likewise 2 others"),
            "{said}"
        );
        assert!(
            line("has not returned: its thread").contains("Likewise task"),
            "{said}"
        );
    });
}

#[test]
fn of_thousands_that_are_joined_the_first_few_are_named() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let line = line!() + 5;
    let hangs = async {
        let gate = Arc::new(why_pending::tokio::sync::Semaphore::new(0));
        let waits = |_| {
            let gate = gate.clone();
            spawn(async move { drop(gate.acquire().await) })
        };
        let all: Vec<_> = (0..1_398).map(waits).collect();
        futures::future::join_all(all).await;
    };
    // Many times what it takes to poll them all.
    let limit = 25 * SHORT;
    let hangs = || runtime.block_on(within_async(limit, hangs));
    let panic = catch_unwind(AssertUnwindSafe(hangs)).unwrap_err();
    let said = text(&*panic);
    let (place, rest) = (format!("lab/probe/tests/in_a_task.rs:{line}"), 1_398 - 3);
    assert!(
        said.contains(&format!(
            "waits for the end of {rest} more tasks of {place}"
        )),
        "{said}"
    );
    assert!(
        said.contains(&format!(
            "1397 others of the same line, task 3 \"{place}\" to task"
        )),
        "{said}"
    );
    assert!(said.len() < 4_000, "{} bytes: {said}", said.len());
}

/// Of an executor that has more to do than it can, each task that it has not come to was never polled.
#[test]
fn a_run_that_goes_on_says_so_first() {
    // A report is about all that is watched in a process.
    why_pending::alone(|| {
        let mut futures: Vec<_> = (0..1_000).map(|_| watched(async {})).collect();
        let said = thread::scope(|scope| {
            let report = scope.spawn(report);
            while !report.is_finished() {
                if let Some(mut next) = futures.pop() {
                    assert!(poll(&mut next, Waker::noop()).is_ready());
                }
                thread::sleep(Duration::from_millis(5));
            }
            report.join().unwrap()
        });
        assert!(said.starts_with("still at work: "), "{said}");
        assert!(
            said.contains("became ready in the last quarter of a second"),
            "{said}"
        );
        assert!(said.contains("was never polled."), "{said}");
    });
}
