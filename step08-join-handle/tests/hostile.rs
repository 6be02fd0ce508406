//! What panics and belongs to others ends no worker, of any version.

use std::{future::Future, time::Duration};

use properties::ends::{self, Bad};
use step08_join_handle::{JoinError, v1_oneshot, v2_state_bits, v3_async_task};

const LIMIT: Duration = Duration::from_secs(20);

macro_rules! runtime {
    ($version:ident, $($constants:tt)*) => {
        #[test]
        fn $version() {
            struct Subject($version::Runtime);

            impl ends::Runtime for Subject {
                type Error = JoinError;
                type Handle = $version::JoinHandle<Bad>;

                $($constants)*

                fn start() -> Self {
                    Subject($version::Runtime::new(1))
                }

                fn is_panic(error: &JoinError) -> bool {
                    error.is_panic()
                }

                fn spawn(&self, future: impl Future<Output = Bad> + Send + 'static) -> Self::Handle {
                    self.0.handle().spawn(future)
                }
            }

            ends::check_all::<Subject>(LIMIT);
        }
    };
}

runtime! { v1_oneshot,
    const ABORT: Option<fn(&Self::Handle)> = None;
    const TELLS: bool = false;
}
runtime! { v2_state_bits,
    const ABORT: Option<fn(&Self::Handle)> = Some(Self::Handle::abort);
}
runtime! { v3_async_task,
    const ABORT: Option<fn(&Self::Handle)> = Some(Self::Handle::abort);
    const TELLS: bool = false;
    const WAKERS: bool = false;
}
