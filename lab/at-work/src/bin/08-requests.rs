//! Ten thousand requests, a hundred at a time, and a server that stops without breaking off what it has begun.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use futures::{StreamExt, stream};
use tokio::{
    sync::{Semaphore, mpsc},
    task::{JoinError, JoinSet},
    time::{Instant, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

// ANCHOR: in_tasks
async fn in_tasks(site: Arc<Site>) -> Vec<u32> {
    let permits = Arc::new(Semaphore::new(100));
    let mut tasks = JoinSet::new();
    for number in 0..10_000 {
        let permit = Arc::clone(&permits).acquire_owned().await;
        let site = Arc::clone(&site);
        tasks.spawn(async move {
            // Given back when this task is over, even by a panic.
            let _permit = permit;
            site.get(number).await
        });
    }
    tasks.join_all().await
}

async fn in_one_task(site: &Site) -> Vec<u32> {
    let requests = stream::iter(0..10_000).map(|number| site.get(number));
    requests.buffer_unordered(100).collect().await
}
// ANCHOR_END: in_tasks

/// Answers each request after 10 ms.
#[derive(Default)]
struct Site {
    /// How many requests are waiting.
    now: AtomicUsize,
    /// How many have been waiting at the same time.
    most: AtomicUsize,
}

impl Site {
    async fn get(&self, number: u32) -> u32 {
        let now = 1 + self.now.fetch_add(1, Relaxed);
        self.most.fetch_max(now, Relaxed);
        sleep(Duration::from_millis(10)).await;
        self.now.fetch_sub(1, Relaxed);
        number
    }

    fn most(&self) -> usize {
        self.most.load(Relaxed)
    }
}

/// Requests arrive here. Each says how long it takes to answer.
type Connection = mpsc::Receiver<Duration>;

// ANCHOR: serve
async fn serve(
    mut listener: mpsc::Receiver<Connection>,
    stop: CancellationToken,
    report: impl Fn(Result<usize, JoinError>),
) {
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(connection) = listener.recv() => {
                tasks.spawn(handle(connection, stop.clone()));
            }
            Some(result) = tasks.join_next() => report(result),
        }
    }
    let the_rest = async {
        while let Some(result) = tasks.join_next().await {
            report(result);
        }
    };
    if timeout(Duration::from_secs(10), the_rest).await.is_err() {
        tasks.shutdown().await; // aborts them, and waits until they are dropped
    }
}

async fn handle(mut client: Connection, stop: CancellationToken) -> usize {
    let mut answers = 0;
    while let Some(Some(request)) = stop.run_until_cancelled(client.recv()).await {
        answer(request).await; // `stop` doesn't reach into this
        answers += 1;
    }
    answers
}
// ANCHOR_END: serve

async fn answer(request: Duration) {
    sleep(request).await;
}

/// Runs a server that is stopped after a second. Its clients have sent requests that take so many seconds, and wait for more.
async fn stopped(requests: &[&[u64]], report: impl Fn(Result<usize, JoinError>)) {
    let (accept, listener) = mpsc::channel(requests.len());
    let mut clients = Vec::new();
    for requests in requests {
        let (client, connection) = mpsc::channel(4);
        for seconds in *requests {
            let request = Duration::from_secs(*seconds);
            client.try_send(request).expect("there is room for it");
        }
        accept.try_send(connection).expect("there is room for it");
        clients.push(client);
    }
    let stop = CancellationToken::new();
    let server = serve(listener, stop.clone(), report);
    let stopping = async {
        sleep(Duration::from_secs(1)).await;
        stop.cancel();
    };
    tokio::join!(server, stopping);
    assert!(
        clients.iter().all(mpsc::Sender::is_closed),
        "no task is left"
    );
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    println!("10,000 requests, a hundred at a time");
    let site = Arc::new(Site::default());
    let answers = in_tasks(Arc::clone(&site)).await.len();
    println!(
        "   JoinSet and Semaphore: {answers} answers, at most {} at once",
        site.most()
    );
    let site = Site::default();
    let answers = in_one_task(&site).await.len();
    println!(
        "   buffer_unordered:      {answers} answers, at most {} at once",
        site.most()
    );

    println!(
        "A server is stopped after 1 s. Its clients have sent nothing, 2 requests of 2 s, and 1 of an hour"
    );
    let began = Instant::now();
    stopped(&[&[], &[2, 2], &[3_600]], |result| match result {
        Ok(answers) => println!(
            "   {:?}: a task is finished, with {answers} answers",
            began.elapsed()
        ),
        Err(error) => println!("   {:?}: {error}", began.elapsed()),
    })
    .await;
    println!("   {:?}: the server is finished", began.elapsed());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[tokio::test(start_paused = true)]
    async fn all_are_answered_and_at_most_a_hundred_at_once() {
        let site = Arc::new(Site::default());
        let mut answers = in_tasks(Arc::clone(&site)).await;
        answers.sort_unstable();
        assert!(answers.into_iter().eq(0..10_000));
        assert_eq!(site.most(), 100);

        let site = Site::default();
        let mut answers = in_one_task(&site).await;
        answers.sort_unstable();
        assert!(answers.into_iter().eq(0..10_000));
        assert_eq!(site.most(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_has_begun_is_answered_unless_it_takes_too_long() {
        let began = Instant::now();
        let reports = Mutex::new(Vec::new());
        let requests: [&[u64]; 4] = [&[], &[2, 2], &[9], &[3_600]];
        let server = stopped(&requests, |result| {
            let second = began.elapsed().as_secs();
            reports.lock().unwrap().push((second, result.unwrap()));
        });
        // The clock is paused, so a server that waits forever fails at once.
        timeout(Duration::from_secs(60), server).await.unwrap();
        assert_eq!(reports.into_inner().unwrap(), [(1, 0), (2, 1), (9, 1)]);
        assert_eq!(began.elapsed().as_secs(), 11);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_leaves_is_reported_while_the_server_runs() {
        let (accept, listener) = mpsc::channel(1);
        let (client, connection) = mpsc::channel(1);
        accept.try_send(connection).unwrap();
        drop(client);
        let stop = CancellationToken::new();
        let reports = AtomicUsize::new(0);
        let server = serve(listener, stop.clone(), |_| {
            reports.fetch_add(1, Relaxed);
        });
        timeout(Duration::from_secs(60), server).await.unwrap_err();
        assert_eq!(reports.into_inner(), 1);
    }
}
