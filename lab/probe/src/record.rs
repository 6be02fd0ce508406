//! Records a closure.

use crate::{recorder::Recorder, recording::Recording, scope, task::Watcher};

/// Runs `f`, and records what happens to the futures that are [`watch`](crate::watch)ed in it.
///
/// ```
/// use probe::{What, record, watch};
/// use std::{pin::pin, task::{Context, Waker}};
///
/// let recording = record(|| {
///     let mut future = pin!(watch("seven", async { 7 }));
///     assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
/// });
/// assert!(recording.events.iter().any(|event| event.what == What::Ready));
/// ```
pub fn record(f: impl FnOnce()) -> Recording {
    let recorder = Recorder::start();
    if cfg!(recorded) {
        recorder.everywhere();
    }
    scope::inside(vec![Watcher::Recorder(recorder.clone())], f);
    recorder.finish()
}
