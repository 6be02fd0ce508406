//! Panics: what a test makes on purpose, what it catches, and what nobody knows of, such as that of a thread of the runtime.

use std::{
    any::Any,
    mem,
    panic::{self, AssertUnwindSafe, UnwindSafe},
    sync::Mutex,
};

use crate::lock::lock;

/// What a panic says that a test makes.
pub(crate) const ON_PURPOSE: &str = "this panic belongs to the test";

/// A panic that no test made and none has caught.
#[derive(Debug, Clone)]
pub(crate) struct Stray {
    pub(crate) message: String,
    /// File and line, such as `runtime.rs:12`.
    pub(crate) place: String,
}

static STRAYS: Mutex<Vec<Stray>> = Mutex::new(Vec::new());

/// From here on, each panic in this process is noted.
pub(crate) fn watch() {
    // Without a backtrace: what is found out for it is kept, and would be counted as a leak. And a runtime that ends the
    // process because of a panic would take so long to print one that the test could be over first.
    panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        let message = message(panic.payload());
        if !message.contains(ON_PURPOSE) {
            let place = panic.location().map(|at| {
                let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
                format!("{file}:{}", at.line())
            });
            let place = place.unwrap_or_default();
            lock(&STRAYS).push(Stray { message, place });
        }
    }));
}

/// A test knows of a panic with this message.
fn is_known(message: &str) {
    let mut strays = lock(&STRAYS);
    if let Some(place) = strays.iter().position(|stray| stray.message == message) {
        strays.swap_remove(place);
    }
}

/// The message of one that nobody knows of.
pub(crate) fn first_stray() -> Option<Stray> {
    lock(&STRAYS).first().cloned()
}

/// Calls `f`, and catches its panic as a message.
///
/// # Errors
///
/// The message of the panic.
pub fn caught<T>(f: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    panic::catch_unwind(f).map_err(|payload| {
        let message = message(&*payload);
        is_known(&message);
        message
    })
}

/// Drops the results of tasks, and contains the panic of a destructor.
///
/// For an adapter whose runtime hands out what the panic of a task carries, as tokio's `JoinError` does. From then on it is the
/// adapter's: a destructor of it that panics says nothing about the runtime.
///
/// ```
/// # use std::any::Any;
/// struct Payload;
///
/// impl Drop for Payload {
///     fn drop(&mut self) {
///         panic!("dropped");
///     }
/// }
///
/// let result: Result<(), Box<dyn Any + Send>> = Err(Box::new(Payload));
/// runtime_contract::discard([result]);
/// ```
pub fn discard<T>(results: impl IntoIterator<Item = T>) {
    for result in results {
        let dropped = panic::catch_unwind(AssertUnwindSafe(|| drop(result)));
        // It may panic when it is dropped, too.
        let _ = dropped.map_err(mem::forget);
    }
}

/// In place of the message of a panic that has none.
pub(crate) const SILENT: &str = "a panic without a message";

/// The message of a panic.
pub fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| SILENT.to_owned())
}
