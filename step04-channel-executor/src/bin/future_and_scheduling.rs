//! The last program of *Future and scheduling* (000): a task, a timer, and an executor on a channel.

use std::{
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    thread,
    time::Duration,
};

use step04_channel_executor::{Signal, executor};

/// Ready once its thread has slept. `TimerFuture` of the stage, with the document's two lines.
#[derive(Default)]
struct TimeFuture {
    signal: Arc<Signal>,
    started: bool,
}

impl Future for TimeFuture {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let answer = self.signal.poll_fired(cx);
        if answer.is_ready() {
            println!("completed");
        } else if !mem::replace(&mut self.started, true) {
            let signal = Arc::clone(&self.signal);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(30));
                println!("wake call");
                signal.fire();
            });
        }
        answer
    }
}

fn main() {
    let (executor, spawner) = executor();
    spawner.spawn(async {
        println!("howdy!");
        TimeFuture::default().await;
        println!("done!");
    });
    drop(spawner);
    executor.run();
    println!("run has returned");
}
