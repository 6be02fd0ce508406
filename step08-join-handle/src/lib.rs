//! # Stage 08: join handles and worker threads

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod sync;
}

pub mod channel;
pub mod semaphore;

use carried::{contain, sync};
