//! The watchdog when there is nothing to say, and who belongs to whom.

use std::{
    cell::Cell,
    env, fs,
    future::pending,
    io::{self, BufRead, BufReader},
    panic::{catch_unwind, resume_unwind},
    path::Path,
    process::{Command, Stdio},
    rc::Rc,
    sync::{Arc, Barrier},
    thread,
    time::Duration,
};

use tokio::try_join;
use why_pending::{
    Mutex, OnDrop,
    tokio::{spawn, task::spawn_blocking},
    within_async,
};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn it_returns_what_the_closure_returns_on_the_calling_thread() {
    let not_send = Rc::new(Cell::new(0));
    let caller = thread::current().id();
    let ran_on = why_pending::within(LONG, || {
        not_send.set(7);
        thread::current().id()
    });
    assert_eq!((not_send.get(), ran_on), (7, caller));
}

#[test]
fn a_panic_goes_on_with_its_payload() {
    let result = catch_unwind(|| why_pending::within(LONG, || resume_unwind(Box::new(7))));
    assert_eq!(result.unwrap_err().downcast_ref(), Some(&7));
}

#[test]
fn it_does_not_wait_for_its_limit() {
    for _ in 0..if cfg!(miri) { 10 } else { 100 } {
        why_pending::within(LONG, || ());
    }
}

#[test]
fn it_may_be_used_inside_itself_and_by_many_threads() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| why_pending::within(LONG, || why_pending::within(LONG, || ())));
        }
    });
}

/// What this program prints when it runs an ignored test, and the trace that it writes.
fn run(test: &str) -> [String; 2] {
    run_with(test, &[])
}

