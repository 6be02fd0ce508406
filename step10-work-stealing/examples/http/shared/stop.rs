//! Ctrl-C.

use std::{future::Future, io, process};

use futures::{FutureExt, channel::oneshot};

/// Returns a future that is ready when Ctrl-C has been pressed, or the system ends the process in an orderly way. The
/// second time, the process ends at once.
///
/// The crate `ctrlc` has a thread for this, which every runtime can do without knowing about signals.
///
/// # Errors
///
/// Those of the system, or that it has been called before.
pub fn asked_to_stop() -> io::Result<impl Future<Output = ()> + Send> {
    let (sender, receiver) = oneshot::channel();
    let mut first = Some(sender);
    ctrlc::set_handler(move || match first.take() {
        Some(sender) => drop(sender.send(())),
        None => process::exit(130),
    })
    .map_err(io::Error::other)?;
    Ok(receiver.map(|_| ()))
}
