//! What panics and belongs to others ends no worker, of any version.

use std::{future::Future, time::Duration};

use step08_join_handle::{JoinError, v1_oneshot, v2_state_bits, v3_async_task};
use table::{Bad, Runtime};

mod table;

const LIMIT: Duration = Duration::from_secs(20);

macro_rules! runtime {
    ($version:ident, $($constants:tt)*) => {
        impl Runtime for $version::Runtime {
            type Handle = $version::JoinHandle<Bad>;

            $($constants)*

            fn start() -> Self {
                Self::new(1)
            }

            fn spawn(&self, future: impl Future<Output = Bad> + Send + 'static) -> Self::Handle {
                self.handle().spawn(future)
            }
        }

        #[test]
        fn $version() {
            table::check_all::<$version::Runtime>(LIMIT);
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
