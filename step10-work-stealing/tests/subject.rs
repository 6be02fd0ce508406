//! The runtime, as `properties` knows one.

use std::future::Future;

use step10_work_stealing::{JoinError, JoinHandle, Parker, Runtime, Version};

pub struct Subject(pub Runtime);

impl properties::Runtime for Subject {
    type Error = JoinError;
    type Handle<T: Send + 'static> = JoinHandle<T>;

    /// With a driver that needs no system, so that Miri can run it.
    fn start(workers: usize) -> Subject {
        let park = Parker::default();
        Subject(Runtime::with_park(workers, Version::default(), park))
    }

    fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.0.spawn(future)
    }

    fn abort<T: Send + 'static>(handle: &JoinHandle<T>) {
        handle.abort();
    }

    fn is_panic(error: &JoinError) -> bool {
        error.is_panic()
    }
}
