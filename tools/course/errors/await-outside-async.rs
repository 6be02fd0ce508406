//! Outside of `async` there is no state machine that could be suspended here.

pub async fn async_block_future() {}

pub fn start() {
    let foo = async_block_future();
    foo.await;
}
