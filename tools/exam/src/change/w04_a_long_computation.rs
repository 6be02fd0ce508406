//! A task that computes for long, and a neighbour that waits for its turn on the same thread.

use std::sync::{Arc, Mutex};

use step04_channel_executor::executor;
use step08_join_handle::yield_now;

// ANCHOR: program
async fn compute(progress: Arc<Mutex<usize>>) {
    for _ in 0..1_000 {
        compute_one_part();
        *progress.lock().unwrap() += 1;
    }
}
// ANCHOR_END: program

// ANCHOR: change
async fn changed(progress: Arc<Mutex<usize>>) {
    for part in 1..=1_000 {
        compute_one_part();
        *progress.lock().unwrap() += 1;
        if part % 10 == 0 {
            yield_now().await;
        }
    }
}
// ANCHOR_END: change

fn compute_one_part() {
    std::hint::black_box((0..100_u32).sum::<u32>());
}

#[test]
fn a_neighbour_has_its_turn_after_ten_parts_of_a_thousand() {
    /// The parts that are computed when it's the neighbour's turn.
    fn parts<F: Future<Output = ()> + Send + 'static>(task: fn(Arc<Mutex<usize>>) -> F) -> usize {
        let (progress, seen) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(None)));
        let (executor, spawner) = executor();
        spawner.spawn(task(Arc::clone(&progress)));
        let note = Arc::clone(&seen);
        let now = Arc::clone(&progress);
        spawner.spawn(async move { *note.lock().unwrap() = Some(*now.lock().unwrap()) });
        drop(spawner);
        crate::within(|| executor.run());
        assert_eq!(*progress.lock().unwrap(), 1_000);
        let seen = seen.lock().unwrap().take();
        seen.expect("the neighbour is polled")
    }
    assert_eq!((parts(compute), parts(changed)), (1_000, 10));
}
