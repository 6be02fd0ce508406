//! What a semaphore hands out.

use super::semaphore::Semaphore;

/// One permit of a [`Semaphore`], which is given back when this is dropped.
#[derive(Debug)]
#[must_use = "a permit that is dropped is given back"]
// ANCHOR: permit
pub struct Permit(pub(super) Option<Semaphore>);

impl Permit {
    /// Takes the permit away from its semaphore for good.
    pub fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(semaphore) = self.0.take() {
            semaphore.add_permits(1);
        }
    }
}
// ANCHOR_END: permit
