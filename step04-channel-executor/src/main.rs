//! One task on three executors, its polls counted; a waker that is kept; what a task does to its neighbour; and two tasks
//! that wait at the same time.

mod demo {
    pub mod kept_waker;
    pub mod neighbours;
    pub mod two_tasks;
}

use std::time::Duration;

use step04_channel_executor::{
    Polls, TimerFuture, v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken,
};

const WAIT: Duration = Duration::from_millis(100);

/// Runs the task on an executor of one version, and prints how often it was polled.
macro_rules! run_on {
    ($executor:expr, $least:literal) => {
        let polls = Polls::default();
        let (executor, spawner) = $executor;
        spawner.spawn(polls.count(howdy(polls.clone(), $least)));
        drop(spawner);
        executor.run();
        // What depends on the machine is a high count, and then it is not printed exactly.
        let polls = match polls.get() {
            polls @ ..=1000 => polls.to_string(),
            _ => "more than 1000".to_owned(),
        };
        println!("   polls: {polls}");
    };
}

fn main() {
    println!(
        "1. A task prints howdy!, awaits a timer of 100 ms, and prints done! How often is it polled?"
    );
    println!("   Version 1 checks every 10 ms whether it was woken, so it may be up to 10 ms late");
    run_on!(v1_looks_every_10_ms::executor(), 1);
    println!("   Version 2 polls a pending task again at once, so it keeps a core busy");
    run_on!(v2_sends_again::executor(), 1_001);
    println!("   Version 3 polls a task when it has been woken");
    run_on!(v3_polls_when_woken::executor(), 1);
    demo::kept_waker::show();
    demo::neighbours::show();
    demo::two_tasks::show();
}

/// It is polled this often at least, even by a machine that stands still while it waits.
async fn howdy(polls: Polls, least: usize) {
    println!("      howdy!");
    TimerFuture::new(WAIT).await;
    while polls.get() < least {
        futures::pending!();
    }
    println!("      done!");
}
