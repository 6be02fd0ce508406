//! A run as a recording.

use std::sync::Arc;

use crate::see::{recorder::Recorder, recording::Recording, roll::Roll, scope};

/// Runs `f`, and records what happens to the futures that are [`watch`](crate::watch)ed in it.
pub fn record(f: impl FnOnce()) -> Recording {
    let recorder = Recorder::start();
    if cfg!(recorded) {
        recorder.everywhere();
    }
    let roll = Arc::new(Roll {
        recorder: Some(recorder.clone()),
        ..Roll::default()
    });
    scope::inside(Arc::downgrade(&roll), f);
    recorder.finish()
}
