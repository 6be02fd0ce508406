//! The two tasks of *Inside async* (002), each with a name, and futures that run in turn.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    thread,
    time::Duration,
};

use step04_channel_executor::{Polls, Signal, Spawner, executor};

type BoxFuture = Pin<Box<dyn Future<Output = &'static str> + Send>>;

fn main() {
    let (executor, spawner) = executor();
    let polls = Polls::default();
    let [after_3, after_6] = [(); 2].map(|()| Arc::<Signal>::default());
    let sleeper = sleep_future(Arc::clone(&after_3));
    let block = async_block_future(Arc::clone(&after_6));
    spawn(&spawner, &polls, "3 s of sleep", vec![Box::pin(sleeper)]);
    spawn(&spawner, &polls, "Start, Sleep, End", vec![Box::pin(block)]);
    // The thread starts when both tasks sleep, and it ends both sleeps. That makes their order
    // certain on any machine.
    spawner.spawn(async {
        thread::spawn(|| {
            for signal in [after_3, after_6] {
                thread::sleep(Duration::from_millis(15)); // the document: 3 s
                signal.fire();
            }
        });
    });
    drop(spawner);
    executor.run();
    println!("polls: {polls}");
}

fn spawn(spawner: &Spawner, polls: &Polls, name: &'static str, futures: Vec<BoxFuture>) {
    spawner.spawn(polls.count(async move {
        for future in futures {
            println!("{}", future.await);
        }
        println!("Task {name} completed!");
    }));
}

async fn sleep_future(signal: Arc<Signal>) -> &'static str {
    println!("...zzz");
    poll_fn(|cx| signal.poll_fired(cx)).await;
    "wake from sleep!"
}

async fn async_block_future(signal: Arc<Signal>) -> &'static str {
    println!("start");
    println!("{}", sleep_future(signal).await);
    "end"
}
