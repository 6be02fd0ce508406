//! Adapters for runtimes that are made of functions: most need no adapter of their own.

use std::{
    any::Any,
    cell::RefCell,
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
    rc::Rc,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
    thread,
};

use futures_channel::oneshot;
use futures_util::future::join_all;

use crate::{
    Abort, Answer, BoxFuture, Job, LocalJob, Make, Runtime, Spawn, SpawnAbortable, Subject,
    Unsupported, cannot_spawn, caught,
    fixtures::{A_MOMENT, comes_true, compute},
    local::Kept,
    lock::lock,
    message,
};

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
        Preset::new(Runs::Closures(Box::leak(Box::new(object))), true)
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
        Preset::new(Runs::Closures(Box::leak(Box::new(pool))), true).on_workers(workers)
    }

    /// For the functions of [`joining`](Preset::joining) and [`aborting`](Preset::aborting): the [`object`](Preset::object) or the
    /// [`pool`](Preset::pool) that they are to spawn on. While such a function is called, it is found on the threads of the pool, too.
    ///
    /// # Panics
    ///
    /// If there is no such object, or if it is of another type.
    pub fn here<H: 'static, T>(f: impl FnOnce(&H) -> T) -> T {
        let here = HERE.with_borrow(|here| here.last().cloned());
        let here = here.expect("the executor runs on this thread");
        let object = match &here {
            Object::Bound(object) => object.downcast_ref(),
            Object::Shared(pool) => pool.downcast_ref(),
        };
        f(object.expect("it is what was made for the preset"))
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

    /// Runs `root` with what spawns beside it.
    fn run_root<Root: Future<Output = ()> + Send + 'static>(
        &self,
        root: impl FnOnce(SpawnBeside, Spawn) -> Root + Send + 'static,
    ) -> Answer {
        if !self.can_spawn {
            return Err(Unsupported);
        }
        let (is_local, over) = (self.is_local, Arc::new(AtomicBool::new(false)));
        self.runs.once(move |spawn| {
            Box::pin(async move {
                let (home, ends) = (thread::current().id(), Over(over.clone()));
                let spawns = spawn.clone();
                let spawner: Spawn = Box::new(move |task| {
                    if is_local && (thread::current().id() != home || over.load(SeqCst)) {
                        return Err(Unsupported);
                    }
                    spawns(task);
                    Ok(())
                });
                root(spawn, spawner).await;
                drop(ends);
            })
        });
        Ok(())
    }

    /// Runs a future that calls the function of [`joining`](Preset::joining).
    fn run_joining<Root: Future<Output = ()> + Send + 'static>(
        &self,
        root: impl FnOnce(Calls) -> Root,
    ) -> Result<(), String> {
        let calls = Calls::of("joining");
        let run = || self.runs.once(|_| Box::pin(root(calls.on_this())));
        calls.run(|| caught(AssertUnwindSafe(run)))
    }

    /// Runs a future that spawns nothing by the preset's own function.
    fn run_alone(&self, root: impl Future<Output = ()> + Send + 'static) {
        self.runs.once(|_| Box::pin(root));
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

/// Spawns on the runtime that runs.
type SpawnBeside = Arc<dyn Fn(BoxFuture) + Send + Sync>;

/// What a preset is made of.
#[derive(Clone, Copy)]
enum Runs {
    Functions {
        block_on: fn(BoxFuture),
        spawn: fn(BoxFuture),
    },
    Closures(&'static dyn Run),
}

impl Runs {
    /// Runs what `root` makes of that which spawns.
    fn once(&self, root: impl FnOnce(SpawnBeside) -> BoxFuture) {
        match *self {
            Runs::Functions { block_on, spawn } => block_on(root(Arc::new(spawn))),
            Runs::Closures(closures) => {
                let mut root = Some(root);
                closures.with(&mut |block_on, spawn| {
                    let root = root.take().expect("it is made once");
                    block_on(root(spawn));
                });
            }
        }
    }
}

/// Runs a future on one executor, as often as it is called.
type BlockOnIt<'a> = &'a dyn Fn(BoxFuture);

trait Run: Sync {
    /// Makes an executor, calls `uses` with what runs a future on it and what spawns on it, and drops the executor.
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside));
}

struct BlockOn<B>(B);

impl<B: Fn(BoxFuture) + Sync> Run for BlockOn<B> {
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside)) {
        uses(&self.0, Arc::new(drop));
    }
}

struct Owned<M, B, S> {
    make: M,
    block_on: B,
    spawn: S,
}

impl<H, M, B, S> Run for Owned<M, B, S>
where
    H: 'static,
    M: Fn() -> H + Sync,
    B: Fn(&H, BoxFuture) + Sync,
    S: Fn(&H, BoxFuture) + Send + Sync,
{
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside)) {
        let object = Rc::new((self.make)());
        let _here = IsHere::enter(Object::Bound(object.clone())); // until before the object is dropped, whose tasks find none then
        let spawn = |task| Preset::here(|object| (self.spawn)(object, task));
        uses(&|root| (self.block_on)(&object, root), Arc::new(spawn));
    }
}

