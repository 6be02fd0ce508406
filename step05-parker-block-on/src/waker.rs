//! A waker that unparks a thread, in two versions: by hand, and by the standard library's `Wake`.

pub mod v1_by_hand;
pub mod v2_by_wake;
