use super::*;
use probe::{Counted, watch, within};
use std::sync::mpsc;
use std::time::Duration;
use step04_channel_executor::TimerFuture;

#[test]
fn it_polls_each_task_when_it_is_spawned_and_when_it_is_woken() {
    within(Duration::from_secs(2), || {
        let (sender, queue) = mpsc::channel();
        let mut counts = Vec::new();
        for ms in [30, 10, 20] {
            let timer = TimerFuture::new(Duration::from_millis(ms));
            let counted = Counted::new(watch(format!("timer of {ms} ms"), timer));
            counts.push(counted.counts());
            spawn(&sender, counted);
        }
        drop(sender);
        run(queue);
        let finished = counts
            .iter()
            .filter(|counts| counts.completions() == 1)
            .count();
        let polls: Vec<_> = counts.iter().map(|counts| counts.polls()).collect();
        assert!(
            finished == 3,
            "`run` returned, and {finished} of 3 tasks are finished. Their polls: {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for the wake of its timer.\n\
             Look at: does `run` wait when the queue is empty? Does `wake` send the task?"
        );
        assert!(
            polls == [2, 2, 2],
            "All tasks are finished, and their polls were {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for the wake of its timer.\n\
             Look at: what sends a task to the queue besides `spawn` and `wake`?"
        );
    });
}
