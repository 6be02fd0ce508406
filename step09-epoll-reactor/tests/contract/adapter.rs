//! Makes the executor, in each place where it can sleep, and its leaf futures testable by `lab/contract`.

use std::{
    future::poll_fn,
    io::{self, Read as _, Write},
    net::{TcpListener, TcpStream},
    sync::{LazyLock, mpsc},
    thread,
    time::Duration,
};

use contract::{Answer, BoxFuture, End, Job, Leaf, Make, Spawn, Subject, leaf, message};
use futures::{FutureExt, channel::oneshot, future::join_all};
use step09_epoll_reactor::{Direction, Handle, Parker, Runtime};
#[cfg(target_os = "linux")]
use step09_epoll_reactor::{Reactor, v2_epoll};

/// What is tested.
pub const SUBJECTS: &[Subject] = &[
    Subject::runtime(
        "step09-parker",
        &Stage(|| Ok(Runtime::with_park(Parker::default()))),
    ),
    #[cfg(target_os = "linux")]
    Subject::runtime(
        "step09-epoll",
        &Stage(|| Ok(Runtime::with_reactor(Reactor::new(v2_epoll::Epoll::new()?)))),
    ),
    Subject::runtime("step09", &Stage(Runtime::new)),
    Subject::leaf("step09-sleep", &Sleep),
    Subject::leaf("step09-read", &Read),
];

struct Stage(fn() -> io::Result<Runtime>);
struct Sleep;
struct Read;

impl Stage {
    fn start(&self) -> Runtime {
        (self.0)().expect("descriptors for the runtime")
    }
}

fn spawner(runtime: &Runtime) -> Spawn {
    let handle = runtime.handle();
    Box::new(move |task| {
        drop(handle.spawn(task));
        Ok(())
    })
}

impl contract::Runtime for Stage {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let mut runtime = self.start();
        let handles: Vec<_> = tasks.into_iter().map(|it| runtime.spawn(it)).collect();
        contract::discard(runtime.block_on(join_all(handles)));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        self.start().block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let mut runtime = self.start();
        let first = runtime.spawn(first(spawner(&runtime)));
        // That the first one panicked is seen by its effects.
        let _ = runtime.block_on(first);
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let mut runtime = self.start();
        let handle = runtime.spawn(job);
        before.into_iter().for_each(|it| runtime.block_on(it));
        Ok(runtime.block_on(handle).map_err(|error| {
            if error.is_panic() {
                message(&*error.into_panic())
            } else {
                error.to_string()
            }
        }))
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let runtime = self.start();
        for task in make(spawner(&runtime)) {
            drop(runtime.spawn(task));
        }
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let mut runtime = self.start();
        for task in make(spawner(&runtime)) {
            drop(runtime.spawn(task));
        }
        runtime.block_on(until);
        Ok(())
    }
}

/// A runtime on a thread of its own, which ends when the sender is dropped.
fn driver() -> (Handle, oneshot::Sender<()>) {
    let (sender, receiver) = mpsc::channel();
    let (end, ended) = oneshot::channel::<()>();
    thread::spawn(move || {
        let mut runtime = Runtime::new().expect("descriptors for the runtime");
        let _ = sender.send(runtime.handle());
        runtime.block_on(ended.map(drop));
    });
    (receiver.recv().expect("the runtime has started"), end)
}

/// The runtime that wakes the leaf futures.
static DRIVER: LazyLock<(Handle, oneshot::Sender<()>)> = LazyLock::new(driver);

impl Leaf for Sleep {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(leaf(DRIVER.0.sleep(after)))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let (handle, end) = driver();
        let timers = (0..count).map(|_| leaf(handle.sleep(after))).collect();
        Ok((timers, Box::new(|| drop(end))))
    }
}

/// A read of a byte that the other end of the connection writes after this time.
fn read_after(driver: &Handle, after: Duration) -> io::Result<BoxFuture> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let reader = TcpStream::connect(listener.local_addr()?)?;
    let (mut writer, _) = listener.accept()?;
    if after.is_zero() {
        writer.write_all(&[1])?;
        reader.peek(&mut [0])?; // it has arrived
    } else {
        let sleep = driver.sleep(after);
        drop(driver.spawn(async move {
            sleep.await;
            writer.write_all(&[1])
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
        Ok(read_after(&DRIVER.0, after).expect("a connection"))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let (handle, end) = driver();
        let reads = (0..count)
            .map(|_| read_after(&handle, after))
            .collect::<io::Result<_>>();
        Ok((reads.expect("connections"), Box::new(|| drop(end))))
    }
}
