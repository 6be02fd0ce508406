//! Adapters for runtimes that are made of functions: most need no adapter of their own.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll},
    thread,
};

use futures_channel::oneshot;
use futures_util::future::join_all;

use crate::{
    Abort, Answer, BoxFuture, Job, LocalJob, Make, NotItsJob, Runtime, Spawn, SpawnAbortable,
    cannot_spawn, caught,
    fixtures::{A_MOMENT, compute},
    local::Kept,
    lock::lock,
};

/// A runtime that consists of functions. What they cannot do is not its job, so the clauses about that are left out.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    block_on: fn(BoxFuture),
    spawn: Option<fn(BoxFuture)>,
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
        Preset {
            block_on,
            spawn: None,
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
        let spawn = Some(spawn);
        Preset {
            spawn,
            ..Preset::block_on(block_on)
        }
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

    /// The same on so many threads, where `spawn` may be called anywhere, also when the runtime has ended.
    pub const fn on_workers(self, workers: usize) -> Preset {
        Preset {
            is_local: false,
            workers,
            ..self
        }
    }

    /// The same with a function that spawns a task with a result, and returns what waits for it. If the task panics, the one
    /// that waits does too. It is polled on the thread that `block_on` was called on, and need not be `Send`.
    pub const fn joining(self, join: fn(Job) -> LocalJob) -> Preset {
        let join = Some(join);
        Preset { join, ..self }
    }

    /// The same with a function that spawns a task, and returns what aborts it.
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
        root: impl FnOnce(fn(BoxFuture), Spawn) -> Root + Send + 'static,
    ) -> Answer {
        let spawn = self.spawn.ok_or(NotItsJob)?;
        let (is_local, over) = (self.is_local, Arc::new(AtomicBool::new(false)));
        (self.block_on)(Box::pin(async move {
            let (home, ends) = (thread::current().id(), Over(over.clone()));
            let spawner: Spawn = Box::new(move |task| {
                if is_local && (thread::current().id() != home || over.load(SeqCst)) {
                    return Err(NotItsJob);
                }
                spawn(task);
                Ok(())
            });
            root(spawn, spawner).await;
            drop(ends);
        }));
        Ok(())
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
        if self.spawn.is_some() {
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
            _ => Err(NotItsJob),
        }
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        (self.block_on)(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        self.run_root(|spawn, spawner| async move {
            let (first, gone) = until_gone(first(spawner));
            spawn(first);
            let _ = gone.await;
        })
    }

    fn run_aborting(&self, first: Box<dyn FnOnce(SpawnAbortable) -> BoxFuture + Send>) -> Answer {
        let abortable = self.abort.ok_or(NotItsJob)?;
        self.run_root(move |spawn, _| async move {
            let (first, gone) = until_gone(first(Box::new(abortable)));
            spawn(first);
            let _ = gone.await;
        })
    }

    /// Where nothing can be spawned, the caller itself waits for the result.
    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let join = match (self.spawn, self.join, &before) {
            (None, ..) if before.is_none() => |job: Job| -> LocalJob { job },
            (Some(_), Some(join), _) => join,
            _ => return Err(NotItsJob),
        };
        let place = Arc::new(Mutex::new(None));
        let fills = place.clone();
        let run = AssertUnwindSafe(|| {
            (self.block_on)(Box::pin(async move {
                let fill = |waits: LocalJob| async move { *lock(&fills) = Some(waits.await) };
                let waits = Kept::here(fill(join(job)));
                if let Some(before) = before {
                    before.await;
                }
                waits.await;
            }));
        });
        Ok(caught(run).map(|()| lock(&place).take().expect("it has returned")))
    }

    fn join_and_then(&self, job: Job, after: Box<dyn FnOnce() + Send>) -> Answer {
        let join = match (self.spawn, self.join) {
            (None, _) => |job: Job| -> LocalJob { job },
            (Some(_), Some(join)) => join,
            _ => return Err(NotItsJob),
        };
        (self.block_on)(Box::pin(async move {
            let waits = async move |waits: LocalJob| _ = waits.await;
            Kept::here(waits(join(job))).await;
            after();
        }));
        Ok(())
    }

    /// It runs what makes them, and polls none of them.
    fn drop_unrun(&self, make: Make) -> Answer {
        if !self.ends_with_root {
            return Err(NotItsJob);
        }
        self.run_root(|spawn, _| async move { make(cannot_spawn()).into_iter().for_each(spawn) })
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        if !self.ends_with_root {
            return Err(NotItsJob);
        }
        self.run_root(|spawn, spawner| async move {
            make(spawner).into_iter().for_each(spawn);
            until.await;
        })
    }

    fn lets_panics_through(&self) -> bool {
        self.lets_panics_through
    }

    fn stays_at_home(&self) -> bool {
        self.is_local && self.spawn.is_some()
    }

    fn workers(&self) -> usize {
        self.workers
    }
}
