//! What several threads share, on loom, which takes the orders of the threads' steps one after another: all of them, or
//! where a model says so, all with at most so many interruptions.
//!
//! The sources themselves are modules of this crate, because a user of the runtime cannot see so much.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step10-work-stealing --test loom --target-dir target/loom`
#![cfg(loom)]

mod idle_model;
mod parking_model;
mod task_model;
mod workers_model;

#[allow(
    dead_code,
    unused_imports,
    missing_docs,
    reason = "it is the whole of the crate, and the models use some of it"
)]
#[path = "../../src"]
mod src {
    pub mod carried {
        pub mod contain;
        pub mod executor {
            pub mod park;
        }
        pub mod join_error;
        pub mod reactor {
            pub mod driver;
            pub mod selector;
            pub mod slab;
            pub mod source;
            #[cfg(target_os = "linux")]
            pub mod v2_epoll;
            pub mod v3_polling;
        }
    }

    pub mod budget;
    pub mod context;
    pub mod handle;
    pub mod idle;
    pub mod injector;
    pub mod list;
    pub mod metrics;
    pub mod parking;
    pub mod registered;
    pub mod runtime;
    pub mod sync;
    pub mod task;
    pub mod version;
    pub mod worker;
}
mod untimed;

#[cfg(target_os = "linux")]
use src::carried::reactor::v2_epoll::Epoll;
#[cfg(not(target_os = "linux"))]
use src::carried::reactor::v3_polling::Polling;

use src::{
    budget,
    carried::{
        contain,
        executor::park::{Park, Parker},
        join_error::JoinError,
        reactor::{
            driver::Reactor,
            selector::{self, Direction},
            source,
        },
    },
    context,
    handle::{self, Handle},
    idle, injector, list,
    metrics::{self, WorkerMetrics},
    parking,
    registered::Registered,
    sync,
    task::{self, self as task_future, JoinHandle},
    version::Version,
    worker,
};
use untimed::{Sleep, time_driver, workers};
