//! The runtimes of all three versions, as `properties` knows a runtime.

use std::future::Future;

use step08_join_handle::{JoinError, v1_oneshot, v2_state_bits, v3_async_task};

macro_rules! runtime {
    ($name:ident, $version:ident, { $($own:tt)* }) => {
        pub struct $name(pub $version::Runtime);

        impl properties::Runtime for $name {
            type Error = JoinError;
            type Handle<T: Send + 'static> = $version::JoinHandle<T>;

            $($own)*

            fn start(workers: usize) -> Self {
                $name($version::Runtime::new(workers))
            }

            fn spawn<T: Send + 'static>(
                &self,
                future: impl Future<Output = T> + Send + 'static,
            ) -> Self::Handle<T> {
                self.0.handle().spawn(future)
            }

            fn is_panic(error: &JoinError) -> bool {
                error.is_panic()
            }
        }
    };
}

runtime!(Oneshot, v1_oneshot, {
    const ABORTS: bool = false;
    const TELLS: bool = false;

    fn abort<T: Send + 'static>(_: &Self::Handle<T>) {
        unreachable!("it cannot abort a task");
    }
});

runtime!(StateBits, v2_state_bits, {
    fn abort<T: Send + 'static>(handle: &Self::Handle<T>) {
        handle.abort();
    }
});

runtime!(AsyncTask, v3_async_task, {
    const TELLS: bool = false;
    // async-task ends the process if a waker panics.
    const WAKERS: bool = false;

    fn abort<T: Send + 'static>(handle: &Self::Handle<T>) {
        handle.abort();
    }
});
