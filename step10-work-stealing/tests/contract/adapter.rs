//! Puts the versions of the runtime, and its leaf futures, under the contract.

use std::{
    future::poll_fn,
    io::{self, Read as _},
    net::{TcpListener, TcpStream},
    sync::LazyLock,
    time::Duration,
};

use contract::{Answer, BoxFuture, End, Job, Leaf, Make, Spawn, Subject, Trigger, leaf, message};
use futures::{FutureExt, channel::oneshot, executor::block_on, future::join_all};
use step10_work_stealing::{Direction, Handle, JoinHandle, Runtime, Version};

/// What is tested.
pub const SUBJECTS: &[Subject] = &[
    Subject::runtime("step10-shared", &Stage(Version::SharedQueue, WORKERS)),
    Subject::runtime("step10-local", &Stage(Version::LocalQueues, WORKERS)),
    Subject::runtime("step10-stealing", &Stage(Version::Stealing, WORKERS)),
    Subject::runtime("step10", &Stage(Version::LifoSlot, WORKERS)),
    Subject::leaf("step10-sleep", &Sleep(WORKERS)),
    Subject::leaf("step10-read", &Read(WORKERS)),
    Subject::leaf("step10-handle", &Joined),
];

/// A runtime of this version with so many workers.
pub struct Stage(pub Version, pub usize);
/// The timers of a runtime with so many workers.
pub struct Sleep(pub usize);
/// The sockets of a runtime with so many workers.
pub struct Read(pub usize);
struct Joined;

impl Stage {
    fn start(&self) -> Runtime {
        Runtime::with_version(self.1, self.0)
    }
}

const WORKERS: usize = 2;

fn spawner(runtime: &Runtime) -> Spawn {
    let handle = runtime.handle();
    Box::new(move |task| {
        drop(handle.spawn(task));
        Ok(())
    })
}

fn as_job(task: BoxFuture) -> Job {
    task.map(|()| 0).boxed()
}

impl contract::Runtime for Stage {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let runtime = self.start();
        let handles: Vec<_> = tasks.into_iter().map(|task| runtime.spawn(task)).collect();
        contract::discard(block_on(join_all(handles)));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        self.start().block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let runtime = self.start();
        let first = runtime.spawn(first(spawner(&runtime)));
        // That the first one panicked is seen by its effects.
        let _ = block_on(first);
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let runtime = self.start();
        let handle = runtime.spawn(job);
        before.into_iter().for_each(block_on);
        Ok(block_on(handle).map_err(|error| {
            if error.is_panic() {
                message(&*error.into_panic())
            } else {
                error.to_string()
            }
        }))
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        self.stop(make, Box::pin(async {}))
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let runtime = self.start();
        for task in make(spawner(&runtime)) {
            let detached: JoinHandle<u32> = runtime.spawn(as_job(task));
            drop(detached);
        }
        block_on(until);
        Ok(())
    }

    fn workers(&self) -> usize {
        self.1
    }
}

/// The runtime that wakes the leaf futures.
static DRIVER: LazyLock<Runtime> = LazyLock::new(|| Runtime::new(WORKERS));
static ONE_WORKER: LazyLock<Runtime> = LazyLock::new(|| Runtime::new(1));

fn driver(workers: usize) -> &'static Runtime {
    if workers == 1 { &ONE_WORKER } else { &DRIVER }
}

impl Leaf for Sleep {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(leaf(driver(self.0).handle().sleep(after)))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let runtime = Runtime::new(self.0);
        let handle = runtime.handle();
        let timers = (0..count).map(|_| leaf(handle.sleep(after))).collect();
        Ok((timers, Box::new(|| drop(runtime))))
    }
}

/// A read that ends when the other end of the connection is closed, after this time.
///
/// Not when a byte comes: the end would come later, and a second read could find neither.
fn read_after(driver: &Handle, after: Duration) -> io::Result<BoxFuture> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let reader = TcpStream::connect(listener.local_addr()?)?;
    let (writer, _) = listener.accept()?;
    if after.is_zero() {
        drop(writer);
        reader.peek(&mut [0])?; // the end has arrived
    } else {
        let sleep = driver.sleep(after);
        drop(driver.spawn(async move {
            sleep.await;
            drop(writer);
        }));
    }
    reader.set_nonblocking(true)?;
    let reader = driver.register(reader)?;
    let read = |mut reader: &TcpStream| reader.read(&mut [0]);
    Ok(leaf(poll_fn(move |cx| {
        reader.poll_io(Direction::Read, cx, read)
    })))
}

impl Leaf for Read {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(read_after(&driver(self.0).handle(), after).expect("a connection"))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let runtime = Runtime::new(self.0);
        let handle = runtime.handle();
        let reads = (0..count)
            .map(|_| read_after(&handle, after))
            .collect::<io::Result<_>>();
        Ok((reads.expect("connections"), Box::new(|| drop(runtime))))
    }
}

/// The handle of a task that waits for the trigger.
impl Leaf for Joined {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (end, ended) = oneshot::channel::<()>();
        Ok((leaf(DRIVER.spawn(ended)), Box::new(|| drop(end))))
    }
}
