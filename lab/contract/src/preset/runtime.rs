//! What the clauses ask of a runtime, done with the functions of a preset.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Waker},
    thread,
};

use futures_util::future::join_all;

use super::{
    Preset,
    calls::Calls,
    runs::{Runs, SpawnBeside},
    until_gone::until_gone,
};
use crate::{
    Answer, BoxFuture, Job, LocalJob, Make, Runtime, Spawn, SpawnAbortable, Unsupported,
    cannot_spawn, caught, home::LocalBoxFuture, local::Kept, lock::lock,
};

impl Preset {
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

    /// Spawns `job` by the function of [`joining`](Preset::joining), and runs what `root` makes of that which waits for it. Returns the
    /// result, or the message of a panic.
    fn run_joining<Root: Future<Output = ()> + Send + 'static>(
        &self,
        job: Job,
        root: impl FnOnce(Kept<LocalBoxFuture>) -> Root + Send + 'static,
    ) -> Answer<Result<u32, String>> {
        let join = match (self.can_spawn, self.join) {
            (true, Some(join)) => join,
            (true, None) => return Err(Unsupported),
            // The caller itself waits.
            (false, _) => |job: Job| -> LocalJob { job },
        };
        let place = Arc::new(Mutex::new(None));
        let fills = place.clone();
        let calls = Calls::of("joining");
        let run = || {
            self.runs.once(|_| {
                let calls = calls.on_this();
                Box::pin(async move {
                    let waits = calls.call(|| join(job));
                    let fill = async move { *lock(&fills) = Some(waits.await) };
                    let waits: Kept<LocalBoxFuture> = Kept::here(Box::pin(fill));
                    root(waits).await;
                })
            });
        };
        let ran = calls.run(|| caught(AssertUnwindSafe(run)));
        Ok(ran.map(|()| lock(&place).take().expect("it has returned")))
    }
}

/// Set when it is dropped: the runtime ends, and may not be asked for anything.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
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
        self.runs.once(|_| task);
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

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        if before.is_some() && !self.can_spawn {
            return Err(Unsupported);
        }
        self.run_joining(job, |waits| async move {
            if let Some(before) = before {
                before.await;
            }
            waits.await;
        })
    }

    fn join_moved(&self, job: Job) -> Answer<u32> {
        if !self.can_spawn {
            return Err(Unsupported);
        }
        let joined = self.run_joining(job, |mut waits| async move {
            let first = Pin::new(&mut waits).poll(&mut Context::from_waker(Waker::noop()));
            if first.is_pending() {
                waits.await;
            }
        })?;
        Ok(joined.unwrap_or_else(|message| panic!("{message}")))
    }

    fn join_and_then(&self, job: Job, after: Box<dyn FnOnce() + Send>) -> Answer {
        let joined = self.run_joining(job, |waits| async move {
            waits.await;
            after();
        })?;
        joined.unwrap_or_else(|message| panic!("{message}"));
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
