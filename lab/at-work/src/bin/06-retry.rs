//! Retries a call, with a pause that grows. A paused clock shows how.

use std::time::Duration;

use tokio::time::{Instant, sleep};

// ANCHOR: retry
/// Calls until the answer is `Ok`, at most `calls` times but at least once. The first pause is
/// 100 ms, and each further one is twice as long, up to ten seconds.
async fn retry<T, E>(calls: u32, mut call: impl AsyncFnMut() -> Result<T, E>) -> Result<T, E> {
    let mut pause = Duration::from_millis(100);
    for _ in 1..calls {
        if let Ok(answer) = call().await {
            return Ok(answer);
        }
        sleep(pause).await;
        pause = (2 * pause).min(Duration::from_secs(10));
    }
    call().await
}
// ANCHOR_END: retry

// The clock is paused, so that every run is the same.
#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let start = Instant::now();
    let mut left = 3;
    let answer = retry(5, async || {
        println!("called after {} ms", start.elapsed().as_millis());
        left -= 1;
        if left > 0 { Err("busy") } else { Ok(7) }
    });
    println!("{:?}", answer.await);
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANCHOR: test
    #[tokio::test(start_paused = true)]
    async fn each_pause_is_twice_as_long() {
        let start = Instant::now();
        let mut called = Vec::new();
        let busy = async || {
            called.push(start.elapsed().as_millis());
            Err::<(), _>("busy")
        };
        assert_eq!(retry(5, busy).await, Err("busy"));
        assert_eq!(called, [0, 100, 300, 700, 1_500]);
    }
    // ANCHOR_END: test

    #[tokio::test(start_paused = true)]
    async fn no_pause_is_longer_than_ten_seconds() {
        let start = Instant::now();
        let refused = retry(10, async || Err::<(), _>("busy")).await;
        assert_eq!(refused, Err("busy"));
        // 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10 and 10 seconds.
        assert_eq!(start.elapsed().as_millis(), 32_700);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_answer_is_returned_at_once() {
        let start = Instant::now();
        let mut calls = 0;
        let answer = retry(10, async || {
            calls += 1;
            if calls == 3 { Ok(calls) } else { Err("busy") }
        });
        assert_eq!(answer.await, Ok(3));
        assert_eq!(start.elapsed().as_millis(), 300);
    }
}
