//! A task that does something to its runtime at a moment at which the runtime may not expect it.

use std::{
    fmt,
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll},
    thread,
};

use crate::{
    Answer, BoxFuture, Spawn, Unsupported, caught, fixtures::LatestWaker, lock::lock,
    panics::ON_PURPOSE,
};

/// When it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    FirstPoll,
    LastPoll,
    /// The others are destructors.
    Finished,
    AfterAPanic,
    Unrun,
    Shutdown,
    Refused,
}

/// What it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskAct {
    WakesItself,
    WakesAnother,
    Spawns,
    Panics,
}

/// One act at one moment. Its text is how a test names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaskCombination {
    pub(super) when: When,
    pub(super) act: TaskAct,
    /// It asks another thread to do it, and waits for that: whatever is locked meanwhile is locked for that thread.
    pub(super) elsewhere: bool,
}

impl fmt::Display for TaskCombination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.when {
            When::FirstPoll => "in its first poll, a task ",
            When::LastPoll => "in its last poll, a task ",
            When::Finished => "dropped when it is ready, a future ",
            When::AfterAPanic => "dropped after a panic, a future ",
            When::Unrun => "dropped with a runtime that never ran, a future ",
            When::Shutdown => "dropped with its runtime, a future ",
            When::Refused => "refused since the runtime is gone, a future ",
        })?;
        f.write_str(match self.act {
            TaskAct::WakesItself => "wakes its own task",
            TaskAct::WakesAnother => "wakes another task",
            TaskAct::Spawns => "spawns",
            TaskAct::Panics => "panics",
        })?;
        f.write_str(if self.elsewhere {
            " on another thread, and waits for that"
        } else {
            ""
        })
    }
}

/// What it acts with.
pub(super) struct Tools {
    spawn: OnceLock<Spawn>,
    child: Mutex<Option<BoxFuture>>,
    /// The waker of its own task, from its first poll on.
    pub(super) itself: LatestWaker,
    pub(super) another: LatestWaker,
    outcome: Arc<Outcome>,
}

/// What came of it. It is apart from the tools because some runtimes run as long as anything can spawn.
#[derive(Default)]
pub(super) struct Outcome {
    not_its_job: AtomicBool,
    trouble: Mutex<Option<String>>,
}

impl Outcome {
    /// Asserts that the act was over without a panic, if it was one that the runtime offers.
    pub(super) fn answer(&self) -> Answer {
        let trouble = lock(&self.trouble).take();
        assert!(trouble.is_none(), "{}", trouble.unwrap_or_default());
        if self.not_its_job.load(SeqCst) {
            Err(Unsupported)
        } else {
            Ok(())
        }
    }
}

impl Tools {
    /// With what is to be spawned.
    pub(super) fn new(child: BoxFuture) -> Arc<Tools> {
        Arc::new(Tools {
            spawn: OnceLock::new(),
            child: Mutex::new(Some(child)),
            itself: LatestWaker::default(),
            another: LatestWaker::default(),
            outcome: Arc::default(),
        })
    }

    /// Takes what spawns. Without that, the task does nothing: it was never given to a runtime.
    pub(super) fn take(&self, spawn: Spawn) {
        let _ = self.spawn.set(spawn);
    }

    pub(super) fn spawn(&self, task: BoxFuture) -> Answer {
        self.spawn.get().ok_or(Unsupported)?(task)
    }

    pub(super) fn outcome(&self) -> Arc<Outcome> {
        self.outcome.clone()
    }

    fn act(&self, act: TaskAct) {
        // No lock of ours is held here: only the runtime's are on trial.
        let wake = |latest: &LatestWaker| {
            let waker = latest.get();
            waker.expect("that task was polled before").wake();
        };
        match act {
            TaskAct::WakesItself => wake(&self.itself),
            TaskAct::WakesAnother => wake(&self.another),
            TaskAct::Panics => panic!("{ON_PURPOSE}"),
            TaskAct::Spawns => {
                let child = lock(&self.child).take().expect("it acts once");
                if self.spawn(child).is_err() {
                    self.outcome.not_its_job.store(true, SeqCst);
                }
            }
        }
    }
}

/// The task itself. It is pending once and then ready, unless its moment needs something else.
pub(super) struct HostileTask {
    does: TaskCombination,
    tools: Arc<Tools>,
    polls: usize,
}

impl HostileTask {
    pub(super) fn new(does: TaskCombination, tools: Arc<Tools>) -> HostileTask {
        let polls = 0;
        HostileTask { does, tools, polls }
    }

    fn act(&self) {
        let TaskCombination { act, elsewhere, .. } = self.does;
        if act == TaskAct::Panics {
            return self.tools.act(act);
        }
        let tools = self.tools.clone();
        let acts = AssertUnwindSafe(move || tools.act(act));
        let acted = if elsewhere {
            thread::spawn(|| caught(acts)).join().expect("caught")
        } else {
            caught(acts)
        };
        *lock(&self.tools.outcome.trouble) = acted.err();
    }
}

impl Future for HostileTask {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.polls += 1;
        self.tools.itself.leave(cx);
        match (self.does.when, self.polls) {
            (When::FirstPoll, 1) | (When::LastPoll, 2) => self.act(),
            (When::AfterAPanic, 2) => panic!("{ON_PURPOSE}"),
            _ => {}
        }
        match (self.does.when, self.polls) {
            // Until it is dropped, also if it is polled without a wake.
            (When::Unrun | When::Shutdown, _) => return Poll::Pending,
            (_, 2) => return Poll::Ready(()),
            _ => cx.waker().wake_by_ref(),
        }
        Poll::Pending
    }
}

impl Drop for HostileTask {
    fn drop(&mut self) {
        match self.does.when {
            When::FirstPoll | When::LastPoll => {}
            _ if self.tools.spawn.get().is_none() => {}
            _ => self.act(),
        }
    }
}
