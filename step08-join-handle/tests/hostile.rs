//! What panics and belongs to others ends no worker, of any version.

use std::time::Duration;

use properties::ends;

use super::subjects::{AsyncTask, Oneshot, StateBits};

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn v1_oneshot() {
    ends::check_all::<Oneshot>(LIMIT);
}

#[test]
fn v2_state_bits() {
    ends::check_all::<StateBits>(LIMIT);
}

#[test]
fn v3_async_task() {
    ends::check_all::<AsyncTask>(LIMIT);
}
