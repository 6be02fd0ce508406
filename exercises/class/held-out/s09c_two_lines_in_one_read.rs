#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, watch, within};
    use std::{future::poll_fn, pin::pin, time::Duration};

    fn poll(lines: &mut Lines, task: &CountingWaker) -> Poll<Option<String>> {
        let waker = task.waker();
        within(Duration::from_secs(2), || {
            let line = pin!(watch("the line", poll_fn(|cx| lines.poll_line(cx))));
            line.poll(&mut Context::from_waker(&waker))
        })
    }

    fn send(input: &Input, bytes: &[u8]) {
        let mut kernel = input.0.lock().unwrap();
        kernel.chunks.push_back(bytes.to_vec());
        let waker = kernel.waker.take();
        drop(kernel);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Reads to the end of the input, which sends a piece when the task is pending, and expects a wake for it.
    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let (mut lines, task) = (Lines::default(), CountingWaker::new());
        let input = lines.input.clone();
        let (mut pieces, mut read) = (pieces.iter(), Vec::new());
        loop {
            assert!(read.len() < 1_000, "the input does not end");
            match poll(&mut lines, &task) {
                Poll::Ready(Some(line)) => read.push(line),
                Poll::Ready(None) => return read,
                Poll::Pending => {
                    let before = task.wakes();
                    match pieces.next() {
                        Some(piece) => send(&input, piece),
                        None => {
                            let mut kernel = input.0.lock().unwrap();
                            assert!(!kernel.ended, "pending at the end");
                            kernel.ended = true;
                            let waker = kernel.waker.take();
                            drop(kernel);
                            waker.into_iter().for_each(Waker::wake);
                        }
                    }
                    assert!(task.wakes() > before, "pending, and not woken");
                }
            }
        }
    }

    #[test]
    fn each_cut_gives_the_same_lines() {
        let text = "über\n\nzwei\r\n漢字\nnach".as_bytes();
        let lines = ["über", "", "zwei\r", "漢字", "nach"];
        for cut in 0..text.len() {
            let (a, b) = text.split_at(cut);
            let pieces: Vec<&[u8]> = [a, b].into_iter().filter(|it| !it.is_empty()).collect();
            assert_eq!(all(&pieces), lines, "cut after {cut} bytes");
        }
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(all(&bytes), lines, "byte by byte");
    }

    #[test]
    fn many_lines_in_one_read() {
        let text = "x\n".repeat(500);
        assert_eq!(all(&[text.as_bytes()]).len(), 500);
        assert_eq!(all(&[]), [""; 0]);
        assert_eq!(all(&[b"\n"]), [""]);
    }

    #[test]
    fn what_came_before_the_first_poll() {
        let (mut lines, task) = (Lines::default(), CountingWaker::new());
        let input = lines.input.clone();
        for piece in [&b"1"[..], b"2\n3\n", b"4"] {
            send(&input, piece);
        }
        input.0.lock().unwrap().ended = true;
        for line in ["12", "3", "4"] {
            assert_eq!(poll(&mut lines, &task), Poll::Ready(Some(line.into())));
        }
        assert_eq!(poll(&mut lines, &task), Poll::Ready(None));
    }
}
