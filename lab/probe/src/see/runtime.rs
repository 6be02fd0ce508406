//! A runtime of tokio's, of which only this is asked: whether it is being dropped.

#[cfg(feature = "tokio")]
pub(crate) struct Runtime(::tokio::runtime::Handle);

/// There is none.
#[cfg(not(feature = "tokio"))]
pub(crate) enum Runtime {}

#[cfg(feature = "tokio")]
impl Runtime {
    /// The one in which the calling thread polls.
    pub(crate) fn here() -> Option<Runtime> {
        ::tokio::runtime::Handle::try_current().ok().map(Runtime)
    }

    /// Whether its drop has begun. From then on it ends each new task at once, even one that would wait forever.
    pub(crate) fn is_dropped(&self) -> bool {
        let task = self.0.spawn(std::future::pending::<()>());
        let is_over = task.is_finished();
        task.abort();
        is_over
    }
}

#[cfg(not(feature = "tokio"))]
impl Runtime {
    pub(crate) fn here() -> Option<Runtime> {
        None
    }

    pub(crate) fn is_dropped(&self) -> bool {
        match *self {}
    }
}
