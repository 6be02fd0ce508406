//! A future: a question that may be asked again, and the two answers to it.

/// What [`SimpleFuture::poll`] answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// ANCHOR: poll
pub enum Poll<T> {
    /// Finished, with this value. Do not ask again.
    Ready(T),
    /// Not yet. The `wake` that was passed in will be called when it is worth asking again.
    Pending,
}
// ANCHOR_END: poll

/// A value that may not be there yet.
///
/// Nothing happens before the first poll: a future is lazy.
// ANCHOR: trait
pub trait SimpleFuture {
    /// What comes out in the end.
    type Output;

    /// Goes as far as it can without waiting, and says how far that was.
    ///
    /// Whoever answers [`Poll::Pending`] makes a promise: `wake` will be called, on
    /// whatever thread, once polling again is worth it. A `wake` too many costs a poll; a
    /// `wake` too few is a hang.
    ///
    /// After [`Poll::Ready`] the future is finished, and must not be polled again.
    fn poll(&mut self, wake: fn()) -> Poll<Self::Output>;
}
// ANCHOR_END: trait
