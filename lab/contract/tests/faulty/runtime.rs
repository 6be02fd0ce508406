//! The executor as a runtime under test.

use std::{
    future::poll_fn,
    mem,
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Waker},
};

use futures_channel::oneshot;
use futures_util::FutureExt;

use super::{block_on, executor::Executor};
use runtime_contract::{
    Answer, BoxFuture, Fault, Job, Make, Preset, Runtime, Spawn, SpawnAbortable, message,
};

struct FaultyRuntime(Fault);

/// The executor with this fault.
pub(super) fn faulty(fault: Fault) -> &'static dyn Runtime {
    Box::leak(Box::new(FaultyRuntime(fault)))
}

impl Runtime for FaultyRuntime {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        match self.0 {
            Fault::TokenIsTheWake => return Preset::block_on(block_on::by_token).run(tasks),
            Fault::OneParkerToAThread => {
                return Preset::block_on(block_on::by_shared_parker).run(tasks);
            }
            _ => {}
        }
        let executor = Executor::owned(self.0);
        tasks.into_iter().for_each(|task| _ = executor.spawn(task));
        executor.run(self.workers());
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        if self.0 == Fault::RefusesWithoutAWord {
            std::panic::resume_unwind(Box::new(()));
        }
        self.run(vec![task])
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let executor = Executor::owned(self.0);
        executor.spawn(first(spawner(&executor)));
        executor.run(self.workers());
        Ok(())
    }

    fn run_twice(
        &self,
        first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>,
        between: Box<dyn FnOnce()>,
        second: BoxFuture,
    ) -> Answer {
        let executor = Executor::owned(self.0);
        let run_until = |until: BoxFuture| {
            let stops = Arc::clone(&executor);
            executor.spawn(Box::pin(async move {
                until.await;
                stops.stop();
            }));
            executor.run(self.workers());
            executor.restart();
        };
        run_until(first(spawner(&executor)));
        between();
        run_until(second);
        Ok(())
    }

    fn run_aborting(&self, first: Box<dyn FnOnce(SpawnAbortable) -> BoxFuture + Send>) -> Answer {
        let executor = Executor::owned(self.0);
        let spawns = Arc::clone(&executor);
        executor.spawn(first(Box::new(move |future| {
            let (task, executor) = (spawns.spawn(future), spawns.clone());
            Box::new(move || task.iter().for_each(|task| executor.abort(task)))
        })));
        executor.run(self.workers());
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let (fault, waits) = (self.0, Arc::new(AtomicBool::new(false)));
        let (fills, output) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let is_waited_for = waits.clone();
        let joins: BoxFuture = Box::pin(async move {
            if let Some(before) = before {
                before.await;
            }
            waits.store(true, SeqCst);
            let _ = tell.send(output.await.expect("the job leaves its output"));
        });
        let runs: BoxFuture = Box::pin(async move {
            let output = match AssertUnwindSafe(job).catch_unwind().await {
                Ok(_) if fault == Fault::AnswersZero => Ok(0),
                Err(_) if fault == Fault::LosesTheMessage => Err("the task has panicked".into()),
                ended => ended.map_err(|payload| message(&*payload)),
            };
            let silent = match fault {
                Fault::EndsInSilence => true,
                Fault::AnswersOnlyWhoWaits => !is_waited_for.load(SeqCst),
                _ => false,
            };
            if silent {
                mem::forget(fills)
            } else {
                drop(fills.send(output))
            }
        });
        self.run(vec![joins, runs])?;
        Ok(told.recv().expect("the waiting task is done"))
    }

    fn join_moved(&self, job: Job) -> Answer<u32> {
        let fault = self.0;
        let (fills, mut output) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let joins: BoxFuture = Box::pin(async move {
            let first = Waker::noop();
            let _ = output.poll_unpin(&mut Context::from_waker(first));
            let output = poll_fn(|cx| match fault {
                Fault::WakesWhoJoinedFirst => output.poll_unpin(&mut Context::from_waker(first)),
                _ => output.poll_unpin(cx),
            });
            let _ = tell.send(output.await.expect("the job leaves its output"));
        });
        let runs: BoxFuture = Box::pin(async move {
            let output = job.await;
            let zero = fault == Fault::AnswersZero;
            let _ = fills.send(if zero { 0 } else { output });
        });
        self.run(vec![joins, runs])?;
        Ok(told.recv().expect("the waiting task is done"))
    }

    fn join_and_then(&self, mut job: Job, after: Box<dyn FnOnce() + Send>) -> Answer {
        let fault = self.0;
        let (fills, output) = oneshot::channel();
        let joins: BoxFuture = Box::pin(async move {
            let _ = output.await;
            after();
        });
        let runs: BoxFuture = Box::pin(async move {
            let output = (&mut job).await;
            if fault == Fault::AnswersBeforeItDrops {
                let _ = fills.send(output);
                drop(job);
            } else {
                drop(job);
                let _ = fills.send(output);
            }
        });
        self.run(vec![joins, runs])
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let executor = Executor::owned(self.0);
        let tasks = make(spawner(&executor)).into_iter();
        tasks.for_each(|task| _ = executor.spawn(task));
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let executor = Executor::owned(self.0);
        let tasks = make(spawner(&executor)).into_iter();
        tasks.for_each(|task| _ = executor.spawn(task));
        let stops = Arc::clone(&executor);
        executor.spawn(Box::pin(async move {
            until.await;
            stops.stop();
        }));
        executor.run(self.workers());
        Ok(())
    }

    fn lets_panics_through(&self) -> bool {
        self.0 == Fault::SaysThatItLetsPanicsThrough
    }

    fn stays_at_home(&self) -> bool {
        self.workers() == 1
    }

    fn workers(&self) -> usize {
        match self.0 {
            Fault::None
            | Fault::AnswersBeforeItDrops
            | Fault::PlacesTasksInPairs
            | Fault::PollsOneAtATime
            | Fault::KeepsWhatItSpawned
            | Fault::RefusesWhatIsSpawned => 2,
            _ => 1,
        }
    }
}

fn spawner(executor: &Arc<Executor>) -> Spawn {
    let executor = Arc::clone(executor);
    Box::new(move |task| {
        executor.spawn(task);
        Ok(())
    })
}
