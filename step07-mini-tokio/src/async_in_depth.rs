//! What the document *Async in depth* (004) builds, in its order: a lazy `async fn`, one future in four versions, an
//! `async` block by hand, and a runtime that never sleeps. Its second runtime is [`MiniTokio`](crate::MiniTokio).
//!
//! Each of its delays starts threads of its own, which is what stage 06 does away with.

pub mod delay;
mod laziness;
mod main_future;
pub mod mini_tokio;

pub use delay::v3_latest_waker::Delay;
pub use laziness::my_async_fn;
pub use main_future::MainFuture;
