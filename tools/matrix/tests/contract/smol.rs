//! smol on its own two threads; async-executor, which it is made of, on one; and the timer of async-io.

use std::{cell::RefCell, rc::Rc, time::Duration};

use async_executor::Executor;
use contract::{Answer, BoxFuture, Leaf, Preset, Subject, leaf, suite::Promise};
use futures_lite::future::block_on;

const ABORTS: &str = "async-task 4.7.1 ends the process on purpose when the destructor of a future panics (`abort_on_panic` in raw.rs). Its comment gives the reason: unsafe code that cannot recover from a panic.";

/// What these crates have to test.
pub fn promises() -> [Promise; 3] {
    let aborts = |subject| {
        Promise::all(subject).not_yet(ABORTS, &["a_panicking_destructor", "panics_at_any_moment"])
    };
    [
        // With one thread, it would have none left while one is blocked.
        aborts(Subject::runtime("smol", &GLOBAL)).env("SMOL_THREADS", "2").not_yet(
            "smol's executor is a `static` that is never dropped, and it keeps a waker of each task in a list (`active` in async-executor 1.14.1), so none of its tasks loses its last waker.",
            &["dropped_by_its_executor"],
        ),
        aborts(Subject::runtime("async-executor", &ONE_THREAD)),
        Promise::all(Subject::leaf("async-io-timer", &Timer))
            .not_yet(
                "The timer of async-io is a stream too. Once it was ready, a timer without a period is a stream that never fires again, so a further poll waits forever. The trait `Future` allows that.",
                &["polled_after_ready"],
            )
            .not_yet(
                "async-io 2.6 catches the panic of a wake (`react` in reactor.rs), but not the panic of a drop. Earlier wakers and those of dropped timers are dropped under the lock of all timers (`process_timer_ops`): on the reactor's own thread, or, while the queue of operations is full, on the thread that starts or drops a timer. The panic ends the reactor's thread, and no timer fires any more.",
                &["hostile_panic"],
            ),
    ]
}

/// `smol::spawn`: an executor that all of the process share, and that is never dropped.
const GLOBAL: Preset = Preset::global(::smol::block_on, |task| ::smol::spawn(task).detach(), 2)
    .joining(|job| Box::pin(::smol::spawn(job)));

const ONE_THREAD: Preset = Preset::local(
    |root| {
        let executor = Rc::new(Executor::new());
        EXECUTOR.set(Some(executor.clone()));
        block_on(executor.run(root));
        drop(EXECUTOR.take());
    },
    |task| here(|executor| executor.spawn(task).detach()),
)
.joining(|job| here(|executor| Box::pin(executor.spawn(job))));

thread_local! {
    static EXECUTOR: RefCell<Option<Rc<Executor<'static>>>> = const { RefCell::new(None) };
}

fn here<T>(spawn: impl FnOnce(&Executor<'static>) -> T) -> T {
    EXECUTOR.with_borrow(|executor| spawn(executor.as_ref().expect("it runs")))
}

struct Timer;

impl Leaf for Timer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(leaf(async_io::Timer::after(after)))
    }
}
