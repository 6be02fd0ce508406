//! The programs of *Async in depth* (004), in its order: a lazy `async fn`, a delay, the same by hand, mini-tokio twice, and a
//! delay that one task polls and another one awaits.

use std::{
    io,
    net::TcpListener,
    time::{Duration, Instant},
};

use step07_mini_tokio::{
    MiniTokio,
    async_in_depth::{Delay, MainFuture, mini_tokio, my_async_fn},
    hand_over,
};

fn main() -> io::Result<()> {
    on_tokio()?;
    let mut on_a_queue = mini_tokio::MiniTokio::new();
    on_a_queue.spawn(async { assert_eq!(delay().await, "done") });
    on_a_queue.run();
    let mini_tokio = MiniTokio::new();
    mini_tokio.spawn(async { assert_eq!(delay().await, "done") });
    mini_tokio.run();
    between_tasks()
}

#[tokio::main(flavor = "current_thread")]
async fn on_tokio() -> io::Result<()> {
    let server = TcpListener::bind("127.0.0.1:0")?;
    let what_is_this = my_async_fn(server.local_addr()?);
    println!("nothing has been printed yet");
    what_is_this.await?;
    assert_eq!(delay().await, "done");
    assert_eq!(MainFuture::State0.await, "done");
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn between_tasks() -> io::Result<()> {
    // On a busy machine 10 ms may pass before the first poll, and then there is nothing left to hand over.
    let far_off = Delay::until(Instant::now() + Duration::from_millis(300));
    let polled_here = hand_over(far_off).await;
    let awaited_there = tokio::spawn(polled_here);
    assert_eq!(awaited_there.await?, "done");
    Ok(())
}

fn delay() -> Delay {
    Delay::until(Instant::now() + Duration::from_millis(10))
}
