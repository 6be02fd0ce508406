//! A task that looks for its neighbour's answer again and again, and never lets the neighbour run.

use std::{future::ready, sync::Arc, sync::Mutex};

use futures::channel::oneshot::{self, Receiver};
use step07_mini_tokio::MiniTokio;

// ANCHOR: program
/// Waits for the answer of another task. Gives up after a million looks.
async fn wait_for(mut answer: Receiver<u32>) -> Option<u32> {
    for _ in 0..1_000_000 {
        if let Ok(Some(answer)) = answer.try_recv() {
            return Some(answer);
        }
        ready(()).await; // let the other task run
    }
    None
}
// ANCHOR_END: program

// ANCHOR: repair
async fn wait_for_repaired(answer: Receiver<u32>) -> Option<u32> {
    answer.await.ok()
}
// ANCHOR_END: repair

#[test]
fn an_await_that_is_ready_lets_no_other_task_run() {
    fn answer<F: Future<Output = Option<u32>> + Send + 'static>(
        wait_for: impl FnOnce(Receiver<u32>) -> F,
    ) -> Option<u32> {
        let (mini_tokio, (sender, receiver)) = (MiniTokio::new(), oneshot::channel());
        let (got, waits) = (Arc::new(Mutex::new(None)), wait_for(receiver));
        let result = Arc::clone(&got);
        mini_tokio.spawn(async move { *result.lock().unwrap() = waits.await });
        mini_tokio.spawn(async move { _ = sender.send(42) });
        crate::within(|| mini_tokio.run());
        let got = got.lock().unwrap();
        *got
    }
    assert_eq!(answer(wait_for), None);
    assert_eq!(answer(wait_for_repaired), Some(42));
}
