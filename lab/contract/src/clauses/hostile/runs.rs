//! A hostile task meets a runtime, at each moment of its life.

use std::{
    future::poll_fn,
    sync::{Arc, mpsc},
};

use futures_channel::oneshot;
use futures_util::FutureExt;
use probe::Counts;

use super::task::{HostileTask, TaskAct::Spawns, TaskCombination, Tools, When};
use crate::{
    Answer, BoxFuture, Runtime,
    fixtures::{assert_dropped_once, counted, until},
};

/// Lets a task do this to a runtime, and asserts that no task is harmed.
pub(super) fn meet(runtime: &'static dyn Runtime, does: TaskCombination) -> Answer {
    match does.when {
        When::Unrun => unrun(runtime, does),
        When::Refused => refused(runtime, does),
        When::Shutdown => at_shutdown(runtime, does),
        _ => running(runtime, does),
    }
}

/// The hostile task, the task that it spawns, and a task that waits beside it.
struct Cast {
    tools: Arc<Tools>,
    hostile: (BoxFuture, Counts),
    child: Counts,
    another: (BoxFuture, Counts),
    /// Lets the other task go to its end.
    release: oneshot::Sender<()>,
}

impl Cast {
    fn of(does: TaskCombination) -> Cast {
        let (task, child) = counted(async {});
        let tools = Tools::new(task);
        let (release, mut released) = oneshot::channel();
        let leaves = tools.clone();
        let another = counted(poll_fn(move |cx| {
            leaves.another.leave(cx);
            released.poll_unpin(cx).map(drop)
        }));
        let hostile = counted(HostileTask::new(does, tools.clone()));
        Cast {
            tools,
            hostile,
            child,
            another,
            release,
        }
    }
}

/// While the runtime runs, which then goes on with the other task.
fn running(runtime: &'static dyn Runtime, does: TaskCombination) -> Answer {
    let cast = Cast::of(does);
    let (outcome, child) = (cast.tools.outcome(), cast.child.clone());
    let (hostile, another) = (cast.hostile.1.clone(), cast.another.1.clone());
    runtime.run_spawning(Box::new(move |spawn| {
        cast.tools.take(spawn);
        Box::pin(async move {
            let tools = cast.tools.clone();
            let _ = tools.spawn(cast.another.0);
            until(move || tools.another.get().is_some()).await;
            let _ = cast.tools.spawn(cast.hostile.0);
            let (gone, spawned) = (cast.hostile.1, cast.child);
            until(move || gone.drops() == 1 && (does.act != Spawns || spawned.drops() == 1)).await;
            let _ = cast.release.send(());
            until(move || cast.another.1.drops() == 1).await;
        })
    }))?;
    outcome.answer()?;
    assert_eq!(another.completions(), 1, "another task is not done");
    let spawned = usize::from(does.act == Spawns);
    assert_eq!(child.completions(), spawned, "what was spawned is not done");
    assert_dropped_once(&[hostile, child, another]);
    Ok(())
}

/// While a runtime is dropped that has not run.
fn unrun(runtime: &'static dyn Runtime, does: TaskCombination) -> Answer {
    let Cast {
        tools,
        hostile,
        child,
        ..
    } = Cast::of(does);
    let (task, hostile) = hostile;
    let takes = tools.clone();
    runtime.drop_unrun(Box::new(move |spawn| {
        takes.take(spawn);
        vec![task]
    }))?;
    is_over(tools, &[hostile, child])
}

/// As it is spawned on a runtime that was dropped.
fn refused(runtime: &'static dyn Runtime, does: TaskCombination) -> Answer {
    let Cast {
        tools,
        hostile,
        child,
        ..
    } = Cast::of(does);
    let (task, hostile) = hostile;
    let (tell, told) = mpsc::channel();
    runtime.drop_unrun(Box::new(move |spawn| {
        let _ = tell.send(spawn);
        Vec::new()
    }))?;
    let spawn = told.recv().expect("the tasks were made");
    spawn(Box::pin(async {}))?; // not its job, perhaps
    tools.take(spawn);
    tools.spawn(task)?;
    is_over(tools, &[hostile, child])
}

/// While a runtime is dropped that has polled it, and another.
fn at_shutdown(runtime: &'static dyn Runtime, does: TaskCombination) -> Answer {
    let Cast {
        tools,
        hostile,
        child,
        another,
        release,
    } = Cast::of(does);
    let (takes, polled) = (tools.clone(), tools.clone());
    let both = move || polled.itself.get().is_some() && polled.another.get().is_some();
    let (tasks, counts) = (vec![hostile.0, another.0], [hostile.1, another.1, child]);
    runtime.stop(
        Box::new(move |spawn| {
            takes.take(spawn);
            tasks
        }),
        Box::pin(async {
            until(both).await;
        }),
    )?;
    drop(release);
    is_over(tools, &counts)
}

/// Asserts that nothing is left after a shutdown. What was spawned is the last of these.
fn is_over(tools: Arc<Tools>, counts: &[Counts]) -> Answer {
    let (child, others) = counts.split_last().expect("there is one");
    assert_dropped_once(others);
    tools.outcome().answer()?;
    drop(tools);
    assert_dropped_once(counts);
    assert_eq!(child.polls(), 0, "what was spawned was polled");
    Ok(())
}
