//! The runs that the book shows, in its order.

mod step01;
mod step02;
mod step03;
mod step04;
mod step05;
mod step06;
mod step07;
mod step08;
mod step09;
mod step10;

use std::time::Duration;

use crate::{run::Run, times::Times};

/// All of them.
pub const ALL: &[Run] = &[
    step01::LOOKING,
    step01::TOLD,
    step02::JOIN,
    step02::AND_THEN,
    step03::BLOCK_ON,
    step04::BUSY,
    step04::WOKEN,
    step05::PARKER,
    step06::REACTOR,
    step07::HANDED_OVER,
    step08::WOKEN_IN_POLL,
    step09::SOCKET_READY,
    step10::STEAL,
];

/// Two runs each, on one axis.
pub const TIMES: &[Times] = &[step01::TIMES, step02::TIMES];

/// The shortest delay of a run. What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);
/// The longer delay of a run that has two.
const LONG: Duration = Duration::from_millis(40);

const MAIN: &str = "main";
/// A picture of all that was recorded.
const ALL_EVENTS: usize = usize::MAX;
