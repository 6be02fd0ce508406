//! Which clauses of the contract these runtimes and leaf futures keep, which they do not keep, and why.

mod channels;
mod combinators;
mod gates;
mod leaves;

use std::{cell::RefCell, process::ExitCode, rc::Rc, sync::LazyLock};

use contract::{
    BoxFuture, Leaf, Preset, Subject,
    suite::{self, Promise},
};
use critical_section as _;
use edge_executor::{LocalExecutor, UnboundQueue};
use futures::executor::block_on;

contract::count_allocations!();

const ABORTS: &str = "A panic in the destructor of a future ends the process on purpose: in async-task 4.7 by `abort_on_panic`, in glommio, which has a copy of it, likewise, and in compio-executor 0.1.4 by a guard of the same kind (util.rs).";
const THROUGH: &str = "The panic of a task comes out of the function that runs the executor.";
const WAKERS_OWN: &str = "Its wakers own the tasks, so the thread that drops the last one drops the future there and then. In switchyard 0.3.1 that happens under the lock that the drop of a waker takes.";
const NEVER_DROPPED: &str = "Dropping the executor drops no task that still has a waker somewhere, and in glommio 0.9 none whose last waker another thread has dropped. In edge-executor 0.5 a task that is queued is a cycle of itself: the queue holds it, and it holds the queue.";
const WAKES_LOCKED: &str = "A send, an unlock or an event wakes under the lock of its channel, mutex or list, or, in async-channel, async-lock, async-broadcast and async-priority-channel, of the list of event-listener 5.4.2 (`task.wake()` in intrusive.rs). A wake that uses or drops the waiting future waits for itself, and a waker that panics there poisons the lock.";
const SPINS: &str = "A waker that panics leaves the spin lock of the channel locked in kanal 0.1.1. And a poll waits in a loop for a thread that is just waking it, also if that is further up on the same stack.";
const QUEUED: &str = "The messages stay in the channel until its last sender is gone too. In async-channel that is issue 23, which is open.";
const BORROWED: &str = "The timers of the thread, or the waiters of local-sync, are in a `RefCell`, which stays borrowed while wakers are called, and in some also while they are cloned or dropped. A waker that comes back to them panics there.";
const WAKER_THROUGH: &str =
    "The panic of a waker comes out of the function that runs the executor.";
const NO_LONGEST: &str = "The deadline is now plus the duration, and that overflows.";

const PANICS: &[&str] = &[
    "a_panic_is_contained",
    "dropped_when_panicked",
    "woken_and_then_panics",
    "acts_after_a_panic",
    "a_panicking_payload",
];
const DESTRUCTOR: &[&str] = &["a_panicking_destructor", "panics_at_any_moment"];
const KEEPS: &[&str] = &["dropped_with_its_receiver"];
const WAKES: &[&str] = &[
    "dropped_in_its_wake",
    "hostile_wake",
    "hostile_panic",
    "used_by_a_waker",
];
const SENDER_WAKES: &[&str] = &["dropped_in_its_wake", "hostile_wake", "hostile_panic"];
const DROPS_LOCKED: &str = "A waker that a later poll replaces is dropped under the lock. If that drop uses the same lock or channel, as the destructor of a task may, it waits for itself.";
const ONE_IS_KEPT: &str =
    "A receiver that is dropped leaves its waker in the channel until the last sender is gone.";
const WAITING_RECEIVER: &str = "A receiver that is dropped leaves its waker in the channel until the last sender is gone (`recv_task` in futures-channel 0.3.34). tokio's channel did the same until #8095.";
const STOPS_AT_A_PANIC: &str = "The panic of a waker comes out of the call that wakes, and the wakers behind it are not called.";

