//! Our own trait says how to poll. The compiler asks for its own.

pub enum Poll<T> {
    Ready(T),
    Pending,
}

pub trait SimpleFuture {
    type Output;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output>;
}
// ANCHOR: five
pub struct Five;

impl SimpleFuture for Five {
    type Output = u32;

    fn poll(&mut self, _wake: fn()) -> Poll<u32> {
        Poll::Ready(5)
    }
}

pub async fn five() -> u32 {
    Five.await
}
// ANCHOR_END: five
