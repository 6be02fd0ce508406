//! A waker that unparks a thread, in two versions: by hand, and by the standard library's `Wake`.
//!
//! ```
//! use step05_parker_block_on::Parker;
//! use std::{sync::Arc, task::Waker};
//!
//! let parker = Arc::new(Parker::default());
//! let waker = Waker::from(Arc::clone(&parker));
//! waker.wake();
//! parker.park(); // returns at once
//! ```

pub mod v1_by_hand;
pub mod v2_by_wake;
