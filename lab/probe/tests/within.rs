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

use probe::{
    Mutex,
    tokio::{spawn, task::spawn_blocking},
    within_async,
};
use tokio::try_join;

const LONG: Duration = Duration::from_secs(60);

#[test]
fn it_returns_what_the_closure_returns_on_the_calling_thread() {
    let not_send = Rc::new(Cell::new(0));
    let caller = thread::current().id();
    let ran_on = probe::within(LONG, || {
        not_send.set(7);
        thread::current().id()
    });
    assert_eq!((not_send.get(), ran_on), (7, caller));
}

#[test]
fn a_panic_goes_on_with_its_payload() {
    let result = catch_unwind(|| probe::within(LONG, || resume_unwind(Box::new(7))));
    assert_eq!(result.unwrap_err().downcast_ref(), Some(&7));
}

#[test]
fn it_does_not_wait_for_its_limit() {
    for _ in 0..if cfg!(miri) { 10 } else { 100 } {
        probe::within(LONG, || ());
    }
}

#[test]
fn it_may_be_used_inside_itself_and_by_many_threads() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| probe::within(LONG, || probe::within(LONG, || ())));
        }
    });
}

/// What this program prints when it runs an ignored test, and the trace that it writes.
fn run(test: &str) -> [String; 2] {
    let trace = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let mut command = Command::new(env::current_exe().unwrap());
    let command = command
        .args(["--exact", test, "--ignored"])
        .env("PROBE_TRACE", &trace);
    let ran = probe::within(LONG, || command.output()).unwrap();
    let printed = [ran.stdout, ran.stderr].concat();
    [
        String::from_utf8(printed).unwrap(),
        fs::read_to_string(trace).unwrap(),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it hangs"]
async fn two_locks_in_a_circle() {
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
    let [printed, _] = run("two_locks_in_a_circle");
    let blocked = "waits inside poll for a lock that another thread holds";
    assert!(printed.contains(blocked), "{printed}");
    let [printed, _] = run("a_closure_that_never_returns");
    assert!(
        printed.contains("waits for the end of \"closure of "),
        "{printed}"
    );
}

#[tokio::test]
#[ignore = "it hangs"]
async fn a_closure_that_never_returns() {
    let hangs = async { spawn_blocking(park_forever).await };
    within_async(Duration::from_millis(50), hangs)
        .await
        .unwrap();
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
    let said = probe::within(LONG, || {
        let until_the_last = said
            .by_ref()
            .take_while(|line| !line.starts_with("Said after"));
        until_the_last.collect::<Vec<_>>().join("\n")
    });
    drop(input);
    assert!(probe::within(LONG, || child.wait()).unwrap().success());
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
