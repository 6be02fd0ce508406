//! The document's future: reads a number from the standard input and adds 10.

use std::{
    future::Future,
    num::IntErrorKind,
    pin::Pin,
    task::{Context, Poll, ready},
};

use super::{LineError, Stdin, line_error::Reason};

/// Reads a line, takes it for a whole number, and adds 10. It is ready with `None` at the end of the input.
///
/// The document's future read the line with a blocking call and took everything that is no number for 0.
///
/// ```
/// use step09_epoll_reactor::{block_on, stdin::{Stdin, StdinFuture}};
///
/// block_on(async {
///     let mut stdin = Stdin::on_thread("39\nabc\n".as_bytes())?;
///     assert_eq!(StdinFuture::new(&mut stdin).await?, Some(49));
///     let error = StdinFuture::new(&mut stdin).await.unwrap_err();
///     assert_eq!(error.to_string(), "line 2: \"abc\" is not a whole number");
///     assert_eq!(StdinFuture::new(&mut stdin).await?, None);
///     Ok::<(), Box<dyn std::error::Error>>(())
/// })
/// # .unwrap()
/// ```
#[derive(Debug)]
pub struct StdinFuture<'a> {
    stdin: &'a mut Stdin,
}

impl<'a> StdinFuture<'a> {
    /// Reads the next line of this input.
    pub fn new(stdin: &'a mut Stdin) -> StdinFuture<'a> {
        StdinFuture { stdin }
    }
}

impl Future for StdinFuture<'_> {
    type Output = Result<Option<i64>, LineError>;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let line = ready!(self.stdin.poll_line(cx))?;
        let sum = line.map(|text| add_ten(text).map_err(|reason| self.stdin.error(reason)));
        Poll::Ready(sum.transpose())
    }
    // ANCHOR_END: poll
}

fn add_ten(text: String) -> Result<i64, Reason> {
    match text.trim().parse::<i64>() {
        Ok(number) => number.checked_add(10).ok_or(Reason::SumTooLarge(text)),
        Err(error) => Err(match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => Reason::TooLarge(text),
            _ => Reason::NotANumber(text),
        }),
    }
}
