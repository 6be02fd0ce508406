//! A task that is aborted is dropped, whatever it was doing, and nothing else happens to it.

use std::{
    future::{pending, poll_fn},
    sync::{Arc, Mutex, mpsc},
    task::Poll,
};

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime,
    fault::Fault,
    fixtures::{LatestWaker, assert_dropped_once, comes_true, counted, until, yields},
    lock::lock,
    rest,
    runtime::Abort,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[Clause {
    name: "aborted_at_any_moment",
    edition: Edition::E3,
    rule: "A task that is aborted while it waits, while it is queued or in its own poll is dropped once. One that is finished does not notice.",
    why: "A task that waits forever is aborted because it waits forever, so its resources must not wait for the next wake (tokio's issue 3964).",
    level: Level::Ecosystem,
    choice: None,
    check: Check::Runtime(
        aborted_at_any_moment,
        &[
            (Fault::AbortsWhenWoken, "while it waits"),
            (Fault::MissesAnAbortInAPoll, "in its own poll"),
        ],
    ),
}];

const MOMENTS: [&str; 4] = [
    "while it waits",
    "while it is queued",
    "in its own poll",
    "finished",
];

/// Four tasks are aborted, each twice: one that waits, one that yields again and again, one that does it in its own poll, and one
/// that is finished.
pub fn aborted_at_any_moment(runtime: &'static dyn Runtime) -> Answer {
    let latest = LatestWaker::default();
    let leaves = latest.clone();
    let (waits, waiting) = counted(poll_fn(move |cx| {
        leaves.leave(cx);
        Poll::<()>::Pending
    }));
    let (yields_on, yielding) = counted(yields(usize::MAX));
    let (finishes, finished) = counted(async {});
    let own = Arc::new(Mutex::new(None::<Abort>));
    let aborts = own.clone();
    let (aborts_itself, itself) = counted(async move {
        until({
            let own = aborts.clone();
            move || lock(&own).is_some()
        })
        .await;
        if let Some(abort) = &*lock(&aborts) {
            abort();
        }
        pending::<()>().await;
    });
    let counts = [&waiting, &yielding, &itself, &finished].map(Clone::clone);
    let (tell, told) = mpsc::channel();
    let [waits_now, yields_now, _, over] = counts.clone();
    let first_counts = counts.clone();
    runtime.run_aborting(Box::new(move |spawn| {
        Box::pin(async move {
            let all = [spawn(waits), spawn(yields_on), spawn(finishes)];
            *lock(&own) = Some(spawn(aborts_itself));

            until(move || waits_now.polls() > 0 && yields_now.polls() > 1).await;
            until(move || over.drops() > 0).await;
            for abort in all.iter().chain(&all) {
                abort();
            }
            // While the runtime is still there, which would drop them in the end.
            for (moment, counts) in MOMENTS.iter().zip(first_counts) {
                rest::says(moment);
                let dropped = until(move || counts.drops() == 1).await;
                let _ = tell.send(dropped);
                if !dropped {
                    break; // and perhaps it hangs, because it waits for that task
                }
            }
            drop(all);
            drop(lock(&own).take());
        })
    }))?;
    for (moment, dropped) in MOMENTS.iter().zip(told) {
        assert!(dropped, "aborted {moment}, it was not dropped");
    }
    assert!(
        comes_true(|| latest.get().is_some()),
        "the task that waits was never polled"
    );
    assert_dropped_once(&counts);
    assert_eq!(finished.completions(), 1);
    Ok(())
}
