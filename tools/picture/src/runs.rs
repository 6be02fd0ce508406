//! The runs that the book shows, in its order.

mod s01;
mod s02;
mod s03;
mod s04;
mod s05;
mod s06;
mod s07;

use std::time::Duration;

use crate::run::Run;

/// All of them.
pub const ALL: &[Run] = &[
    s01::LOOKING,
    s01::TOLD,
    s02::JOIN,
    s02::AND_THEN,
    s03::BLOCK_ON,
    s04::BUSY,
    s04::WOKEN,
    s05::PARKER,
    s06::REACTOR,
    s07::HANDED_OVER,
];

/// The shortest delay of a run. What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);
/// The longer delay of a run that has two.
const LONG: Duration = Duration::from_millis(40);

const MAIN: &str = "main";
/// A picture of all that was recorded.
const ALL_EVENTS: usize = usize::MAX;
