//! How many bytes a task takes that waits, with all that the runtime keeps of it. What the workload itself needs for the
//! task is allocated before.

use std::{
    fs,
    future::{Future, poll_fn},
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

use futures::channel::oneshot;

use crate::{
    allocations,
    measure::{Answer, Clock, Size, check},
    runtime::{Runtime, Spawn},
};

/// Where all tasks wait.
static GATE: Mutex<Gate> = Mutex::new(Gate {
    waiting: Vec::new(),
    missing: 0,
    all_here: None,
    is_open: false,
});

struct Gate {
    /// The wakers of the tasks that wait. It has room for all of them.
    waiting: Vec<Waker>,
    /// How many are still to come.
    missing: usize,
    all_here: Option<oneshot::Sender<()>>,
    is_open: bool,
}

fn gate() -> MutexGuard<'static, Gate> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn run<R: Runtime>(size: Size) -> Answer {
    let count = size.of(100_000, 10_000, 100);
    let mut runtime = R::start();
    let clock = Clock::start();
    let (sum, bytes, resident) = runtime.block_on(|spawner| all(spawner, count));
    let mut figures = clock.stop(count);
    check("the sum of the outputs", sum, (0..count).sum())?;
    figures.bytes = Some(bytes as f64 / count as f64);
    figures.resident_bytes = resident.map(|it| it / count as f64);
    Ok(figures)
}

async fn all<S: Spawn>(spawner: S, count: usize) -> (usize, isize, Option<f64>) {
    let (all_here, here) = oneshot::channel();
    *gate() = Gate {
        waiting: Vec::with_capacity(count),
        missing: count,
        all_here: Some(all_here),
        is_open: false,
    };
    let mut handles = Vec::with_capacity(count);
    let before = resident();
    allocations::count();
    for number in 0..count {
        handles.push(spawner.spawn(async move {
            opened().await;
            number
        }));
    }
    here.await.expect("the last task says so");
    let bytes = allocations::live();
    let resident = resident().zip(before).map(|(after, before)| after - before);
    gate().is_open = true;
    let waiting = std::mem::take(&mut gate().waiting);
    waiting.into_iter().for_each(Waker::wake);
    let mut sum = 0;
    for handle in handles {
        sum += handle.await;
    }
    (sum, bytes, resident)
}

/// How much of the machine's memory this process has, in bytes, where the system says so.
fn resident() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024.0)
}

/// Waits until the gate is open.
fn opened() -> impl Future<Output = ()> + Send {
    poll_fn(|cx| {
        let mut gate = gate();
        if gate.is_open {
            return Poll::Ready(());
        }
        gate.waiting.push(cx.waker().clone());
        gate.missing -= 1;
        if gate.missing == 0 {
            let last = gate.all_here.take().expect("only one is the last");
            last.send(()).expect("the root waits");
        }
        Poll::Pending
    })
}
