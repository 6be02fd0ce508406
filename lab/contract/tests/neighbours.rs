//! What goes on beside a clause, in its process or in others, changes no verdict.

use std::{
    env, fs,
    future::Future,
    hint::{self, black_box},
    path::{Path, PathBuf},
    pin::Pin,
    process,
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use futures::executor::block_on;
use runtime_contract::{Answer, BoxFuture, Leaf, Preset, Subject, Trigger, leaf_clauses, suite};

runtime_contract::count_allocations!();

/// A future that lets another thread allocate in each of its polls.
struct LetsAnotherAllocate;

struct Waits(Arc<Barrier>);

impl Future for Waits {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0.wait(); // it allocates
        self.0.wait(); // and has done so
        Poll::Pending
    }
}

impl Leaf for LetsAnotherAllocate {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let both = Arc::new(Barrier::new(2));
        let other = both.clone();
        thread::spawn(move || {
            loop {
                other.wait();
                drop(black_box(Box::new(0)));
                other.wait();
            }
        });
        Ok((Box::pin(Waits(both)), Box::new(|| {})))
    }
}

#[test]
fn what_another_thread_allocates_is_not_the_futures() {
    let kept = leaf_clauses::cost::no_allocation_per_poll(&LetsAnotherAllocate);
    assert_eq!(kept, Ok(()));
}

/// The clause and the subject that this process tests, or nothing where it is the test itself.
fn cell() -> String {
    env::var("CONTRACT_CELL").unwrap_or_default()
}

fn is_cell() -> bool {
    !cell().is_empty()
}

/// An executor that never sleeps, and lets everything else go first.
fn yields(mut future: BoxFuture) {
    let mut cx = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut cx).is_pending() {
        thread::yield_now();
    }
}

/// Keeps every processor busy until it is dropped.
struct BusyMachine(Arc<AtomicBool>);

impl BusyMachine {
    fn begin() -> BusyMachine {
        let over = Arc::new(AtomicBool::new(false));
        let processors = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..3 * processors {
            let over = over.clone();
            thread::spawn(move || {
                while !over.load(SeqCst) {
                    hint::spin_loop();
                }
            });
        }
        BusyMachine(over)
    }
}

impl Drop for BusyMachine {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// Tests on a busy machine whether it sleeps.
fn checked_on_a_busy_machine(test: &str, subject: Subject) -> Result<(), String> {
    let _busy = (!is_cell()).then(BusyMachine::begin);
    suite::check(test, subject, &["sleeps"])
}

#[test]
#[cfg(target_os = "linux")] // elsewhere, nobody says that a thread wants to run
fn who_yields_on_a_busy_machine_does_not_sleep() {
    const YIELDS: Preset = Preset::block_on(yields);
    let yields = Subject::runtime("yields", &YIELDS);
    let test = "who_yields_on_a_busy_machine_does_not_sleep";
    let said = checked_on_a_busy_machine(test, yields).unwrap_err();
    assert!(said.contains("of CPU time, while it waited"), "{said}");
}

#[test]
fn who_sleeps_on_a_busy_machine_sleeps() {
    const SLEEPS: Preset = Preset::block_on(block_on);
    let sleeps = Subject::runtime("sleeps", &SLEEPS);
    let test = "who_sleeps_on_a_busy_machine_sleeps";
    assert_eq!(checked_on_a_busy_machine(test, sleeps), Ok(()));
}

/// Has a file of its own in a folder while it runs, and `sleeps` may find no other there.
fn beside_others(future: BoxFuture) {
    let is_alone = cell().starts_with("sleeps ");
    let others = fs::read_dir(folder()).expect("it was made").count();
    assert!(!is_alone || others == 0, "there are {others} beside it");
    let file = folder().join(process::id().to_string());
    fs::write(&file, "").expect("it can be written");
    thread::sleep(Duration::from_millis(20));
    block_on(future);
    fs::remove_file(&file).expect("it was written");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("contract-alone")
}

#[test]
fn a_clause_that_compares_times_is_tested_alone() {
    const BESIDE_OTHERS: Preset = Preset::block_on(beside_others);
    if !is_cell() {
        _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).expect("it can be made");
    }
    let subject = Subject::runtime("beside others", &BESIDE_OTHERS);
    let names = ["finishes", "sleeps", "woken_twice", "woken_asleep"];
    let kept = suite::check(
        "a_clause_that_compares_times_is_tested_alone",
        subject,
        &names,
    );
    assert_eq!(kept, Ok(()));
}
