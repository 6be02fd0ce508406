//! What a runtime must be able to do to be put under the contract.

use std::{future::Future, pin::Pin};

/// What a runtime is given to run, and what a leaf future is tested as.
pub type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A task with a result.
pub type Job = Pin<Box<dyn Future<Output = u32> + Send>>;

/// What waits for the result of a task, bound to its thread.
pub type LocalJob = Pin<Box<dyn Future<Output = u32>>>;

/// Gives a task to a runtime that runs. It may be called inside a task, and on any thread.
pub type Spawn = Box<dyn Fn(BoxFuture) -> Answer + Send + Sync>;

/// Aborts a task. It may be called often, on any thread, and in a poll of that task.
pub type Abort = Box<dyn Fn() + Send + Sync>;

/// Gives a task to a runtime that runs, as [`Spawn`] does, and returns what aborts it.
pub type SpawnAbortable = Box<dyn Fn(BoxFuture) -> Abort + Send + Sync>;

/// Makes the tasks that a runtime is to be dropped with. They may keep what spawns others.
pub type Make = Box<dyn FnOnce(Spawn) -> Vec<BoxFuture> + Send>;

/// What a clause returns when nothing was found wrong. What is wrong, it says by a panic.
pub type Answer<T = ()> = Result<T, Unsupported>;

/// The runtime does not offer what the clause is about, and so can neither keep nor break it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsupported;

/// A runtime under test. Only [`run`](Runtime::run) is needed; what else it can do, it says by the other methods. For one
/// that is made of functions, a [`Preset`](crate::Preset) will do.
///
/// Each call makes a runtime of its own and drops it at the end, unless all of the process share one.
///
/// ```
/// use runtime_contract::{Answer, BoxFuture, Runtime, clauses};
/// use futures::{executor::LocalPool, task::LocalSpawnExt};
///
/// struct Pool;
///
/// impl Runtime for Pool {
///     fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
///         let mut pool = LocalPool::new();
///         for task in tasks {
///             pool.spawner().spawn_local(task).expect("the pool is there");
///         }
///         pool.run();
///         Ok(())
///     }
/// }
///
/// // A function for each clause: it returns if the clause is kept, and panics or hangs if it is not.
/// assert_eq!(clauses::wake::woken_in_poll(&Pool), Ok(()));
/// ```
pub trait Runtime: Sync {
    /// Runs these tasks side by side, and returns when all are done.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it cannot run so many at a time.
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer;

    /// Runs one future to its end on the thread that calls.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if there is no such thing.
    fn block_on(&self, task: BoxFuture) -> Answer {
        self.run(vec![task])
    }

    /// Makes the first task, which may spawn others, and returns when that one is done, or later.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if tasks cannot be spawned once it runs.
    fn run_spawning(&self, _first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        Err(Unsupported)
    }

    /// Runs what `first` makes, which may spawn other tasks, until it is done; calls `between`; and runs `second` until that is done, on
    /// the same runtime with the tasks that are left.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it does not stop before all tasks are done, or runs once only.
    fn run_twice(
        &self,
        _first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>,
        _between: Box<dyn FnOnce()>,
        _second: BoxFuture,
    ) -> Answer {
        Err(Unsupported)
    }

    /// As [`run_spawning`](Runtime::run_spawning), with tasks that can be aborted.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if no task can be aborted.
    fn run_aborting(&self, _first: Box<dyn FnOnce(SpawnAbortable) -> BoxFuture + Send>) -> Answer {
        Err(Unsupported)
    }

    /// Spawns `job`; runs `before`, if there is any, to its end; and only then waits for the result of the job, or for
    /// the message of its panic.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if a result cannot be waited for, or not so late.
    fn join(&self, _job: Job, _before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        Err(Unsupported)
    }

    /// Spawns `job`, polls what waits for its result once with [`Waker::noop`](std::task::Waker::noop), and then waits for the result.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if a result cannot be waited for.
    fn join_moved(&self, _job: Job) -> Answer<u32> {
        Err(Unsupported)
    }

    /// Spawns `job`, waits for its result, and then calls `after` at once, in what has waited.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if a result cannot be waited for.
    fn join_and_then(&self, _job: Job, _after: Box<dyn FnOnce() + Send>) -> Answer {
        Err(Unsupported)
    }

    /// Spawns what `make` makes and drops the runtime without having run it. Where nothing outlives the runtime that
    /// could spawn, `make` gets [`cannot_spawn`].
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it cannot be dropped.
    fn drop_unrun(&self, _make: Make) -> Answer {
        Err(Unsupported)
    }

    /// Spawns what `make` makes, runs it until `until` is done, and drops the runtime with all that is not.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it does not stop before all tasks are done.
    fn stop(&self, _make: Make, _until: BoxFuture) -> Answer {
        Err(Unsupported)
    }

    /// Whether the panic of a task comes out of the function that runs it. That no other task is harmed is not its job then. Other
    /// clauses catch the panic, and ask that nothing is left of the task and that the next run is as any other.
    fn lets_panics_through(&self) -> bool {
        false
    }

    /// Whether its tasks may be bound to the thread that runs it, so that they have to be dropped there, too.
    fn stays_at_home(&self) -> bool {
        false
    }

    /// How many tasks it polls at the same time.
    fn workers(&self) -> usize {
        1
    }
}

/// What [`Runtime::drop_unrun`] and [`Runtime::stop`] give to `make` where nothing outlives the runtime that could spawn.
pub fn cannot_spawn() -> Spawn {
    Box::new(|_| Err(Unsupported))
}