/// An object that has threads of its own.
struct Pool<M, B, S>(Owned<M, B, S>);

impl<H, M, B, S> Run for Pool<M, B, S>
where
    H: Send + Sync + 'static,
    M: Fn() -> H + Sync,
    B: Fn(&H, BoxFuture) + Sync,
    S: Fn(&H, BoxFuture) + Send + Sync,
{
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside)) {
        let Pool(Owned {
            make,
            block_on,
            spawn,
        }) = self;
        let pool = Arc::new(make());
        let weak = Arc::downgrade(&pool);
        let spawns = move |task| {
            if let Some(pool) = weak.upgrade() {
                spawn(&pool, task);
            }
        };
        let here = IsHere::enter(Object::Shared(pool.clone()));
        uses(&|root| block_on(&pool, root), Arc::new(spawns));
        drop(here);
        // One of its threads may be spawning. It must not be the one that drops it.
        let (mut shared, mut own) = (Some(pool), None);
        let is_own = comes_true(|| {
            match shared.take().map(Arc::try_unwrap) {
                Some(Ok(pool)) => own = Some(pool),
                Some(Err(pool)) => shared = Some(pool),
                None => {}
            }
            own.is_some()
        });
        assert!(is_own, "`block_on` has returned, and a `spawn` has not");
    }
}

/// What a preset has made.
#[derive(Clone)]
enum Object {
    /// It may be bound to its thread.
    Bound(Rc<dyn Any>),
    /// It has threads of its own.
    Shared(Arc<dyn Any + Send + Sync>),
}

thread_local! {
    /// The objects that run on this thread, one inside the other.
    static HERE: RefCell<Vec<Object>> = const { RefCell::new(Vec::new()) };
}

/// An object runs on this thread, until this is dropped.
struct IsHere;

impl IsHere {
    fn enter(object: Object) -> IsHere {
        HERE.with_borrow_mut(|here| here.push(object));
        IsHere
    }
}

impl Drop for IsHere {
    fn drop(&mut self) {
        let object = HERE.with_borrow_mut(Vec::pop);
        drop(object); // when the list is free
    }
}

/// Calls a function of the adapter's author in a task, perhaps on a thread of the pool. Its panic is no fault of the executor, which may
/// contain it as that of a task.
#[derive(Clone)]
struct Calls {
    of: &'static str,
    pool: Option<Weak<dyn Any + Send + Sync>>,
    panicked: Arc<Mutex<Option<String>>>,
}

impl Calls {
    fn of(of: &'static str) -> Calls {
        Calls {
            of,
            pool: None,
            panicked: Arc::default(),
        }
    }

    /// The same for the object that runs on this thread.
    fn on_this(&self) -> Calls {
        let here = HERE.with_borrow(|here| here.last().cloned());
        let pool = match here {
            Some(Object::Shared(pool)) => Some(Arc::downgrade(&pool)),
            _ => None, // it runs on this thread alone, or is made of functions
        };
        Calls {
            pool,
            ..self.clone()
        }
    }

    fn call<T>(&self, function: impl FnOnce() -> T) -> T {
        let pool = self.pool.as_ref().and_then(Weak::upgrade);
        let called = catch_unwind(AssertUnwindSafe(|| {
            let _here = pool.map(|pool| IsHere::enter(Object::Shared(pool)));
            function()
        }));
        called.unwrap_or_else(|payload| {
            *lock(&self.panicked) = Some(message(&*payload));
            resume_unwind(payload)
        })
    }

    /// Runs an executor whose tasks call the function, and panics if that has.
    fn run<T>(&self, run: impl FnOnce() -> T) -> T {
        let ran = catch_unwind(AssertUnwindSafe(run));
        let panicked = lock(&self.panicked).take();
        if let Some(message) = panicked {
            panic!("the function of `{}` panicked: {message}", self.of);
        }
        ran.unwrap_or_else(|payload| resume_unwind(payload))
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
        let runs = Runs::Closures(Box::leak(Box::new(BlockOn(block_on))));
        Subject::executor(name, Preset::new(runs, false))
    }
}

/// Set when it is dropped: the runtime ends, and may not be asked for anything.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// A task that can be waited for until it is gone: finished, dropped or after a panic. The executor drops the task itself,
/// and then what shows that it is gone.
struct UntilGone {
    task: BoxFuture,
    _here: Here,
}

struct Here(Option<oneshot::Sender<()>>);

impl Drop for Here {
    fn drop(&mut self) {
        let here = self.0.take();
        if thread::panicking() {
            // An executor may end the process because a destructor has panicked. The test must not be over before that.
            thread::spawn(move || {
                compute(2 * A_MOMENT);
                drop(here);
            });
        }
    }
}

fn until_gone(task: BoxFuture) -> (BoxFuture, oneshot::Receiver<()>) {
    let (here, gone) = oneshot::channel();
    let _here = Here(Some(here));
    (Box::pin(UntilGone { task, _here }), gone)
}

impl Future for UntilGone {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.task.as_mut().poll(cx)
    }
}

