//! The executor as a runtime under test.

use std::sync::{Arc, mpsc};

use super::{block_on, defect::Defect, executor::Executor, output::Output};
use crate::{
    Answer, Runtime, Task, only_one,
    runtime::{Job, Spawn},
};

pub(super) struct Mutant(pub(super) Defect);

impl Runtime for Mutant {
    fn run(&self, tasks: Vec<Task>) -> Answer {
        match self.0 {
            Defect::TokenIsTheWake => return only_one(tasks, block_on::by_token),
            Defect::OneParkerToAThread => return only_one(tasks, block_on::by_shared_parker),
            _ => {}
        }
        let executor = Executor::new(self.0);
        tasks.into_iter().for_each(|task| executor.spawn(task));
        executor.run(self.workers());
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> Task + Send>) -> Answer {
        let executor = Executor::new(self.0);
        let spawner = Arc::downgrade(&executor);
        executor.spawn(first(Box::new(move |task| {
            if let Some(executor) = spawner.upgrade() {
                executor.spawn(task);
            }
            Ok(())
        })));
        executor.run(self.workers());
        Ok(())
    }

    fn join(&self, job: Job, before: Option<Task>) -> Answer<Result<u32, String>> {
        let output = Arc::new(Output::default());
        let (tell, told) = mpsc::channel();
        let waits = output.clone().wait();
        let joins: Task = Box::pin(async move {
            if let Some(before) = before {
                before.await;
            }
            let _ = tell.send(waits.await);
        });
        self.run(vec![joins, Box::pin(output.fill(job, self.0))])?;
        Ok(told.recv().expect("the one who waits is done"))
    }

    fn drop_unrun(&self, tasks: Vec<Task>) -> Answer {
        let executor = Executor::new(self.0);
        tasks.into_iter().for_each(|task| executor.spawn(task));
        Ok(())
    }

    fn stop(&self, tasks: Vec<Task>, until: Task) -> Answer {
        let executor = Executor::new(self.0);
        tasks.into_iter().for_each(|task| executor.spawn(task));
        let stops = Arc::downgrade(&executor);
        executor.spawn(Box::pin(async move {
            until.await;
            if let Some(executor) = stops.upgrade() {
                executor.stop();
            }
        }));
        executor.run(self.workers());
        Ok(())
    }

    fn workers(&self) -> usize {
        match self.0 {
            Defect::None | Defect::PollsOneAtATime | Defect::KeepsWhatItSpawned => 2,
            _ => 1,
        }
    }
}
