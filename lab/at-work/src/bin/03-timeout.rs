//! A timeout drops the future that is late. What does it lose? The clock is paused, so that every run is the same.

use std::time::Duration;

use tokio::{
    join,
    sync::mpsc::{self, Receiver, Sender},
    time::{sleep, timeout},
};

const FULL: usize = 4;
const SECOND: Duration = Duration::from_secs(1);

// ANCHOR: loses
/// Collects readings until there are four of them, or no more arrive.
async fn next_batch(readings: &mut Receiver<u32>) -> Vec<u32> {
    let mut batch = Vec::new();
    while batch.len() < FULL {
        let Some(reading) = readings.recv().await else {
            break;
        };
        batch.push(reading);
    }
    batch
}

async fn store_losing(mut readings: Receiver<u32>, mut store: impl FnMut(Vec<u32>)) {
    loop {
        match timeout(SECOND, next_batch(&mut readings)).await {
            Ok(batch) if batch.is_empty() => return, // the sensor is gone
            Ok(batch) => store(batch),
            Err(_) => println!("   no batch within a second"),
        }
    }
}
// ANCHOR_END: loses

/// Like `next_batch`, but what it has collected belongs to the caller.
async fn fill(batch: &mut Vec<u32>, readings: &mut Receiver<u32>) {
    while batch.len() < FULL {
        let Some(reading) = readings.recv().await else {
            break;
        };
        batch.push(reading);
    }
}

// ANCHOR: keeps
async fn store_all(mut readings: Receiver<u32>, mut store: impl FnMut(Vec<u32>)) {
    loop {
        let mut batch = Vec::new();
        let filled = timeout(SECOND, fill(&mut batch, &mut readings)).await;
        if !batch.is_empty() {
            store(batch);
        } else if filled.is_ok() {
            return; // the sensor is gone
        }
    }
}
// ANCHOR_END: keeps

/// Sends ten readings, one every 200 ms, but pauses before the seventh.
async fn sensor(readings: Sender<u32>) {
    for reading in 1..=10 {
        sleep(Duration::from_millis(200)).await;
        if reading == 7 {
            sleep(Duration::from_millis(1300)).await;
        }
        let _ = readings.send(reading).await; // fails if no one stores them any more
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    println!(
        "A sensor sends 1 to 10. They are stored in batches of four, or whatever has arrived after one second."
    );
    println!("1. The timeout drops a future that owns its batch");
    let (sender, readings) = mpsc::channel(8);
    let store = |batch| println!("   stored {batch:?}");
    join!(sensor(sender), store_losing(readings, store));

    println!("2. The timeout drops a future that borrows its batch");
    let (sender, readings) = mpsc::channel(8);
    join!(sensor(sender), store_all(readings, store));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_batch_that_the_future_owns_is_lost_with_it() {
        let (sender, readings) = mpsc::channel(8);
        let mut stored = Vec::new();
        let store = |batch| stored.push(batch);
        join!(sensor(sender), store_losing(readings, store));
        assert_eq!(stored, [vec![1, 2, 3, 4], vec![8, 9, 10]]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_batch_that_the_future_borrows_is_kept() {
        let (sender, readings) = mpsc::channel(8);
        let mut stored = Vec::new();
        let store = |batch| stored.push(batch);
        join!(sensor(sender), store_all(readings, store));
        assert_eq!(
            stored,
            [vec![1, 2, 3, 4], vec![5, 6], vec![7], vec![8, 9, 10]]
        );
    }
}