impl Runtime for Preset {
    fn run(&self, mut tasks: Vec<BoxFuture>) -> Answer {
        if self.can_spawn {
            return self.run_root(|spawn, _| async move {
                let spawned = tasks.into_iter().map(|task| {
                    let (task, gone) = until_gone(task);
                    spawn(task);
                    gone
                });
                let all: Vec<_> = spawned.collect();
                join_all(all).await;
            });
        }
        match (tasks.pop(), tasks.is_empty()) {
            (Some(task), true) => self.block_on(task),
            _ => Err(Unsupported),
        }
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        self.run_alone(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        self.run_root(|spawn, spawner| async move {
            let (first, gone) = until_gone(first(spawner));
            spawn(first);
            let _ = gone.await;
        })
    }

    fn run_twice(
        &self,
        first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>,
        between: Box<dyn FnOnce()>,
        second: BoxFuture,
    ) -> Answer {
        let Runs::Closures(closures) = self.runs else {
            return Err(Unsupported); // a function may make an executor in each call
        };
        if !self.can_spawn || !self.ends_with_root {
            return Err(Unsupported);
        }
        let mut all = Some((first, between, second));
        closures.with(&mut |block_on, spawn| {
            let (first, between, second) = all.take().expect("it is used once");
            let spawn = move |task| {
                spawn(task);
                Ok(())
            };
            block_on(first(Box::new(spawn)));
            between();
            block_on(second);
        });
        Ok(())
    }

    fn run_aborting(&self, first: Box<dyn FnOnce(SpawnAbortable) -> BoxFuture + Send>) -> Answer {
        let abortable = match (self.can_spawn, self.abort) {
            (true, Some(abortable)) => abortable,
            _ => return Err(Unsupported),
        };
        let calls = Calls::of("aborting");
        calls.run(|| {
            self.runs.once(|spawn| {
                let calls = calls.on_this();
                let spawns = move |task| calls.call(|| abortable(task));
                Box::pin(async move {
                    let (first, gone) = until_gone(first(Box::new(spawns)));
                    spawn(first);
                    let _ = gone.await;
                })
            });
        });
        Ok(())
    }

    /// Where nothing can be spawned, the caller itself waits for the result.
    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let join = match (self.can_spawn, self.join, &before) {
            (false, ..) if before.is_none() => |job: Job| -> LocalJob { job },
            (true, Some(join), _) => join,
            _ => return Err(Unsupported),
        };
        let place = Arc::new(Mutex::new(None));
        let fills = place.clone();
        let ran = self.run_joining(|calls| async move {
            let fill = |waits: LocalJob| async move { *lock(&fills) = Some(waits.await) };
            let waits = Kept::here(Box::pin(fill(calls.call(|| join(job)))));
            if let Some(before) = before {
                before.await;
            }
            waits.await;
        });
        Ok(ran.map(|()| lock(&place).take().expect("it has returned")))
    }

    fn join_moved(&self, job: Job) -> Answer<u32> {
        let join = match (self.can_spawn, self.join) {
            (true, Some(join)) => join,
            _ => return Err(Unsupported),
        };
        let place = Arc::new(Mutex::new(None));
        let fills = place.clone();
        let ran = self.run_joining(|calls| async move {
            let fill = |waits: LocalJob| async move { *lock(&fills) = Some(waits.await) };
            let mut waits = Kept::here(Box::pin(fill(calls.call(|| join(job)))));
            let first = Pin::new(&mut waits).poll(&mut Context::from_waker(Waker::noop()));
            if first.is_pending() {
                waits.await;
            }
        });
        ran.unwrap_or_else(|message| panic!("{message}"));
        let output = lock(&place).take();
        Ok(output.expect("it has returned"))
    }

    fn join_and_then(&self, job: Job, after: Box<dyn FnOnce() + Send>) -> Answer {
        let join = match (self.can_spawn, self.join) {
            (false, _) => |job: Job| -> LocalJob { job },
            (true, Some(join)) => join,
            _ => return Err(Unsupported),
        };
        let ran = self.run_joining(|calls| async move {
            let waits = async move |waits: LocalJob| _ = waits.await;
            Kept::here(Box::pin(waits(calls.call(|| join(job))))).await;
            after();
        });
        ran.unwrap_or_else(|message| panic!("{message}"));
        Ok(())
    }

    /// It runs what makes them, and polls none of them.
    fn drop_unrun(&self, make: Make) -> Answer {
        if !self.ends_with_root {
            return Err(Unsupported);
        }
        self.run_root(|spawn, _| async move {
            make(cannot_spawn())
                .into_iter()
                .for_each(|task| spawn(task))
        })
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        if !self.ends_with_root {
            return Err(Unsupported);
        }
        self.run_root(|spawn, spawner| async move {
            make(spawner).into_iter().for_each(|task| spawn(task));
            until.await;
        })
    }

    fn lets_panics_through(&self) -> bool {
        self.lets_panics_through
    }

    fn stays_at_home(&self) -> bool {
        self.is_local && self.can_spawn
    }

    fn workers(&self) -> usize {
        self.workers
    }
}
