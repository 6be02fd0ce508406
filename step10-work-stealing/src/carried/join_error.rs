//! Why a task has no output.

use std::{any::Any, error::Error, fmt, sync::Mutex};

/// The value that a panic carries: what was given to `panic!`, usually a message.
pub type Payload = Box<dyn Any + Send>;

/// Why a [`JoinHandle`](crate::JoinHandle) has no output: the task panicked, or it was cancelled.
pub struct JoinError(Reason);

enum Reason {
    Cancelled,
    Panicked {
        message: Option<String>,
        /// Never locked. The mutex is there because it makes the error `Sync`, which a payload
        /// alone is not.
        payload: Mutex<Payload>,
    },
}

impl JoinError {
    pub(crate) fn cancelled() -> JoinError {
        JoinError(Reason::Cancelled)
    }

    pub(crate) fn panicked(payload: Payload) -> JoinError {
        let text = payload.downcast_ref().map(|text: &&str| text.to_string());
        let message = text.or_else(|| payload.downcast_ref().cloned());
        let payload = Mutex::new(payload);
        JoinError(Reason::Panicked { message, payload })
    }

    /// Whether the task was aborted, or its runtime shut down, before the task was finished. If the destructor of
    /// its future panicked then, it counts as panicked.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0, Reason::Cancelled)
    }

    /// Whether the task panicked.
    pub fn is_panic(&self) -> bool {
        matches!(self.0, Reason::Panicked { .. })
    }

    /// Returns the payload of the panic. [`resume_unwind`](std::panic::resume_unwind) continues the panic with it.
    ///
    /// # Panics
    ///
    /// If the task was cancelled.
    pub fn into_panic(self) -> Payload {
        match self.0 {
            Reason::Panicked { payload, .. } => payload.into_inner().expect("it is never locked"),
            Reason::Cancelled => panic!("`into_panic` was called, but the task was cancelled"),
        }
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Cancelled => f.write_str("the task was cancelled"),
            Reason::Panicked { message, .. } => match message {
                Some(message) => write!(f, "the task panicked: {message}"),
                None => f.write_str("the task panicked"),
            },
        }
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinError({self})")
    }
}

impl Error for JoinError {}
