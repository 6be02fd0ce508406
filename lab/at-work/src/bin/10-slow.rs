//! Finds out what is slow: which poll keeps its worker, and how long a ready task waits for one.

use std::{
    collections::BTreeMap,
    io::stderr,
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

use tokio::{
    runtime::Handle,
    task::{JoinSet, spawn_blocking},
    time::{MissedTickBehavior, interval, sleep},
};
use tracing::{Subscriber, info, instrument, span::Id};
use tracing_subscriber::{
    EnvFilter, Layer, fmt,
    fmt::format::FmtSpan,
    layer::{Context, SubscriberExt},
    registry,
    registry::LookupSpan,
    util::SubscriberInitExt,
};

/// The longest poll of the futures in each span, by the name of the span.
// ANCHOR: polls
/// When a span was entered. A type of its own, because all layers share a span's extensions.
struct Entered(Instant);

#[derive(Clone, Default)]
struct LongestPolls(Arc<Mutex<BTreeMap<&'static str, Duration>>>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for LongestPolls {
    fn on_enter(&self, id: &Id, cx: Context<'_, S>) {
        let span = cx.span(id).expect("it is being entered");
        span.extensions_mut().replace(Entered(Instant::now()));
    }

    fn on_exit(&self, id: &Id, cx: Context<'_, S>) {
        let span = cx.span(id).expect("it is being left");
        let entered = span.extensions_mut().remove::<Entered>();
        let took = entered.map_or(Duration::ZERO, |Entered(at)| at.elapsed());
        let mut polls = self.lock();
        let longest = polls.entry(span.name()).or_default();
        *longest = took.max(*longest);
    }
}
// ANCHOR_END: polls

impl LongestPolls {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, Duration>> {
        self.0.lock().expect("no code panics while it holds this")
    }
}

// ANCHOR: heartbeat
/// Reports in each period how late this task gets its turn, and how busy the workers are.
async fn heartbeat(period: Duration) {
    let metrics = Handle::current().metrics();
    let mut beats = interval(period);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let late = beats.tick().await.elapsed();
        let workers = 0..metrics.num_workers();
        let busy: Duration = workers
            .map(|worker| metrics.worker_total_busy_duration(worker))
            .sum();
        let tasks = metrics.num_alive_tasks();
        info!(?late, ?busy, tasks);
    }
}
// ANCHOR_END: heartbeat

/// Stands for a computation, or for a call that blocks.
fn resize() {
    thread::sleep(Duration::from_millis(40));
}

#[instrument]
async fn thumbnail(blocks: bool) {
    if blocks {
        resize();
    } else {
        spawn_blocking(resize).await.expect("it does not panic");
    }
}

// ANCHOR: request
#[instrument]
async fn request(number: u32, blocks: bool) {
    sleep(Duration::from_millis(5)).await; // a query
    if number == 7 {
        thumbnail(blocks).await;
    }
}
// ANCHOR_END: request

// ANCHOR: main
#[tokio::main(flavor = "current_thread")]
async fn main() {
    let polls = LongestPolls::default();
    // What to print is in `RUST_LOG`, such as `info,hyper=warn`.
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let spans = fmt::layer()
        .with_span_events(FmtSpan::CLOSE) // a line for each span when it closes
        .with_writer(stderr)
        .with_filter(filter);
    registry().with(polls.clone()).with(spans).init();
    tokio::spawn(heartbeat(Duration::from_millis(10)));
    // ANCHOR_END: main

    for (place, blocks) in [
        ("in its poll", true),
        ("on a thread for blocking calls", false),
    ] {
        println!("Ten requests, one of which makes a thumbnail {place}");
        polls.lock().clear();
        let requests: JoinSet<()> = (0..10).map(|number| request(number, blocks)).collect();
        requests.join_all().await;
        for (name, longest) in polls.lock().iter() {
            let longest = longest.as_millis();
            println!("{longest:4} ms: the longest poll of `{name}`");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use tokio::{task::yield_now, time::advance};

    /// What a subscriber prints.
    #[derive(Clone, Default)]
    struct Printed(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Printed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_heartbeat_says_how_late_it_is_and_how_many_tasks_there_are() {
        let printed = Printed::default();
        let writer = printed.clone();
        let log = fmt::layer()
            .with_ansi(false)
            .with_writer(move || writer.clone());
        let _log = registry().with(log).set_default();
        tokio::spawn(heartbeat(Duration::from_secs(1)));
        yield_now().await; // the first heartbeat is due at once
        advance(Duration::from_millis(1_050)).await; // as if a poll took so long
        yield_now().await;
        let printed = String::from_utf8(printed.0.lock().unwrap().clone()).unwrap();
        let late: Vec<_> = printed
            .lines()
            .filter_map(|line| line.split("late=").nth(1))
            .collect();
        assert_eq!(late.len(), 2, "{printed}");
        assert!(
            late[0].starts_with("0ns ") && late[1].starts_with("50ms "),
            "{printed}"
        );
        assert!(late[1].ends_with("tasks=1"), "{printed}");
    }

    #[tokio::test]
    async fn a_span_is_entered_for_each_poll_so_waiting_does_not_count() {
        let polls = LongestPolls::default();
        let _polls = registry().with(polls.clone()).set_default();
        request(7, true).await;
        let longest = polls.lock().clone();
        assert!(
            longest.keys().eq(["request", "thumbnail"].iter()),
            "{longest:?}"
        );
        assert!(
            longest["thumbnail"] >= Duration::from_millis(40),
            "{longest:?}"
        );
        assert!(longest["request"] >= longest["thumbnail"], "{longest:?}");
    }
}
