//! What panics and belongs to others ends no worker.

use std::time::Duration;

use properties::ends;

use super::subject::Subject;

#[test]
fn whatever_panics_the_only_worker_runs_the_next_task() {
    ends::check_all::<Subject>(Duration::from_secs(20));
}
