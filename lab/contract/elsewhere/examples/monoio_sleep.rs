//! A task polls a sleep once and hands it to another task. monoio 0.2.4 wakes the first task, and the other one waits forever.

use std::{
    future::{Future, poll_fn},
    task::Poll,
    time::Duration,
};

fn main() {
    let mut runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new()
        .enable_timer()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut sleep = Box::pin(monoio::time::sleep(Duration::from_millis(50)));
        let is_ready = poll_fn(|cx| Poll::Ready(sleep.as_mut().poll(cx).is_ready()));
        assert!(!is_ready.await);
        println!("waiting");
        monoio::spawn(sleep).await;
        println!("ready");
    });
}
