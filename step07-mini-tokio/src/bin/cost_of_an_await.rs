//! What an `.await` costs, beside a call: nanoseconds for each, the least of many short rounds. Run it with `--release`.

use std::{hint::black_box, time::Instant};

use tokio::{runtime::Builder, task::yield_now};

/// In a round, and rounds.
const TIMES: u32 = 1_000;

#[inline(never)]
fn call(n: u32) -> u32 {
    black_box(n)
}

#[inline(never)]
async fn ready(n: u32) -> u32 {
    black_box(n)
}

macro_rules! least {
    ($what:literal, $n:ident => $each:expr) => {{
        let mut least = f64::MAX;
        for _ in 0..TIMES {
            let start = Instant::now();
            for $n in 0..TIMES {
                _ = black_box($each);
            }
            least = least.min(start.elapsed().as_secs_f64());
        }
        println!("{:>8.1} ns  {}", least * 1e9 / f64::from(TIMES), $what);
    }};
}

fn main() {
    let tokio = Builder::new_current_thread().build().expect("a runtime");
    tokio.block_on(async {
        least!("a call", n => call(n));
        least!("an async fn that is ready at once", n => ready(n).await);
        least!("the same in a box", n => Box::pin(ready(n)).await);
        least!("yield_now: out to tokio's loop and back", _n => yield_now().await);
        least!("a task, spawned and awaited", n => tokio::spawn(ready(n)).await);
    });
}