fn main() -> ExitCode {
    let runtime = |name, preset| Promise::all(Subject::runtime(name, preset));
    let leaf = |name, leaf: &'static dyn Leaf| Promise::all(Subject::leaf(name, leaf));
    let borrowed =
        |timer| Promise::all(timer).not_yet(BORROWED, &["dropped_in_its_wake", "hostile_wake"]);
    let [tokio_oneshot, futures_oneshot] = leaves::oneshots();
    let [async_lock_semaphore, tokio_semaphore] = leaves::semaphores();
    let [
        async_lock_mutex,
        futures_mutex,
        tokio_mutex,
        async_lock_rwlock,
        tokio_rwlock,
    ] = leaves::locks();
    let [async_channel_sender, flume_sender, tokio_mpsc_sender] = leaves::senders();
    let [tokio_notify_all, event_listener, tokio_watch_all] = leaves::events();
    let mut promises = vec![
        runtime("tokio-local-set", &TOKIO_LOCAL_SET).not_yet(
            "In tokio 1.54 the schedule of a `LocalSet` needs a thread-local (`CURRENT.with`, local.rs:1090). In the destructor of another thread-local it is gone, and the panic there ends the process.",
            &["woken_by_a_dying_thread"],
        ),
        runtime("switchyard", &SWITCHYARD)
            .sometimes(
                "switchyard 0.3.1 keeps its tasks in a heap (`PriorityQueue`), which has no order among tasks of one priority. One that wakes itself may be taken out again before those that wait.",
                &["takes_turns", "spawned_under_load", "woken_under_load"],
            )
            .not_yet(WAKERS_OWN, &["dropped_by_its_executor", "last_waker_under_a_lock"])
            .not_yet(
                "A panic in the destructor of a finished future, or of a payload, ends the worker, and switchyard 0.3.1 starts no other one.",
                &["panics_at_any_moment", "a_panicking_payload"],
            ),
        runtime("embassy", &EMBASSY)
            .not_yet("On a microcontroller a panic ends the program. Here it ends the thread of the executor, and no task is polled any more.", PANICS)
            .not_yet("As for every panic: it ends the thread of the executor.", DESTRUCTOR)
            .not_yet(
                "The executor keeps its tasks until they are done, so none of them is dropped because it has lost its last waker.",
                &["dropped_by_its_executor"],
            )
            .not_yet(
                "A task has its place in a static pool, which the next task gets, and its wakers name that place.",
                &["old_wakers"],
            )
            .not_yet("There is room for as many tasks as a `pool_size` says, here for 256. Another spawn is an error.", &["ten_thousand"]),
        runtime("edge-executor", &EDGE_EXECUTOR)
            .not_yet(THROUGH, PANICS)
            .not_yet(THROUGH, &["panics_at_any_moment"])
            .not_yet(ABORTS, &["a_panicking_destructor"])
            .not_yet(
                "edge-executor 0.5 polls the future that it was given when no task is queued any more, and not before (`run_forever.or(fut)`, lib.rs:247). A task that yields forever keeps `run` from returning.",
                &["stops_beside_one_that_yields"],
            )
            .not_yet(
                NEVER_DROPPED,
                &["dropped_unrun", "dropped_at_shutdown", "acts_at_shutdown", "woken_while_it_is_dropped"],
            )
            .sometimes(NEVER_DROPPED, &["dropped_by_its_executor"]),
        runtime("glommio", &GLOMMIO)
            .not_yet(THROUGH, PANICS)
            .not_yet(THROUGH, &["panics_at_any_moment"])
            .not_yet(ABORTS, &["a_panicking_destructor"])
            .not_yet(
                NEVER_DROPPED,
                &["dropped_at_shutdown", "dropped_by_its_executor", "acts_at_shutdown", "woken_while_it_is_dropped"],
            )
            .not_yet(
                "glommio 0.9 leaves two allocations of each executor, and another one of each run in which a thread wakes a task.",
                &["leaves_nothing_itself", "wakers_balance", "acts_in_a_poll", "acts_when_dropped"],
            ),
        runtime("monoio", &MONOIO)
            .not_yet(THROUGH, PANICS)
            .not_yet(THROUGH, DESTRUCTOR)
            .not_yet(WAKERS_OWN, &["dropped_by_its_executor", "last_waker_under_a_lock", "dropped_at_home"])
            .not_yet(NEVER_DROPPED, &["dropped_at_shutdown", "acts_at_shutdown", "woken_while_it_is_dropped"])
            .not_yet("monoio 0.2.4 leaves two allocations of each executor.", &["leaves_nothing_itself"])
            .not_yet("In monoio 0.2.4 a task that wakes itself goes to the front of the queue (scheduler.rs, `push_front`), and is polled again before all others.", &["takes_turns", "stops_beside_one_that_yields", "woken_under_load"])
            .not_yet("monoio 0.2.4 sends the wake of another thread through a thread-local. Where that is gone, the wake is dropped without a word (task/harness.rs, `let _ = DEFAULT_CTX.try_with`).", &["woken_by_a_dying_thread"]),
        runtime("compio", &COMPIO)
            .not_yet(ABORTS, DESTRUCTOR)
            .not_yet(ABORTS, &["a_panicking_payload"]),
        runtime("async-std", &ASYNC_STD)
            .env("ASYNC_STD_THREAD_COUNT", "2")
            .not_yet(ABORTS, DESTRUCTOR)
            .not_yet(ABORTS, &["a_panicking_payload"])
            .not_yet(
                "async-std's executor is a `static` that is never dropped, and keeps a waker of each task, so none of its tasks loses its last waker.",
                &["dropped_by_its_executor"],
            ),
        runtime("async-executor-local", &ASYNC_EXECUTOR_LOCAL)
            .not_yet(ABORTS, DESTRUCTOR)
            .not_yet(ABORTS, &["a_panicking_payload"])
            .not_in_the_matrix(),
        runtime("futures-lite-block-on", &const { Preset::block_on(futures_lite::future::block_on) })
            .not_in_the_matrix(),
        Promise::all(leaves::async_channel()).not_yet(WAKES_LOCKED, WAKES).not_yet(QUEUED, KEEPS),
        Promise::all(leaves::flume()).not_yet(WAKES_LOCKED, WAKES).not_yet(QUEUED, KEEPS),
        Promise::all(leaves::kanal_receive())
            .not_yet(QUEUED, KEEPS)
            .not_yet(
                "A send hands the message to the future that waits. If that is dropped before it is polled again, the message is dropped with it, as the documentation of `recv` says.",
                &["passed_on", "kept_for_the_next", "gifts_in_any_order", "dropped_on_threads"],
            )
            .not_yet(SPINS, &["hostile_clone", "hostile_panic"]),
        Promise::all(leaves::kanal_send())
            .not_yet(
                "In kanal 0.1.1 the line that would store a later waker is commented out (future.rs:200), so a send wakes the first task that has polled it.",
                &["the_latest_waker", "one_waker_is_kept"],
            )
            .not_yet(SPINS, &["hostile_clone", "hostile_panic"]),
        Promise::all(leaves::futures_mpsc()).not_yet(WAITING_RECEIVER, &["dropped_early"]),
        Promise::all(leaves::async_channel_bounded())
            .not_yet(WAKES_LOCKED, WAKES)
            .not_yet(QUEUED, KEEPS)
            .not_in_the_matrix(),
        Promise::all(leaves::flume_bounded())
            .not_yet(WAKES_LOCKED, WAKES)
            .not_yet(QUEUED, KEEPS)
            .not_in_the_matrix(),
        Promise::all(leaves::futures_mpsc_bounded())
            .not_yet(WAITING_RECEIVER, &["dropped_early"])
            .not_in_the_matrix(),
        Promise::all(tokio_oneshot),
        Promise::all(futures_oneshot),
        Promise::all(futures_mutex).not_yet(WAKES_LOCKED, WAKES),
        Promise::all(async_lock_mutex)
            .not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake", "used_by_a_waker"]),
        Promise::all(async_lock_rwlock).not_yet(WAKES_LOCKED, WAKES).not_in_the_matrix(),
        Promise::all(async_lock_semaphore)
            .not_yet(
                WAKES_LOCKED,
                &["dropped_in_its_wake", "hostile_wake", "used_by_a_waker"],
            )
            .not_yet(
                "`acquire` tries again when it is polled after it was ready, and keeps its listener until it is dropped (semaphore.rs in async-lock 3.5). An `.await` drops it at once.",
                &["polled_after_ready", "ready_is_no_waiter"],
            ),
        Promise::all(async_channel_sender)
            .not_yet(WAKES_LOCKED, SENDER_WAKES)
            .not_in_the_matrix(),
        Promise::all(flume_sender).not_yet(WAKES_LOCKED, SENDER_WAKES).not_in_the_matrix(),
        Promise::all(tokio_mpsc_sender).not_in_the_matrix(),
        Promise::all(leaves::tokio_notify()),
        Promise::all(tokio_semaphore),
        Promise::all(tokio_mutex),
        Promise::all(tokio_rwlock).not_in_the_matrix(),
        Promise::all(leaves::tokio_mpsc()),
        Promise::all(leaves::tokio_mpsc_bounded()).not_in_the_matrix(),
        Promise::all(leaves::tokio_watch()),
        Promise::all(tokio_notify_all).not_yet(STOPS_AT_A_PANIC, &["all_but_one_panic"]),
        Promise::all(event_listener)
            .not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake"])
            .not_yet(STOPS_AT_A_PANIC, &["all_but_one_panic"]),
        Promise::all(tokio_watch_all)
            .sometimes(STOPS_AT_A_PANIC, &["all_but_one_panic"])
            .not_in_the_matrix(),
        leaf("embassy-timer", &leaves::EmbassyTimer)
            .not_yet(
                "embassy-time 0.5 keeps the waker of each poll in a queue until its time has come, also if the timer is dropped.",
                &["one_waker_is_kept", "dropped_early"],
            )
            .not_yet(
                "embassy-time 0.5 clones, wakes and drops wakers under the lock of its queue. On a microcontroller they only set a flag.",
                &["hostile_clone", "hostile_wake", "hostile_drop", "hostile_panic"],
            ),
        borrowed(leaves::glommio_timer())
            .not_yet(NO_LONGEST, &["huge"])
            .not_yet(BORROWED, &["hostile_drop"]),
        borrowed(leaves::monoio_sleep())
            .not_yet(
                "monoio 0.2.4 stores a waker only where there is none (time/driver/entry.rs:135), so a sleep wakes the first task that has polled it.",
                &["the_latest_waker", "one_waker_is_kept", "forty_lengths"],
            )
            .not_yet(BORROWED, &["hostile_drop"])
            .not_yet(WAKER_THROUGH, &["hostile_panic"]),
        borrowed(leaves::compio_sleep())
            .not_yet(NO_LONGEST, &["huge"])
            .not_yet(BORROWED, &["hostile_clone", "hostile_drop"])
            .not_yet(WAKER_THROUGH, &["hostile_panic"]),
    ];
    promises.extend(combinators::promises());
    promises.extend(channels::promises());
    promises.extend(gates::promises());
    suite::main(&promises)
}

