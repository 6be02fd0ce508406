//! `select!` in a loop, and what becomes of the branches that lose. The clock is paused, so that every run is the same.

use std::{cell::Cell, future::ready, pin::pin, time::Duration};

use tokio::{
    join, select,
    sync::mpsc::{self, Receiver, Sender},
    time::sleep,
    try_join,
};

/// How many parts the file of `download` has.
const PARTS: u32 = 6;
const PART: Duration = Duration::from_millis(100);

/// Fetches a file, part by part, and counts the parts in `fetched`.
async fn download(fetched: &Cell<u32>) -> &'static str {
    for _ in 0..PARTS {
        sleep(PART).await;
        fetched.set(fetched.get() + 1);
    }
    "the file"
}

/// Sends four orders, one every 250 ms.
async fn customers(orders: Sender<u32>) {
    for order in 1..=4 {
        sleep(Duration::from_millis(250)).await;
        let _ = orders.send(order).await; // fails if no one serves any more
    }
}

// ANCHOR: restarts
async fn serve_restarting(
    mut orders: Receiver<u32>,
    mut handle: impl FnMut(u32),
    fetched: &Cell<u32>,
) -> &'static str {
    loop {
        select! {
            Some(order) = orders.recv() => handle(order),
            file = download(fetched) => return file,
        }
    }
}
// ANCHOR_END: restarts

// ANCHOR: serve
async fn serve(
    mut orders: Receiver<u32>,
    mut handle: impl FnMut(u32),
    fetched: &Cell<u32>,
) -> Option<&'static str> {
    let mut download = pin!(download(fetched));
    let mut file = None;
    loop {
        select! {
            biased;
            Some(order) = orders.recv() => handle(order),
            done = &mut download, if file.is_none() => file = Some(done),
            else => return file,
        }
    }
}
// ANCHOR_END: serve

/// Which of two branches wins 1,000 times, if both are always ready.
async fn wins() -> [(u32, u32); 2] {
    let (mut random, mut biased) = ((0, 0), (0, 0));
    for _ in 0..1000 {
        select! {
            () = ready(()) => random.0 += 1,
            () = ready(()) => random.1 += 1,
        }
        select! {
            biased;
            () = ready(()) => biased.0 += 1,
            () = ready(()) => biased.1 += 1,
        }
    }
    [random, biased]
}

/// Fails after 250 ms.
async fn log_in() -> Result<(), &'static str> {
    sleep(Duration::from_millis(250)).await;
    Err("wrong password")
}

async fn open_shop(handle: impl FnMut(u32), fetched: &Cell<u32>) -> Option<&'static str> {
    let (orders, received) = mpsc::channel(8);
    let ((), file) = join!(customers(orders), serve(received, handle, fetched));
    file
}

// ANCHOR: try_join
async fn log_in_and_download(fetched: &Cell<u32>) -> Result<&'static str, &'static str> {
    let ((), file) = try_join!(log_in(), async { Ok(download(fetched).await) })?;
    Ok(file)
}
// ANCHOR_END: try_join

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    println!("A server handles four orders, while it downloads a file of {PARTS} parts.");
    let print = |order| println!("      order {order}");
    println!("1. Each round of the loop makes a new download");
    let (orders, received) = mpsc::channel(8);
    let fetched = Cell::new(0);
    let (_, file) = join!(
        customers(orders),
        serve_restarting(received, print, &fetched)
    );
    println!("   got {file}, parts fetched: {}", fetched.get());

    println!("2. The download is made before the loop, and each round borrows it");
    let fetched = Cell::new(0);
    let file = open_shop(print, &fetched).await;
    let file = file.expect("it returns after the download");
    println!("   got {file}, parts fetched: {}", fetched.get());

    println!("3. Two branches are always ready, in 1000 rounds. How often is each of them chosen?");
    let [random, biased] = wins().await;
    let is_shared = random.0 > 300 && random.1 > 300;
    println!("   in random order: each more than 300 times: {is_shared}");
    println!("   with biased: {} and {} times", biased.0, biased.1);

    println!("4. try_join! of a login that fails and the download");
    let fetched = Cell::new(0);
    let error = log_in_and_download(&fetched).await;
    let error = error.expect_err("the login fails");
    println!("   {error}, parts fetched: {}", fetched.get());
}

#[cfg(test)]
mod tests {
    use futures::poll;
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_download_made_in_the_loop_begins_again_after_each_order() {
        let (orders, received) = mpsc::channel(8);
        let fetched = Cell::new(0);
        join!(
            customers(orders),
            serve_restarting(received, drop, &fetched)
        );
        // Two parts before each of the four orders are lost.
        assert_eq!(fetched.get(), 4 * 2 + PARTS);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pinned_download_goes_on_from_round_to_round() {
        let fetched = Cell::new(0);
        let file = open_shop(drop, &fetched).await;
        assert_eq!((file, fetched.get()), (Some("the file"), PARTS));
    }

    #[tokio::test(start_paused = true)]
    async fn orders_are_handled_before_a_download_that_is_ready_too() {
        // In random order, each run would have them after the download with a chance of one in two.
        for _ in 0..20 {
            let (orders, received) = mpsc::channel(8);
            let fetched = Cell::new(0);
            let handle = |_| assert_eq!(fetched.get(), PARTS - 1);
            let mut serving = pin!(serve(received, handle, &fetched));
            for _ in 1..PARTS {
                assert!(poll!(&mut serving).is_pending());
                advance(PART).await;
            }
            assert!(poll!(&mut serving).is_pending());
            orders.try_send(1).expect("there is room for eight");
            advance(PART).await;
            assert!(poll!(&mut serving).is_pending());
            drop(orders);
            assert_eq!(serving.await, Some("the file"));
        }
    }

    #[tokio::test]
    async fn only_biased_keeps_the_written_order() {
        let [random, biased] = wins().await;
        assert!(random.0 > 300 && random.1 > 300, "{random:?}");
        assert_eq!(biased, (1000, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn try_join_drops_the_download_when_the_login_fails() {
        let fetched = Cell::new(0);
        let file = log_in_and_download(&fetched).await;
        assert_eq!((file, fetched.get()), (Err("wrong password"), 2));
    }
}
