//! Adapters for runtimes that are made of functions: most need no adapter of their own.
//!
//! `runs` makes the executor, `here` finds it where its functions are called, `calls` tells a panic of these functions from one of the
//! executor, and `runtime` does with all this what the clauses ask.

mod calls;
mod here;
mod runs;
mod runtime;
mod until_gone;

use std::fmt;

use crate::{Abort, BoxFuture, Job, LocalJob, Subject};
use runs::{BlockOn, Owned, Pool, Runs};

/// A runtime that consists of functions or of closures. What they cannot do is not its job, so the clauses about that are left out.
///
/// The executor of this example is an object, and a closure spawns on it:
///
/// ```
/// use futures::{executor::{LocalPool, LocalSpawner}, task::LocalSpawnExt};
/// use runtime_contract::{Preset, Side, Subject, clauses};
/// use std::cell::RefCell;
///
/// struct Pool(RefCell<LocalPool>, LocalSpawner);
///
/// let pool = Preset::object(
///     || {
///         let pool = LocalPool::new();
///         let spawner = pool.spawner();
///         Pool(RefCell::new(pool), spawner)
///     },
///     |pool, root| pool.0.borrow_mut().run_until(root),
///     |pool, task| pool.1.spawn_local(task).expect("the pool is there"),
/// );
/// let subject = Subject::executor("local-pool", pool);
/// let Side::Runtime(pool) = subject.side else { unreachable!() };
/// assert_eq!(clauses::spawn::spawned_inside(pool), Ok(()));
/// ```
#[derive(Clone, Copy)]
pub struct Preset {
    runs: Runs,
    can_spawn: bool,
    join: Option<fn(Job) -> LocalJob>,
    abort: Option<fn(BoxFuture) -> Abort>,
    is_local: bool,
    lets_panics_through: bool,
    ends_with_root: bool,
    workers: usize,
}

impl Preset {
    /// A function that runs one future to its end on the thread that calls.
    pub const fn block_on(block_on: fn(BoxFuture)) -> Preset {
        let spawn = drop::<BoxFuture>; // nobody calls it
        Preset::new(Runs::Functions { block_on, spawn }, false)
    }

    const fn new(runs: Runs, can_spawn: bool) -> Preset {
        Preset {
            runs,
            can_spawn,
            join: None,
            abort: None,
            is_local: true,
            lets_panics_through: false,
            ends_with_root: true,
            workers: 1,
        }
    }

    /// A runtime that `block_on` makes, runs a future on, and drops with all tasks that are left. Inside, `spawn` gives it
    /// another task. Its tasks and what spawns them may be bound to their thread.
    pub const fn local(block_on: fn(BoxFuture), spawn: fn(BoxFuture)) -> Preset {
        Preset::new(Runs::Functions { block_on, spawn }, true)
    }

    /// A runtime with so many threads that all of the process share and that never ends. `spawn` may be called anywhere.
    pub const fn global(block_on: fn(BoxFuture), spawn: fn(BoxFuture), workers: usize) -> Preset {
        Preset {
            is_local: false,
            ends_with_root: false,
            workers,
            ..Preset::local(block_on, spawn)
        }
    }

