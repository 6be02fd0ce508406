//! Timers. They wait on the runtime of the thread that made them.

pub use crate::carried::{
    interval::{Interval, interval},
    sleep::{Sleep, sleep},
    timeout::{Elapsed, Timeout, timeout},
};
