//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, every other
//! task ends, nothing is kept, and no worker is lost. [`ends`](crate::ends) has two of them panic, and says what the handle returns
//! then.

use std::{
    future::{Future, poll_fn},
    panic::resume_unwind,
    sync::{Arc, Barrier},
    task::Poll,
    time::Duration,
};

use futures::{channel::oneshot, executor::block_on};
use probe::{
    foreign::{Foreign, Panics, Value},
    hostile::Hostile,
    wait_until, watch, within,
};

use crate::Runtime;

/// How long one run of a scenario may take.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs a scenario as [`Panics::at_every_call`] does, under the watchdog.
pub fn at_every_call(panics: &mut Panics, scenario: impl Fn(&Foreign)) {
    panics.at_every_call(|foreign| within(LIMIT, || scenario(foreign)));
}

/// A task that is polled twice, and drops `there` at its end.
pub fn yields(foreign: &Foreign, there: &Arc<()>) -> impl Future<Output = ()> + Send + use<> {
    let (there, mut has_yielded) = (Arc::clone(there), false);
    foreign.future(async move {
        poll_fn(|cx| {
            if has_yielded {
                return Poll::Ready(());
            }
            has_yielded = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        drop(there);
    })
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Ready,
    Panic,
    Abort,
    Shutdown,
}

/// Runs tasks of each end on one worker and on two.
pub fn tasks<R: Runtime>(panics: &mut Panics) {
    for end in [End::Ready, End::Panic, End::Abort, End::Shutdown] {
        for workers in [1, 2] {
            if R::ABORTS || end != End::Abort {
                println!("{end:?}, {workers} workers");
                at_every_call(panics, |foreign| tasks_end::<R>(foreign, workers, end));
            }
        }
    }
}

/// What a task returns or what its panic carries, and a count of those that are there.
type Output = (Value, Arc<()>);

/// Three tasks end in the same way, and their handles are awaited, dropped before that, and dropped after it.
fn tasks_end<R: Runtime>(foreign: &Foreign, workers: usize, end: End) {
    let runtime = R::start(workers);
    let there = Arc::new(());
    let (ends, handles): (Vec<_>, Vec<_>) = (0..3)
        .map(|_| {
            let (end_it, ended) = oneshot::channel::<()>();
            let output = (foreign.value(), Arc::clone(&there));
            let task = foreign.future(async move {
                let _ = ended.await;
                match end {
                    End::Panic => resume_unwind(Box::new(output)),
                    _ => output,
                }
            });
            (end_it, runtime.spawn(task))
        })
        .unzip();
    let [mut awaited, mut before, mut after] =
        <[R::Handle<Output>; 3]>::try_from(handles).ok().unwrap();
    let wakers: [_; 3] = [&mut awaited, &mut before, &mut after].map(|handle| {
        let waker = || match R::WAKERS {
            true => foreign.waker(),
            false => Hostile::new(), // it only counts
        };
        let (earlier, latest) = (waker(), waker());
        // A task whose first poll panics may be finished by now.
        let is_pending = foreign.waits(handle, &earlier) && foreign.waits(handle, &latest);
        (earlier, latest, is_pending)
    });
    if end == End::Abort {
        [&awaited, &before, &after].into_iter().for_each(R::abort);
    }
    drop(before);
    let runtime = match end {
        End::Shutdown => {
            drop(runtime);
            None
        }
        _ => Some(runtime),
    };
    // An aborted task may still be in its first poll, in which it must not find that it can be ready.
    let (sent, _kept) = match end {
        End::Abort => (Vec::new(), ends),
        _ => (ends, Vec::new()),
    };
    for end_it in sent {
        let _ = end_it.send(()); // an error, if the task is gone
    }
    for index in [0, 2] {
        let (_, latest, is_pending) = &wakers[index];
        // Without a worker that ends the task, this never comes.
        wait_until(|| !is_pending || latest.wakes() == 1);
    }
    drop(after);
    if wakers[0].2 {
        let result = loop {
            // In version 1 of stage 08, a poll panics if it drops the waker of an earlier one and that panics.
            let awaits = || block_on(watch(foreign.to_string(), &mut awaited));
            if let Some(result) = foreign.on_its_own(awaits) {
                break result;
            }
        };
        assert!(result.is_ok() == (end == End::Ready) || foreign.has_panicked());
        foreign.on_its_own(|| drop(result));
    }
    drop(awaited);
    if let Some(runtime) = runtime {
        all_work(foreign, &runtime, workers);
    }
    assert_eq!(Arc::strong_count(&there), 1, "an output was kept");
    for (earlier, latest, _) in &wakers {
        assert_eq!((earlier.live(), latest.live()), (0, 0), "a waker was kept");
    }
}

/// Each worker runs one of these tasks, which wait for each other.
pub fn all_work<R: Runtime>(foreign: &Foreign, runtime: &R, workers: usize) {
    let barrier = Arc::new(Barrier::new(workers));
    let tasks: Vec<_> = (0..workers)
        .map(|_| {
            let (barrier, foreign) = (Arc::clone(&barrier), foreign.clone());
            runtime.spawn(async move {
                barrier.wait();
                foreign.value()
            })
        })
        .collect();
    for task in tasks {
        let output = block_on(watch(foreign.to_string(), task)).unwrap();
        foreign.on_its_own(|| drop(output));
    }
}
