//! Stops one task, and tells apart how it ended.

use std::time::Duration;

use tokio::{
    task::{JoinError, JoinHandle},
    time::sleep,
};

// ANCHOR: stop
/// Stops a task and waits until its future has been dropped. The output is `None` unless the task
/// finishes before it can be stopped.
async fn stop<T>(task: JoinHandle<T>) -> Result<Option<T>, JoinError> {
    task.abort();
    match task.await {
        Ok(output) => Ok(Some(output)),
        Err(error) if error.is_cancelled() => Ok(None),
        Err(panic) => Err(panic),
    }
}
// ANCHOR_END: stop

// The clock is paused, so that every run is the same.
#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    for seconds in [1, 3] {
        let task = tokio::spawn(download());
        sleep(Duration::from_secs(seconds)).await;
        let output = stop(task).await.expect("a download does not panic");
        println!("stopped after {seconds} s: {output:?}");
    }
}

/// Takes two seconds.
async fn download() -> &'static str {
    sleep(Duration::from_secs(2)).await;
    "six parts"
}

#[cfg(test)]
mod tests {
    use std::{future::pending, sync::Arc};

    use tokio::{task::yield_now, time::timeout};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[tokio::test(start_paused = true)]
    async fn a_stopped_task_has_been_dropped() {
        let held = Arc::new(());
        let holds = Arc::clone(&held);
        let task = tokio::spawn(async move {
            pending::<()>().await;
            drop(holds);
        });
        yield_now().await; // the task reaches its `.await`
        let stopped = timeout(HOUR, stop(task)).await.expect("it stops");
        assert_eq!(stopped.unwrap(), None);
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[tokio::test]
    async fn a_finished_task_still_returns_its_output() {
        let task = tokio::spawn(async { 7 });
        yield_now().await; // the task finishes
        assert_eq!(stop(task).await.unwrap(), Some(7));
    }

    #[tokio::test]
    async fn a_panic_is_not_taken_for_a_stop() {
        let task = tokio::spawn(async { panic!("this panic belongs to the test") });
        yield_now().await; // the task panics
        let stopped: Result<Option<()>, _> = stop(task).await;
        assert!(stopped.unwrap_err().is_panic());
    }
}
