//! Serves a client that sends lines: reports every ten seconds, and gives up after thirty seconds of silence.

use std::time::Duration;

use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::{Instant, MissedTickBehavior, interval, sleep},
};

const REPORT: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(30);

/// Why a client isn't served any more.
#[derive(Debug, PartialEq)]
enum End {
    Closed,
    Idle,
}

// ANCHOR: serve
async fn serve(mut lines: Receiver<String>, mut report: impl FnMut(usize)) -> End {
    let mut received = 0;
    let mut ticks = interval(REPORT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut idle = std::pin::pin!(sleep(IDLE));
    loop {
        tokio::select! {
            line = lines.recv() => match line {
                Some(_) => {
                    received += 1;
                    idle.as_mut().reset(Instant::now() + IDLE);
                }
                None => return End::Closed,
            },
            _ = ticks.tick() => report(received),
            () = &mut idle => return End::Idle,
        }
    }
}
// ANCHOR_END: serve

/// Sends `lines` lines, one every three seconds, and then stays silent without closing the channel.
async fn client(lines: usize, to: Sender<String>) {
    for number in 0..lines {
        sleep(Duration::from_secs(3)).await;
        if to.send(format!("line {number}")).await.is_err() {
            return;
        }
    }
    to.closed().await;
}

// The clock is paused here as in the tests, because nobody wants to watch a client for a minute.
#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let start = Instant::now();
    let (to, lines) = mpsc::channel(1);
    let report = |received| println!("{:2} s: {received} lines", start.elapsed().as_secs());
    let (end, ()) = tokio::join!(serve(lines, report), client(8, to));
    println!("{:2} s: {end:?}", start.elapsed().as_secs());
}

#[cfg(test)]
mod tests {
    use tokio::{runtime::Builder, time::timeout};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    // ANCHOR: test
    #[tokio::test(start_paused = true)]
    async fn a_client_is_given_up_thirty_seconds_after_its_last_line() {
        let (to, lines) = mpsc::channel(1);
        let start = Instant::now();
        let mut reports = Vec::new();
        let serving = serve(lines, |received| reports.push(received));
        let both = async { tokio::join!(serving, client(8, to)) };
        let (end, ()) = timeout(HOUR, both).await.expect("it gives up");
        assert_eq!(end, End::Idle);
        // The last of the eight lines is sent after 24 seconds.
        assert_eq!(start.elapsed().as_secs(), 54);
        assert_eq!(reports, [0, 3, 6, 8, 8, 8]);
    }
    // ANCHOR_END: test

    #[test]
    fn a_client_that_leaves_is_not_waited_for() {
        let mut paused = Builder::new_current_thread();
        let runtime = paused.enable_time().start_paused(true).build();
        let runtime = runtime.expect("it starts");
        // A paused clock stands still while a loop spins, so an hour of its time is no limit for that.
        probe::within(Duration::from_secs(10), || {
            runtime.block_on(async {
                let (to, lines) = mpsc::channel(1);
                drop(to);
                let start = Instant::now();
                assert_eq!(serve(lines, |_| ()).await, End::Closed);
                assert_eq!(start.elapsed(), Duration::ZERO);
            });
        });
    }
}
