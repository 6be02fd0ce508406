//! How often is a task polled while its neighbour waits, blocks the thread, or never yields?

use std::{
    future::{poll_fn, ready},
    sync::Arc,
    thread,
    time::Duration,
};

use step04_channel_executor::{Signal, TimerFuture, polls_of_neighbour, yield_now};

const WORK: Duration = Duration::from_millis(100);

pub fn show() {
    println!(
        "3. A task takes 100 ms, and its neighbour naps 3 times. How many polls does the neighbour get?"
    );
    // ANCHOR: blocks
    let awaits = async { TimerFuture::new(WORK).await };
    let blocks = async { thread::sleep(WORK) };
    // ANCHOR_END: blocks
    // On a busy machine, three naps of 10 ms may take longer than 100 ms.
    let finished = Arc::<Signal>::default();
    let fire = Arc::clone(&finished);
    let neighbour = async move {
        three_naps().await;
        fire.fire();
    };
    let awaits = async move {
        awaits.await;
        poll_fn(|cx| finished.poll_fired(cx)).await;
    };
    let polls = polls_of_neighbour(neighbour, awaits);
    println!("   if the task awaits a timer: {polls} (at the start, and after each nap)");
    let polls = polls_of_neighbour(three_naps(), blocks);
    println!("   if it blocks the thread: {polls} (at the start, as no other thread polls tasks)");

    println!(
        "4. A task awaits a million ready futures. How many polls does its yielding neighbour get?"
    );
    let never_yields = async {
        for _ in 0..1_000_000 {
            ready(()).await;
        }
    };
    let yields = async {
        for i in 0..1_000_000 {
            ready(()).await;
            if i % 1_000 == 0 {
                yield_now().await;
            }
        }
    };
    let polls = polls_of_neighbour(many_yields(), never_yields);
    println!(
        "   if the task never yields: {polls} (at the start, as an await of a ready future ends no poll)"
    );
    let polls = polls_of_neighbour(many_yields(), yields);
    println!("   if it yields once per thousand: {polls} (at the start, and at 1000 yields)");
}

// ANCHOR: three_naps
async fn three_naps() {
    for _ in 0..3 {
        TimerFuture::new(Duration::from_millis(10)).await;
    }
}
// ANCHOR_END: three_naps

async fn many_yields() {
    for _ in 0..2_000 {
        yield_now().await;
    }
}
