//! Your runtime, as the contract wants to see it. Only its public names are used.

use std::{
    future::poll_fn,
    io::{self, Read as _},
    net,
    sync::{LazyLock, Mutex},
};

use contract::{
    Abort, Answer, BoxFuture, Job, Local, LocalBoxFuture, LocalJob, Make, Preset, Spawn,
    SpawnAbortable, Subject,
};
use futures::channel::oneshot;
use yours::{Direction, Handle, JoinError, Runtime, Source, sleep, spawn};

const JOINS: Preset = TASKS.joining(join);
static HANDLES: Preset = JOINS.aborting(abort);

/// What the clauses are about, by the names that the rungs use.
pub(crate) static SUBJECTS: LazyLock<[Subject; 8]> = LazyLock::new(|| {
    let here = Local::on(block_on_local);
    [
        Subject::executor("block_on", Preset::block_on(block_on)),
        Subject::runtime("tasks", &TASKS),
        here.timer("sleep", sleep),
        Subject::runtime("joins", &JOINS),
        Subject::runtime("handles", &HANDLES),
        here.once("handle", handle),
        here.once("socket", read),
        Subject::runtime("workers", &Workers),
    ]
});

const TASKS: Preset = Preset::local(block_on, |task| drop(spawn(task)));

pub(crate) fn subject(name: &str) -> Option<Subject> {
    SUBJECTS
        .iter()
        .copied()
        .find(|subject| subject.name == name)
}

fn block_on(root: BoxFuture) {
    Runtime::new(1).block_on(root);
}

fn block_on_local(root: LocalBoxFuture) {
    Runtime::new(1).block_on(root);
}

fn output<T>(joined: Result<T, JoinError>) -> T {
    joined.unwrap_or_else(|error| match error {
        JoinError::Panic(panic) => std::panic::resume_unwind(panic),
        JoinError::Aborted => panic!("the task was dropped before its end"),
    })
}

fn join(job: Job) -> LocalJob {
    let handle = spawn(job);
    Box::pin(async { output(handle.await) })
}

fn abort(task: BoxFuture) -> Abort {
    let handle = Mutex::new(spawn(task));
    Box::new(move || handle.lock().unwrap().abort())
}

/// A read that ends when the other end is closed.
fn read() -> (impl Future<Output = ()>, impl FnOnce()) {
    let pair = || -> io::Result<_> {
        let listener = net::TcpListener::bind("127.0.0.1:0")?;
        let reader = net::TcpStream::connect(listener.local_addr()?)?;
        reader.set_nonblocking(true)?;
        Ok((reader, listener.accept()?.0))
    };
    let (reader, writer) = pair().expect("a connection");
    let reader = Source::new(reader).expect("it can be watched");
    let read = |mut reader: &net::TcpStream| reader.read(&mut [0]);
    let waits = poll_fn(move |cx| reader.poll_io(Direction::Read, cx, read).map(drop));
    (waits, || drop(writer))
}

/// The handle of a task that waits for the trigger.
fn handle() -> (impl Future<Output = ()>, impl FnOnce()) {
    let (end, ended) = oneshot::channel::<()>();
    let handle = spawn(ended);
    (async { drop(handle.await) }, || drop(end))
}

/// The whole: made, used and dropped by a thread that is none of its own.
struct Workers;

const WORKERS: usize = 2;

fn spawner(handle: Handle) -> Spawn {
    Box::new(move |task| {
        drop(handle.spawn(task));
        Ok(())
    })
}

fn wait<T>(handle: yours::JoinHandle<T>) -> Result<T, JoinError> {
    futures::executor::block_on(handle)
}

impl contract::Runtime for Workers {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let runtime = Runtime::new(WORKERS);
        let handles: Vec<_> = tasks
            .into_iter()
            .map(|task| runtime.handle().spawn(task))
            .collect();
        handles.into_iter().for_each(|handle| drop(wait(handle)));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        Runtime::new(WORKERS).block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let runtime = Runtime::new(WORKERS);
        let handle = runtime.handle();
        drop(wait(handle.spawn(first(spawner(handle.clone())))));
        Ok(())
    }

    fn run_aborting(&self, first: Box<dyn FnOnce(SpawnAbortable) -> BoxFuture + Send>) -> Answer {
        let runtime = Runtime::new(WORKERS);
        let handle = runtime.handle();
        let spawns = handle.clone();
        let abortable = move |task| -> Abort {
            let task = Mutex::new(spawns.spawn(task));
            Box::new(move || task.lock().unwrap().abort())
        };
        drop(wait(handle.spawn(first(Box::new(abortable)))));
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let runtime = Runtime::new(WORKERS);
        let handle = runtime.handle().spawn(job);
        before.into_iter().for_each(futures::executor::block_on);
        Ok(wait(handle).map_err(|error| match error {
            JoinError::Panic(panic) => contract::message(&*panic),
            JoinError::Aborted => "it was dropped before its end".to_owned(),
        }))
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        self.stop(make, Box::pin(async {}))
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let runtime = Runtime::new(WORKERS);
        for task in make(spawner(runtime.handle())) {
            drop(runtime.handle().spawn(task));
        }
        futures::executor::block_on(until);
        Ok(())
    }

    fn workers(&self) -> usize {
        WORKERS
    }
}