fn run_with(test: &str, more: &[&str]) -> [String; 2] {
    let trace = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let mut command = Command::new(env::current_exe().unwrap());
    let command = command
        .args(["--exact", test, "--ignored"])
        .args(more)
        .env("WHY_PENDING_TRACE", &trace);
    let ran = why_pending::within(LONG, || command.output()).unwrap();
    let printed = [ran.stdout, ran.stderr].concat();
    [
        String::from_utf8(printed).unwrap(),
        fs::read_to_string(trace).unwrap(),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it hangs"]
async fn two_locks_in_a_cycle() {
    let (a, b) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
    let both = Arc::new(Barrier::new(2));
    let lock = |first: &Arc<Mutex<()>>, second: &Arc<Mutex<()>>| {
        let (first, second, both) = (first.clone(), second.clone(), both.clone());
        spawn(async move {
            let _first = first.lock().unwrap();
            both.wait();
            drop(second.lock().unwrap());
        })
    };
    let tasks = async { try_join!(lock(&a, &b), lock(&b, &a)) };
    within_async(Duration::from_millis(200), tasks)
        .await
        .unwrap();
}

#[test]
#[cfg_attr(miri, ignore)]
fn its_message_is_seen_although_the_runtime_cannot_end() {
    let [printed, _] = run("two_locks_in_a_cycle");
    let blocked = "waits inside poll for a lock that another thread holds";
    assert!(printed.contains(blocked), "{printed}");
    let [printed, _] = run("a_closure_that_never_returns");
    assert!(
        printed.contains("waits for the end of \"closure of "),
        "{printed}"
    );
}

async fn hangs_with(when_dropped: fn()) {
    let hangs = async {
        let _drops = OnDrop(when_dropped);
        pending::<()>().await;
    };
    within_async(Duration::from_millis(50), hangs).await;
}

#[tokio::test]
#[ignore = "it hangs"]
async fn a_drop_that_panics() {
    hangs_with(|| panic!("dropped in the middle")).await;
}

#[tokio::test]
#[ignore = "it hangs"]
async fn a_drop_that_never_returns() {
    hangs_with(|| thread::sleep(LONG)).await;
}

#[test]
#[cfg_attr(miri, ignore)]
fn its_message_is_seen_although_the_drop_of_what_hangs_misbehaves() {
    for (test, panics) in [
        ("a_drop_that_panics", true),
        ("a_drop_that_never_returns", false),
    ] {
        let [printed, _] = run(test);
        assert!(printed.contains("returned Pending"), "{test}: {printed}");
        let is_told = printed.contains("It was dropped then, and that panicked.");
        assert_eq!(is_told, panics, "{test}: {printed}");
    }
}

#[tokio::test]
#[ignore = "it hangs"]
async fn a_closure_that_never_returns() {
    let hangs = async { spawn_blocking(park_forever).await };
    within_async(Duration::from_millis(50), hangs)
        .await
        .unwrap();
}

#[tokio::test]
#[ignore = "it hangs"]
async fn another_executor_spends_the_budget() {
    let (sender, mut inbox) = tokio::sync::mpsc::unbounded_channel();
    (0..1_000).for_each(|n| sender.send(n).unwrap());
    let all = why_pending::watch("all", async move {
        while inbox.recv().await.is_some_and(|n| n < 999) {}
    });
    let blocks = async { spawn(async { futures::executor::block_on(all) }).await };
    within_async(Duration::from_millis(50), blocks)
        .await
        .unwrap();
}

#[test]
#[cfg_attr(miri, ignore)]
fn a_budget_that_is_spent_is_no_message_that_has_not_come() {
    let [printed, _] = run("another_executor_spends_the_budget");
    let said = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("to return to the runtime before tokio's"),
        "{printed}"
    );
    assert!(!printed.contains("the channel is empty"), "{printed}");
}

fn park_forever() {
    loop {
        thread::park();
    }
}

#[tokio::test]
#[ignore = "it ends as late as its standard input"]
async fn a_closure_outlives_what_is_awaited() {
    let begun = Arc::new(tokio::sync::Notify::new());
    let begins = begun.clone();
    let awaited = async move {
        let _nobody_awaits = spawn_blocking(move || {
            begins.notify_one();
            io::copy(&mut io::stdin(), &mut io::sink())
        });
        begun.notified().await;
    };
    within_async(Duration::from_millis(500), awaited).await;
}

#[tokio::test]
#[ignore = "it hangs"]
async fn a_closure_never_lets_its_runtime_go() {
    let begun = Arc::new(tokio::sync::Notify::new());
    let begins = begun.clone();
    let awaited = async move {
        let _nobody_awaits = spawn_blocking(move || {
            begins.notify_one();
            park_forever();
        });
        begun.notified().await;
    };
    within_async(Duration::from_millis(20), awaited).await;
}

#[tokio::test]
#[ignore = "it hangs"]
async fn an_unwatched_closure_never_lets_its_runtime_go() {
    let (begin, begun) = tokio::sync::oneshot::channel();
    let awaited = async {
        let _nobody_awaits = tokio::task::spawn_blocking(|| {
            begin.send(()).unwrap();
            park_forever();
        });
        begun.await.unwrap();
    };
    within_async(Duration::from_millis(20), awaited).await;
}

#[tokio::test]
#[ignore = "it hangs"]
async fn an_unwatched_closure_keeps_a_panic_from_being_seen() {
    let hangs = async { tokio::task::spawn_blocking(park_forever).await };
    within_async(Duration::from_millis(20), hangs)
        .await
        .unwrap();
}

/// Only a stack tells.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore)]
#[cfg_attr(miri, ignore)]
fn a_closure_that_is_not_watched_is_told_by_its_line() {
    let [printed, _] = run("an_unwatched_closure_never_lets_its_runtime_go");
    assert!(printed.contains(DROP_LASTS), "{printed}");
    let at = "a closure that is not watched sleeps at tests/within.rs:";
    assert!(printed.contains(at), "{printed}");
    let [printed, _] = run("an_unwatched_closure_keeps_a_panic_from_being_seen");
    assert!(printed.contains(at), "{printed}");
    assert!(
        printed.contains("waits for an event that has not come"),
        "{printed}"
    );
}

#[tokio::test]
#[ignore = "it ends as late as its standard input"]
async fn a_read_of_standard_input_outlives_what_is_awaited() {
    let awaited = async {
        let mut input = tokio::io::stdin();
        let reads = tokio::io::AsyncReadExt::read_u8(&mut input);
        let _ = tokio::time::timeout(Duration::from_millis(5), reads).await;
    };
    within_async(Duration::from_millis(20), awaited).await;
}

/// Only a stack tells.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore)]
#[cfg_attr(miri, ignore)]
fn a_closure_of_tokios_own_is_told_by_what_it_calls() {
    let mut command = Command::new(env::current_exe().unwrap());
    let name = "a_read_of_standard_input_outlives_what_is_awaited";
    let command = command.args(["--exact", name, "--ignored"]);
    let command = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    // Its standard input stays open, so it ends itself.
    let _input = child.stdin.take();
    let ended = why_pending::within(LONG, || child.wait_with_output()).unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains(DROP_LASTS), "{said}");
    let sleeps = "a closure that a library has made sleeps in std::io::stdio::Stdin";
    assert!(said.contains(sleeps), "{said}");
    assert!(said.contains("in tokio::io::blocking"), "{said}");
    assert!(said.contains("Said after"), "{said}");
}

