//! `block_on` with a waker of the caller's choice, which is how the demo and the tests run both wakers of this stage.

use std::{future::Future, sync::Arc, task::Waker};

use crate::{Parker, block_on::poll_and_park};

/// [`block_on`](crate::block_on()) with a waker of your choice: [`Waker::from`], or one that is made by hand.
pub fn block_on_with<F: Future>(waker_for: fn(Arc<Parker>) -> Waker, future: F) -> F::Output {
    let parker = Arc::new(Parker::default());
    let waker = waker_for(Arc::clone(&parker));
    poll_and_park(future, &waker, &parker)
}