/// `LocalSet` on tokio's current-thread runtime.
const TOKIO_LOCAL_SET: Preset = Preset::local(
    |root| {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        tokio::task::LocalSet::new().block_on(&runtime.expect("no drivers"), root);
    },
    |task| drop(tokio::task::spawn_local(task)),
);

/// A job queue for two threads. A task that waits is polled by no thread in particular.
const SWITCHYARD: Preset = Preset::global(
    block_on,
    |task| {
        use switchyard::{Switchyard, threads};
        static YARD: LazyLock<Switchyard<()>> = LazyLock::new(|| {
            let threads = threads::one_to_one(threads::thread_info(), None);
            Switchyard::new(threads.take(2), || ()).expect("two threads")
        });
        drop(YARD.spawn(0, task));
    },
    2,
);

/// For microcontrollers. It runs on a thread of its own, has room for 256 tasks, and never ends. Where all places are taken, the
/// task is dropped.
const EMBASSY: Preset = Preset::global(block_on, |task| _ = SPAWNER.spawn(hosts(task)), 1);

static SPAWNER: LazyLock<embassy_executor::SendSpawner> = LazyLock::new(|| {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let executor = Box::leak(Box::new(embassy_executor::Executor::new()));
        executor.run(|spawner| tell.send(spawner.make_send()).expect("it is waited for"));
    });
    told.recv().expect("the executor has started")
});

