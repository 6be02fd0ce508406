//! A run as a file, for those who ask for it: `WHY_PENDING_TRACE=run.json`.

use std::{
    env, io,
    path::{self, Path, PathBuf},
    sync::{Arc, Mutex, Once},
};

use crate::{
    say::{book, pages},
    see::{lock::own, recorder::Recorder, recording::Recording},
};

/// The environment variable with the name of the file.
pub(crate) const VARIABLE: &str = "WHY_PENDING_TRACE";

/// How to see a run that hangs, if a run can be written.
pub(crate) fn advice() -> String {
    if !cfg!(feature = "trace") {
        return String::new();
    }
    let file = env::var_os(VARIABLE).map(PathBuf::from);
    let set = format!("set {VARIABLE} to the full path of a file, run it again, and then");
    let how = match (book::shows_a_run(), file) {
        (None, _) => format!("{set} read {}", book::read(&[pages::TRACE])),
        (Some((show, _)), Some(file)) => {
            let file = path::absolute(&file).unwrap_or(file);
            show.replace("FILE", &file.display().to_string())
        }
        (Some((show, place)), None) => format!("{set}, in {place}: {show}"),
    };
    format!("Step by step: {how}\n")
}

/// A recording that goes into a file.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) recorder: Arc<Recorder>,
    file: PathBuf,
    /// Once it is over, and until it is in the file.
    over: Mutex<Option<Recording>>,
    stopped: Once,
}

impl Trace {
    /// Begins one, if the environment asks for it.
    pub(crate) fn begin() -> Option<Trace> {
        let file = PathBuf::from(env::var_os(VARIABLE)?);
        let recorder = Recorder::start();
        recorder.everywhere();
        Some(Trace {
            recorder,
            file,
            over: Mutex::default(),
            stopped: Once::new(),
        })
    }

    /// What comes later is not taken down.
    pub(crate) fn stop(&self) {
        let stop = || *own(&self.over) = Some(self.recorder.finish());
        self.stopped.call_once(stop);
    }

    /// Writes it, with what the watchdog says of it. The run itself is not to fail for it.
    pub(crate) fn end(&self, report: &str) {
        let Some(mut recording) = own(&self.over).take() else {
            return;
        };
        report.clone_into(&mut recording.report);
        if let Err(error) = write(&self.file, &recording) {
            eprintln!("{VARIABLE}: {}: {error}", self.file.display());
        }
    }
}

#[cfg(feature = "trace")]
fn write(file: &Path, recording: &Recording) -> io::Result<()> {
    std::fs::write(file, recording.to_json() + "\n")
}

#[cfg(not(feature = "trace"))]
fn write(_: &Path, _: &Recording) -> io::Result<()> {
    Err(io::Error::other(
        "it takes the feature `trace` of why-pending",
    ))
}
