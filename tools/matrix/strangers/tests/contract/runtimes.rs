//! The runtimes: most are made of functions.

use std::{cell::RefCell, rc::Rc, sync::LazyLock};

use contract::{BoxFuture, Preset, Subject};
use critical_section as _;
use edge_executor::{LocalExecutor, UnboundQueue};
use futures::executor::block_on;

/// `LocalSet` on tokio's current-thread runtime.
pub const LOCAL_SET: Subject = Subject::runtime(
    "tokio-local-set",
    &Preset::local(
        |root| {
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            let runtime = runtime.expect("a runtime without drivers");
            tokio::task::LocalSet::new().block_on(&runtime, root);
        },
        |task| drop(tokio::task::spawn_local(task)),
    ),
);

pub const ASYNC_STD: Subject = Subject::runtime(
    "async-std",
    &Preset::global(
        async_std::task::block_on,
        |task| drop(async_std::task::spawn(task)),
        2,
    ),
);

/// Its compute pool.
pub const BEVY_TASKS: Subject = Subject::runtime(
    "bevy-tasks",
    &Preset::global(
        bevy_tasks::block_on,
        |task| {
            let two = || bevy_tasks::TaskPoolBuilder::new().num_threads(2).build();
            bevy_tasks::ComputeTaskPool::get_or_init(two)
                .spawn(task)
                .detach();
        },
        2,
    ),
);

/// A job queue for two threads. A task that waits is polled by no thread in particular.
pub const SWITCHYARD: Subject = Subject::runtime(
    "switchyard",
    &Preset::global(
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
    ),
);

/// Two workers, of which each has its own event loop.
pub const NIO: Subject = Subject::runtime(
    "nio",
    &Preset::global(
        block_on,
        |task| {
            static NIO: LazyLock<nio::Runtime> = LazyLock::new(|| {
                let two = nio::RuntimeBuilder::new().worker_threads(2).rt();
                two.expect("two threads")
            });
            drop(NIO.context().spawn(task));
        },
        2,
    ),
);

/// For microcontrollers. It runs on a thread of its own, has room for 256 tasks, and never ends.
pub const EMBASSY: Subject = Subject::runtime(
    "embassy",
    &Preset::global(
        block_on,
        |task| {
            // A token says that all places are taken. The task is dropped with it.
            let _ = SPAWNER.spawn(hosts(task));
        },
        1,
    ),
);

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
pub const EDGE_EXECUTOR: Subject = Subject::runtime(
    "edge-executor",
    &Preset::local(
        |root| {
            let executor = Rc::new(LocalExecutor::new());
            EDGE.set(Some(executor.clone()));
            edge_executor::block_on(executor.run(root));
            drop(EDGE.take());
        },
        |task| {
            EDGE.with_borrow(|executor| executor.as_ref().expect("it runs").spawn(task).detach());
        },
    ),
);

thread_local! {
    static EDGE: RefCell<Option<Rc<LocalExecutor<'static, UnboundQueue>>>> = const { RefCell::new(None) };
}

/// A thread per core, on io_uring.
pub const GLOMMIO: Subject = Subject::runtime(
    "glommio",
    &Preset::local(
        |root| glommio::LocalExecutor::default().run(root),
        |task| drop(glommio::spawn_local(task).detach()),
    )
    .joining(|job| Box::pin(glommio::spawn_local(job))),
);

/// A thread per core, on io_uring.
pub const MONOIO: Subject = Subject::runtime(
    "monoio",
    &Preset::local(
        |root| {
            let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().build();
            runtime.expect("a driver").block_on(root);
        },
        |task| drop(monoio::spawn(task)),
    ),
);

/// A thread per core, on io_uring or epoll.
pub const COMPIO: Subject = Subject::runtime(
    "compio",
    &Preset::local(
        |root| {
            let runtime = compio::runtime::Runtime::new().expect("a driver");
            runtime.block_on(root);
        },
        |task| compio::runtime::spawn(task).detach(),
    ),
);
