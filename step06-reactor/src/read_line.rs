//! Reads a line, byte by byte, in two ways. They differ in what is left of a line that a timeout cancels.

use futures::channel::mpsc::UnboundedReceiver;

/// Reads one line, and returns it with its newline. At the end of the input it returns what is left, without a newline.
///
/// Not cancel safe: a call that is dropped before the newline has arrived loses the bytes that it has read.
///
/// ```
/// use futures::{channel::mpsc::unbounded, executor::block_on};
/// use step06_reactor::read_line;
///
/// let (sender, mut bytes) = unbounded();
/// b"one\ntwo".iter().for_each(|byte| sender.unbounded_send(*byte).unwrap());
/// drop(sender);
/// assert_eq!(block_on(read_line(&mut bytes)), b"one\n");
/// assert_eq!(block_on(read_line(&mut bytes)), b"two");
/// ```
// ANCHOR: read_line
pub async fn read_line(bytes: &mut UnboundedReceiver<u8>) -> Vec<u8> {
    let mut line = Vec::new();
    read_line_into(bytes, &mut line).await;
    line
}
// ANCHOR_END: read_line

/// Reads the rest of a line, up to its newline or to the end of the input, and appends it to `line`. Returns whether it
/// read the newline. If not, the input has ended, and `line` holds what was left.
///
/// Clear `line` before you read the next line, because otherwise that line is appended too.
///
/// Cancel safe: a call that is dropped early leaves in `line` what it has read, and the next call continues there.
///
/// ```
/// use futures::{channel::mpsc::unbounded, executor::block_on};
/// use step06_reactor::read_line_into;
///
/// let (sender, mut bytes) = unbounded();
/// b"lo\n".iter().for_each(|byte| sender.unbounded_send(*byte).unwrap());
/// let mut line = b"hel".to_vec();
/// assert!(block_on(read_line_into(&mut bytes, &mut line)));
/// assert_eq!(line, b"hello\n");
/// ```
// ANCHOR: read_line_into
pub async fn read_line_into(bytes: &mut UnboundedReceiver<u8>, line: &mut Vec<u8>) -> bool {
    while let Ok(byte) = bytes.recv().await {
        line.push(byte);
        if byte == b'\n' {
            return true;
        }
    }
    false // the end of the input
}
// ANCHOR_END: read_line_into
