//! Ten thousand requests, a hundred at a time: in a task each, or all in one.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use futures::{StreamExt, TryStreamExt, stream};
use tokio::{sync::Semaphore, task::JoinSet, time::sleep};

// ANCHOR: in_tasks
/// Returns every result, by the number of its request.
async fn in_tasks(site: Arc<Site>) -> BTreeMap<u32, Result<Answer, Refused>> {
    let permits = Arc::new(Semaphore::new(100));
    let mut tasks = JoinSet::new();
    for number in 0..10_000 {
        let permit = Arc::clone(&permits).acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        let site = Arc::clone(&site);
        tasks.spawn(async move {
            // Released when this task is over, even by a panic.
            let _permit = permit;
            (number, site.get(number).await)
        });
    }
    tasks.join_all().await.into_iter().collect()
}

/// Returns the answers in the order of their requests, or the first error.
async fn in_one_task(site: &Site) -> Result<Vec<Answer>, Refused> {
    stream::iter(0..10_000)
        .map(|number| site.get(number))
        .buffered(100)
        .try_collect()
        .await
}
// ANCHOR_END: in_tasks

#[derive(Debug, PartialEq)]
struct Answer(u32);

#[derive(Debug, PartialEq)]
struct Refused(u32);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} is refused", self.0)
    }
}

/// Takes 10 ms for an answer, and 30 ms for every seventh.
#[derive(Default)]
struct Site {
    refuses: Option<u32>,
    /// How many requests have begun.
    begun: AtomicUsize,
    /// How many are waiting.
    now: AtomicUsize,
    /// How many have been waiting at the same time.
    most: AtomicUsize,
}

impl Site {
    fn that_refuses(number: u32) -> Site {
        Site {
            refuses: Some(number),
            ..Site::default()
        }
    }

    async fn get(&self, number: u32) -> Result<Answer, Refused> {
        self.begun.fetch_add(1, Relaxed);
        let now = 1 + self.now.fetch_add(1, Relaxed);
        self.most.fetch_max(now, Relaxed);
        sleep(Duration::from_millis(if number % 7 == 0 { 30 } else { 10 })).await;
        self.now.fetch_sub(1, Relaxed);
        if self.refuses == Some(number) {
            Err(Refused(number))
        } else {
            Ok(Answer(number))
        }
    }

    fn most(&self) -> usize {
        self.most.load(Relaxed)
    }

    fn begun(&self) -> usize {
        self.begun.load(Relaxed)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    println!("A site refuses one of 10,000 requests, number 5,000");
    let site = Arc::new(Site::that_refuses(5_000));
    let results = in_tasks(Arc::clone(&site)).await;
    let refused = results.values().filter(|result| result.is_err()).count();
    println!(
        "   in tasks:    begun: {}, at most {} at once, answers: {}, refused: {refused}",
        site.begun(),
        site.most(),
        results.len() - refused
    );
    let site = Site::that_refuses(5_000);
    match in_one_task(&site).await {
        Ok(answers) => println!("   in one task: answers: {}", answers.len()),
        Err(error) => println!(
            "   in one task: begun: {}, at most {} at once, error: {error}",
            site.begun(),
            site.most()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn all_are_answered_in_order_and_at_most_a_hundred_at_once() {
        let site = Arc::new(Site::default());
        let answers = in_tasks(Arc::clone(&site)).await;
        let in_order = (0..10_000).map(|number| (number, Ok(Answer(number))));
        assert!(answers.into_iter().eq(in_order));
        assert_eq!(site.most(), 100);

        let site = Site::default();
        let answers = in_one_task(&site).await.unwrap();
        assert!(answers.into_iter().eq((0..10_000).map(Answer)));
        assert_eq!(site.most(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_error_cancels_the_rest_only_in_one_task() {
        let site = Arc::new(Site::that_refuses(5_000));
        let answers = in_tasks(Arc::clone(&site)).await;
        assert_eq!(answers.len(), 10_000);
        assert_eq!(answers[&5_000], Err(Refused(5_000)));

        let site = Site::that_refuses(5_000);
        assert_eq!(in_one_task(&site).await, Err(Refused(5_000)));
        assert!(site.begun() < 5_200, "{}", site.begun());
    }
}
