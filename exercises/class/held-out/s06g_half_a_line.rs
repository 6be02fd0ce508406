#[cfg(test)]
mod tests {
    use super::*;
    use futures::channel::mpsc::unbounded;
    use probe::{watch, within};
    use std::{
        future::Future,
        pin::pin,
        task::{Context, Waker},
        time::Duration,
    };
    use step05_parker_block_on::block_on;

    #[test]
    fn of_three_lines_cancelled_at_each_byte_no_byte_is_lost_or_doubled() {
        let (sender, bytes) = unbounded();
        let mut lines = Lines::new(bytes);
        let mut seen = Vec::new();
        for byte in *b"one\n\nthree\nend" {
            sender.unbounded_send(byte).unwrap();
            for _ in 0..2 {
                let mut next = pin!(lines.next());
                let mut cx = Context::from_waker(Waker::noop());
                if let std::task::Poll::Ready(line) = next.as_mut().poll(&mut cx) {
                    seen.push(line.unwrap());
                }
            }
        }
        assert_eq!(seen, [&b"one"[..], b"", b"three"]);
        drop(sender);
        let last = within(Duration::from_secs(2), || {
            block_on(watch("the last lines", async {
                (lines.next().await, lines.next().await)
            }))
        });
        assert_eq!(last, (Some(b"end".to_vec()), None));
    }
}
