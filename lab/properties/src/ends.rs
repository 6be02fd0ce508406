//! Code that the runtime does not control panics wherever it can: a waker as it is cloned, woken or dropped, and a future,
//! an output and a panic's payload as they are dropped. Here is every pair of these acts, over every end of a handle and of
//! a task. After each of them the only worker still runs a task, and nothing has kept a waker.

use std::{
    future::{poll_fn, ready},
    mem::ManuallyDrop,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    task::{Poll, ready},
    time::Duration,
};

use futures::{FutureExt, channel::oneshot, executor::block_on};
use probe::{
    hostile::{Hostile, Moment},
    poll, watch, within,
};

use crate::Runtime;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Act {
    Waker(Moment),
    DropFuture,
    DropOutput,
    DropPayload,
}

const ACTS: [Act; 6] = [
    Act::Waker(Moment::Clone),
    Act::Waker(Moment::Wake),
    Act::Waker(Moment::Drop),
    Act::DropFuture,
    Act::DropOutput,
    Act::DropPayload,
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum TaskEnds {
    Ready,
    Panics,
    Aborted,
    AtShutdown,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Handle {
    DroppedBefore,
    DroppedAfter,
    Awaited,
}

/// Panics when it is dropped, as does what that panic carries, so many times in all.
#[derive(Debug)]
struct Bad(usize);

impl Bad {
    fn if_so(it_is: bool) -> Bad {
        Bad(2 * usize::from(it_is))
    }
}

impl Drop for Bad {
    fn drop(&mut self) {
        // Without a message. `contain` forgets what the last panic carries, so that is nothing.
        match self.0 {
            0 => {}
            1 => resume_unwind(Box::new(())),
            more => resume_unwind(Box::new(Bad(more - 1))),
        }
    }
}

/// Runs code that may panic, as may the drop of what the panic carries. Says whether there was none.
fn contained(code: impl FnOnce()) -> bool {
    let mut result = catch_unwind(AssertUnwindSafe(code));
    let is_ok = result.is_ok();
    while let Err(payload) = result {
        result = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    }
    is_ok
}

/// Runs one more task to its end. If the watchdog says that this never ends, the worker is dead.
fn is_alive<R: Runtime>(runtime: &R, name: &str) {
    let task = runtime.spawn(ready(Bad(0)));
    block_on(watch(name, task)).unwrap();
}

/// The handle is polled with the first waker and then with the second, or only with the first, or not at all.
fn check<R: Runtime>(
    name: &str,
    acts: [Act; 2],
    polls: usize,
    handle_ends: Handle,
    task_ends: TaskEnds,
) {
    let runtime = R::start(1);
    let (end, mut ended) = oneshot::channel::<()>();
    let [future, output, payload] =
        [Act::DropFuture, Act::DropOutput, Act::DropPayload].map(|act| acts.contains(&act));
    let future = Bad::if_so(future);
    let mut handle = runtime.spawn(poll_fn(move |cx| {
        let _owned = &future;
        let _ = ready!(ended.poll_unpin(cx));
        match task_ends {
            TaskEnds::Panics => resume_unwind(Box::new(Bad(payload.into()))),
            _ => Poll::Ready(Bad::if_so(output)),
        }
    }));
    is_alive(&runtime, name); // and the task is idle

    let wakers = acts.map(|act| {
        let hostile = Hostile::new();
        let waker = ManuallyDrop::new(hostile.waker());
        if let Act::Waker(moment) = act {
            hostile.arm(moment, || resume_unwind(Box::new(Bad(1))));
        }
        (hostile, waker)
    });
    for (_, waker) in &wakers[..polls] {
        contained(|| _ = poll(&mut handle, waker)); // the clone may panic
    }
    let mut handle = Some(handle);
    if task_ends == TaskEnds::Aborted {
        R::abort(handle.as_ref().unwrap());
    }
    if handle_ends == Handle::DroppedBefore {
        drop(handle.take());
    }
    let runtime = match task_ends {
        TaskEnds::AtShutdown => {
            drop(runtime);
            None
        }
        _ => Some(runtime),
    };
    let _ = end.send(());
    runtime.iter().for_each(|it| is_alive(it, name));
    match handle_ends {
        Handle::Awaited => check_result::<R>(acts, task_ends, handle.take().unwrap()),
        _ => drop(handle),
    }
    runtime.iter().for_each(|it| is_alive(it, name));
    drop(runtime);
    let live = wakers.map(|(hostile, waker)| {
        hostile.disarm();
        drop(ManuallyDrop::into_inner(waker));
        hostile.live()
    });
    assert_eq!(live, [0, 0], "a waker was kept");
}

fn check_result<R: Runtime>(acts: [Act; 2], task_ends: TaskEnds, mut handle: R::Handle<Bad>) {
    let mut result = None;
    // In version 1, a poll panics if it drops the waker of an earlier one and that panics.
    while result.is_none() {
        contained(|| result = Some(block_on(&mut handle)));
    }
    let result = result.unwrap();
    let is_right = match (task_ends, &result) {
        (TaskEnds::Ready, result) => result.is_ok(),
        (TaskEnds::Panics, Err(error)) => R::is_panic(error),
        (_, Err(error)) => {
            let panicked = R::TELLS && acts.contains(&Act::DropFuture);
            R::is_panic(error) == panicked
        }
        (_, Ok(_)) => false,
    };
    contained(|| drop(result));
    assert!(is_right, "a wrong result");
}

/// Checks all combinations, or under Miri a few of them.
pub fn check_all<R: Runtime>(limit: Duration) {
    use TaskEnds::{Aborted, AtShutdown, Panics, Ready};
    let possible = |act: &Act| R::WAKERS || !matches!(act, Act::Waker(_));
    let acts: Vec<Act> = ACTS.into_iter().filter(possible).collect();
    let tasks = [Ready, Panics, AtShutdown, Aborted];
    let tasks = &tasks[..3 + usize::from(R::ABORTS)];
    let handles = [Handle::DroppedBefore, Handle::DroppedAfter, Handle::Awaited];
    let numbers = [acts.len(), acts.len(), 3, handles.len(), tasks.len()];
    let step = if cfg!(miri) { 61 } else { 1 };
    let every: Vec<usize> = (0..numbers.iter().product()).step_by(step).collect();
    // A hundred have the limit to themselves: a busy machine takes long over all of them.
    for some in every.chunks(100) {
        within(limit, || {
            for number in some {
                let mut rest = *number;
                // The digits of the number, if each place has its own base.
                let [first, second, polls, handle, task] = numbers.map(|choices| {
                    let choice = rest % choices;
                    rest /= choices;
                    choice
                });
                let (acts, handle, task) =
                    ([acts[first], acts[second]], handles[handle], tasks[task]);
                let name = format!("{acts:?}, {polls} polls, {handle:?}, {task:?}");
                let is_right = contained(|| check::<R>(&name, acts, polls, handle, task));
                assert!(is_right, "{name}");
            }
        });
    }
}