#[embassy_executor::task(pool_size = 256)]
async fn hosts(task: BoxFuture) {
    task.await;
}

/// For microcontrollers too, with async-task's tasks and an unbounded queue.
const EDGE_EXECUTOR: Preset = Preset::local(
    |root| {
        let executor = Rc::new(LocalExecutor::new());
        EDGE.set(Some(executor.clone()));
        edge_executor::block_on(executor.run(root));
        drop(EDGE.take());
    },
    |task| EDGE.with_borrow(|executor| executor.as_ref().expect("it runs").spawn(task).detach()),
);

thread_local! {
    static EDGE: RefCell<Option<Rc<LocalExecutor<'static, UnboundQueue>>>> = const { RefCell::new(None) };
}

// These three have a thread per core. The first two are on io_uring, and the third is on that or on epoll.
// At a load of 50 on two cores, glommio's `run` slept for good in io_uring_enter, before its first poll, in 7 of 16,000 processes.
const GLOMMIO: Preset = Preset::local(
    |root| glommio::LocalExecutor::default().run(root),
    |task| drop(glommio::spawn_local(task).detach()),
)
.joining(|job| Box::pin(glommio::spawn_local(job)));

const MONOIO: Preset = Preset::local(
    |root| {
        let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().build();
        runtime.expect("a driver").block_on(root);
    },
    |task| drop(monoio::spawn(task)),
);

const COMPIO: Preset = Preset::local(
    |root| {
        compio::runtime::Runtime::new()
            .expect("a driver")
            .block_on(root)
    },
    |task| compio::runtime::spawn(task).detach(),
);

/// `async_std::task::spawn`: two threads that all of the process share.
const ASYNC_STD: Preset = Preset::global(
    async_std::task::block_on,
    |task| drop(async_std::task::spawn(task)),
    2,
)
.joining(|job| Box::pin(async_std::task::spawn(job)));

/// For one thread, with async-task's tasks.
const ASYNC_EXECUTOR_LOCAL: Preset = Preset::local(
    |root| {
        let executor = Rc::new(async_executor::LocalExecutor::new());
        LOCAL.set(Some(executor.clone()));
        futures_lite::future::block_on(executor.run(root));
        drop(LOCAL.take());
    },
    |task| local().spawn(task).detach(),
)
.joining(|job| Box::pin(local().spawn(job)));

thread_local! {
    static LOCAL: RefCell<Option<Rc<async_executor::LocalExecutor<'static>>>> = const { RefCell::new(None) };
}

fn local() -> Rc<async_executor::LocalExecutor<'static>> {
    LOCAL.with_borrow(Option::clone).expect("it runs")
}
