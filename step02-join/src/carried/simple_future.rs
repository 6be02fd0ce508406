//! What a future is: a trait with one method, and the two answers that the method can give.

/// What [`SimpleFuture::poll`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// ANCHOR: poll
pub enum Poll<T> {
    /// The work is done, and this is its value. Do not poll again.
    Ready(T),
    /// Not yet. The `wake` that was passed in will be called once another poll can get
    /// further.
    Pending,
}
// ANCHOR_END: poll

/// Work that will produce a value, and that goes on only while it is polled.
///
/// A future is lazy: nothing happens before the first poll.
// ANCHOR: trait
pub trait SimpleFuture {
    /// The value that the work produces.
    type Output;

    /// Goes as far as it can without waiting, and returns.
    ///
    /// A future that returns [`Poll::Pending`] makes a promise: `wake` will be called, on
    /// any thread, once another poll can make progress. Calling `wake` too often wastes polls;
    /// forgetting it hangs the program.
    ///
    /// After [`Poll::Ready`] the future is finished, and must not be polled again.
    fn poll(&mut self, wake: fn()) -> Poll<Self::Output>;
}
// ANCHOR_END: trait