/// Its name comes first, and so does its run.
#[test]
#[ignore = "it panics"]
fn a_bad_beginning() {
    why_pending::within(LONG, || panic!("on purpose"));
}

/// By the panic, unless the harness keeps that to itself.
#[test]
#[cfg_attr(miri, ignore)]
fn its_message_is_said_once() {
    for test in [
        "an_unwatched_closure_keeps_a_panic_from_being_seen",
        "a_closure_that_never_returns",
    ] {
        for capture in [&[][..], &["--nocapture"]] {
            let more = [&["a_bad_beginning", "--test-threads=1"], capture].concat();
            let [printed, _] = run_with(test, &more);
            for said in ["Stopped after", "on purpose"] {
                let times = printed.matches(said).count();
                assert_eq!(times, 1, "{said}: {printed}");
            }
        }
    }
}

const DROP_LASTS: &str = "the drop of its runtime does not end";

#[test]
#[cfg_attr(miri, ignore)]
fn a_test_that_ends_late_says_what_its_runtime_waits_for() {
    let mut command = Command::new(env::current_exe().unwrap());
    let command = command.args(["--exact", "a_closure_outlives_what_is_awaited", "--ignored"]);
    let command = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let (input, errors) = (child.stdin.take(), child.stderr.take().unwrap());
    let mut said = BufReader::new(errors).lines().map(Result::unwrap);
    let said = why_pending::within(LONG, || {
        let until_the_last = said
            .by_ref()
            .take_while(|line| !line.starts_with("Said after"));
        until_the_last.collect::<Vec<_>>().join("\n")
    });
    drop(input);
    assert!(
        why_pending::within(LONG, || child.wait())
            .unwrap()
            .success()
    );
    assert!(said.contains(DROP_LASTS), "{said}");
    assert!(
        said.contains("\"closure of lab/probe/tests/within.rs:"),
        "{said}"
    );
}

#[test]
#[cfg_attr(miri, ignore)]
fn a_process_ends_whose_runtime_never_does() {
    let [printed, _] = run("a_closure_never_lets_its_runtime_go");
    assert!(printed.contains(DROP_LASTS), "{printed}");
}

const NEVER_COMES: u32 = line!() + 4;
#[tokio::test]
#[ignore = "it hangs"]
async fn what_never_comes() {
    within_async(Duration::from_millis(50), pending::<()>()).await;
}

#[test]
#[cfg_attr(miri, ignore)]
fn a_test_panics_in_its_own_line_and_writes_its_trace() {
    let [printed, trace] = run("what_never_comes");
    let at = format!("panicked at lab/probe/tests/within.rs:{NEVER_COMES}:");
    assert!(printed.contains(&at), "{printed}");
    let said = "no clone of its waker was kept";
    assert!(printed.contains(said) && trace.contains(said), "{trace}");
    assert!(!trace.contains("\"events\":[]"), "{trace}");
}
