//! The output of a task, and the waker of the task that waits for it.

use std::{
    future::{Future, poll_fn},
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
};

use futures_util::FutureExt;

use super::fault::Fault;
use crate::{
    lock::lock,
    runtime::{Job, message},
};

type Result = std::result::Result<u32, String>;

#[derive(Default)]
pub(super) struct Output {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    output: Option<Result>,
    waits: Option<Waker>,
}

impl Output {
    /// Runs the job and leaves its output here.
    pub(super) async fn fill(self: Arc<Self>, job: Job, fault: Fault) {
        let output = AssertUnwindSafe(job).catch_unwind().await;
        let output = output.map(|output| match fault {
            Fault::AnswersZero => 0,
            _ => output,
        });
        let output = output.map_err(|payload| match fault {
            Fault::LosesTheMessage => "the task has panicked".to_owned(),
            _ => message(&*payload),
        });
        let mut state = lock(&self.state);
        if state.waits.is_some() || fault != Fault::AnswersOnlyWhoWaits {
            state.output = Some(output);
        }
        let waits = state.waits.take();
        drop(state);
        if let Some(waits) = waits.filter(|_| fault != Fault::EndsInSilence) {
            waits.wake();
        }
    }

    /// Waits until there is an output.
    pub(super) fn wait(self: Arc<Self>) -> impl Future<Output = Result> + Send {
        poll_fn(move |cx| {
            let mut state = lock(&self.state);
            if let Some(output) = state.output.take() {
                return Poll::Ready(output);
            }
            state.waits = Some(cx.waker().clone());
            Poll::Pending
        })
    }
}
