//! Records a closure.

use crate::{recorder::Recorder, recording::Recording, scope, task::Watcher};

/// Runs `f`, and records what happens to the futures that are [`watch`](crate::watch)ed in it.
pub fn record(f: impl FnOnce()) -> Recording {
    let recorder = Recorder::start();
    if cfg!(recorded) {
        recorder.everywhere();
    }
    scope::inside(Watcher::Recorder(recorder.clone()), f);
    recorder.finish()
}