    /// The same as [`local`](Preset::local) for an executor that is an object: what makes it, what runs a future on it, and what spawns
    /// on it while that runs. It is dropped when the future is done.
    pub fn object<H: 'static>(
        make: impl Fn() -> H + Send + Sync + 'static,
        block_on: impl Fn(&H, BoxFuture) + Send + Sync + 'static,
        spawn: impl Fn(&H, BoxFuture) + Send + Sync + 'static,
    ) -> Preset {
        let object = Owned {
            make,
            block_on,
            spawn,
        };
        Preset::new(Runs::closures(object), true)
    }

    /// The same for an executor with so many threads. Any thread may spawn on it, at any time: what comes after the end is dropped.
    pub fn pool<H: Send + Sync + 'static>(
        make: impl Fn() -> H + Send + Sync + 'static,
        block_on: impl Fn(&H, BoxFuture) + Send + Sync + 'static,
        spawn: impl Fn(&H, BoxFuture) + Send + Sync + 'static,
        workers: usize,
    ) -> Preset {
        let pool = Pool(Owned {
            make,
            block_on,
            spawn,
        });
        Preset::new(Runs::closures(pool), true).on_workers(workers)
    }

    /// For the functions of [`joining`](Preset::joining) and [`aborting`](Preset::aborting): the [`object`](Preset::object) or the
    /// [`pool`](Preset::pool) that they are to spawn on. While such a function is called, it is found on the threads of the pool, too.
    ///
    /// # Panics
    ///
    /// If there is no such object, or if it is of another type.
    pub fn here<H: 'static, T>(f: impl FnOnce(&H) -> T) -> T {
        here::with(f)
    }

    /// The same on so many threads, where `spawn` may be called anywhere, also when the runtime has ended.
    pub const fn on_workers(self, workers: usize) -> Preset {
        Preset {
            is_local: false,
            workers,
            ..self
        }
    }

    /// The same with a function that spawns a task with a result, and returns what waits for it. If the task panics, what waits has to
    /// panic too, with the message of the task: `panic_reaches` asks for that. The function is called in the future that `block_on`
    /// runs, and what it returns is polled there. That has to be on the thread that `block_on` was called on, so it need not be `Send`.
    ///
    /// ```
    /// use futures::{executor::{ThreadPool, block_on}, task::SpawnExt};
    /// use runtime_contract::{Job, LocalJob, Preset};
    ///
    /// fn join(job: Job) -> LocalJob {
    ///     let handle = Preset::here(|pool: &ThreadPool| pool.spawn_with_handle(job));
    ///     Box::pin(handle.expect("the pool is there"))
    /// }
    ///
    /// let pool = Preset::pool(
    ///     || ThreadPool::builder().pool_size(2).create().expect("its threads can be started"),
    ///     |_, root| block_on(root),
    ///     ThreadPool::spawn_ok,
    ///     2,
    /// )
    /// .joining(join);
    /// # runtime_contract::clauses::join::output_reaches(Box::leak(Box::new(pool))).unwrap();
    /// ```
    ///
    /// A handle that gives a `Result` with what the panic carries is unwrapped by
    /// `handle.await.unwrap_or_else(|payload| std::panic::resume_unwind(payload))`.
    pub const fn joining(self, join: fn(Job) -> LocalJob) -> Preset {
        let join = Some(join);
        Preset { join, ..self }
    }

    /// The same with a function that spawns a task, and returns what aborts it. The function is called in a task, so on a pool it is
    /// called on one of its threads. [`here`](Preset::here) finds the pool there as well.
    ///
    /// ```
    /// use futures::{executor::{ThreadPool, block_on}, future::abortable};
    /// use runtime_contract::{Abort, BoxFuture, Preset};
    ///
    /// fn abort(task: BoxFuture) -> Abort {
    ///     let (task, handle) = abortable(task);
    ///     Preset::here(|pool: &ThreadPool| pool.spawn_ok(async move { _ = task.await }));
    ///     Box::new(move || handle.abort())
    /// }
    ///
    /// let pool = Preset::pool(
    ///     || ThreadPool::builder().pool_size(2).create().expect("its threads can be started"),
    ///     |_, root| block_on(root),
    ///     ThreadPool::spawn_ok,
    ///     2,
    /// )
    /// .aborting(abort);
    /// # runtime_contract::clauses::abort::aborted_at_any_moment(Box::leak(Box::new(pool))).unwrap();
    /// ```
    pub const fn aborting(self, abort: fn(BoxFuture) -> Abort) -> Preset {
        let abort = Some(abort);
        Preset { abort, ..self }
    }

    /// The same where `block_on` returns only when all tasks are done, so that the runtime cannot be dropped before.
    pub const fn waiting_for_all(self) -> Preset {
        Preset {
            ends_with_root: false,
            ..self
        }
    }

    /// The same where the panic of a task comes out of `block_on`.
    pub const fn letting_panics_through(self) -> Preset {
        Preset {
            lets_panics_through: true,
            ..self
        }
    }
}

impl fmt::Debug for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Preset");
        shown
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

impl Subject {
    /// An executor under a name, made of functions or closures.
    ///
    /// ```no_run
    /// # use futures::executor::block_on;
    /// # use runtime_contract::{Preset, Subject, suite::{self, Promise}};
    /// let mine = Subject::executor("mine", Preset::block_on(block_on));
    /// suite::main(&[Promise::all(mine)]);
    /// ```
    pub fn executor(name: &'static str, preset: Preset) -> Subject {
        Subject::runtime(name, Box::leak(Box::new(preset)))
    }

    /// A closure that runs one future to its end on the thread that calls, under a name.
    pub fn block_on(
        name: &'static str,
        block_on: impl Fn(BoxFuture) + Send + Sync + 'static,
    ) -> Subject {
        let runs = Runs::closures(BlockOn(block_on));
        Subject::executor(name, Preset::new(runs, false))
    }
}
