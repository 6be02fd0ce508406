use super::*;
use probe::{CountingWaker, watch, within};
use std::{future::poll_fn, pin::pin, time::Duration};

struct Task {
    input: Input,
    lines: Lines,
    waker: CountingWaker,
}

impl Task {
    fn new() -> Task {
        let (lines, waker) = (Lines::default(), CountingWaker::new());
        Task {
            input: lines.input.clone(),
            lines,
            waker,
        }
    }

    /// This arrives, and one `read` returns it.
    fn arrives(&self, bytes: impl AsRef<[u8]>) {
        self.changes(|kernel| kernel.chunks.push_back(bytes.as_ref().to_vec()));
    }

    fn ends(&self) {
        self.changes(|kernel| kernel.ended = true);
    }

    fn changes(&self, change: impl FnOnce(&mut Kernel)) {
        let mut kernel = self.input.0.lock().unwrap();
        change(&mut kernel);
        let waker = kernel.waker.take();
        drop(kernel);
        waker.into_iter().for_each(Waker::wake);
    }

    fn poll(&mut self) -> Poll<Option<String>> {
        let waker = self.waker.waker();
        within(Duration::from_secs(2), || {
            let line = pin!(watch("a line", poll_fn(|cx| self.lines.poll_line(cx))));
            line.poll(&mut Context::from_waker(&waker))
        })
    }

    fn gets(&mut self, wanted: &str, arrived: &str) {
        let answer = self.poll();
        let answer = answer.map(|line| line.unwrap_or("(the end of the input)".into()));
        assert!(
            answer == Poll::Ready(wanted.into()),
            "{arrived}, and the next line is {wanted:?}. `poll_line` returned {answer:?}."
        );
    }

    fn is_pending(&mut self, arrived: &str) {
        let mut before = self.waker.wakes();
        let mut answer = self.poll();
        // A poll may also wake its own task, to be polled again at once.
        for _ in 0..9 {
            let wakes = self.waker.wakes();
            if self.input.0.lock().unwrap().waker.is_none() && wakes > before {
                before = wakes;
                answer = self.poll();
            }
        }
        assert!(
            answer.is_pending(),
            "{arrived}, and there is no whole line yet. `poll_line` returned {answer:?}."
        );
        let kept = self.input.0.lock().unwrap().waker.is_some();
        assert!(
            kept,
            "{arrived}, and `poll_line` was pending, but the input has no waker to call when the rest arrives. Which \
             call leaves it there?"
        );
    }
}

#[test]
fn a_line_in_one_read() {
    let mut task = Task::new();
    task.is_pending("nothing has arrived");
    task.arrives("one\n");
    assert_eq!(task.waker.wakes(), 1, "the task is woken when bytes arrive");
    task.gets("one", "\"one\\n\" arrived");
    task.is_pending("the only line has been given out");
    task.arrives("\n");
    task.gets("", "an empty line arrived");
}

#[test]
fn two_lines_in_one_read() {
    let mut task = Task::new();
    task.arrives("one\ntwo\nthr");
    task.gets("one", "\"one\\ntwo\\nthr\" arrived in one read");
    let second = task.poll();
    assert!(
        second == Poll::Ready(Some("two".into())),
        "Two lines and a half arrived in one read, the first line was given out, and then `poll_line` returned {second:?}.\n\
         Wanted: the second line, at once. The kernel has no more bytes, so it reports nothing.\n\
         Look at: what does `poll_line` ask first, the kernel or itself?"
    );
    task.is_pending("\"thr\" is left");
    task.arrives("ee\n");
    task.gets("three", "\"thr\" and then \"ee\\n\" arrived");
}

#[test]
fn a_line_may_be_empty_or_have_spaces() {
    let mut task = Task::new();
    task.arrives(" a\n\nb\r\n");
    for line in [" a", "", "b\r"] {
        task.gets(line, "\" a\\n\\nb\\r\\n\" arrived in one read");
    }
}

#[test]
fn a_line_in_three_reads() {
    let mut task = Task::new();
    for (part, so_far) in [("h", "\"h\""), ("el", "\"h\" and \"el\"")] {
        task.arrives(part);
        task.is_pending(&format!("{so_far} arrived, each in one read"));
    }
    task.arrives("lo\n");
    task.gets(
        "hello",
        "\"h\", \"el\" and \"lo\\n\" arrived, each in one read",
    );
}

#[test]
fn all_parts_are_there_at_once() {
    let mut task = Task::new();
    for part in ["h", "el", "lo\nw"] {
        task.arrives(part);
    }
    task.gets(
        "hello",
        "\"h\", \"el\" and \"lo\\nw\" arrived, before the first poll",
    );
}

#[test]
fn half_a_letter() {
    let mut task = Task::new();
    let bytes = "café\n".as_bytes();
    task.arrives(&bytes[..4]);
    task.is_pending("\"caf\" and the first byte of `é` arrived");
    task.arrives(&bytes[4..]);
    task.gets(
        "café",
        "\"café\\n\" arrived in two reads, with a cut in the middle of the `é`",
    );
}

#[test]
fn the_end_after_a_newline() {
    let mut task = Task::new();
    task.arrives("one\n");
    task.gets("one", "\"one\\n\" arrived");
    task.ends();
    let answer = task.poll();
    assert!(
        answer == Poll::Ready(None),
        "\"one\\n\" arrived, and the input ended, so \"one\" was the last line. After it, `poll_line` returned {answer:?} \
         instead of `None`."
    );
}

#[test]
fn the_end_of_the_input() {
    let mut task = Task::new();
    task.arrives("one\nlast");
    task.gets("one", "\"one\\nlast\" arrived");
    task.is_pending("\"last\" is left");
    task.ends();
    task.gets(
        "last",
        "\"last\" arrived without a newline, and the input ended",
    );
    for _ in 0..2 {
        let answer = task.poll();
        assert!(
            answer == Poll::Ready(None),
            "the input has ended and every line was given out, and `poll_line` returned {answer:?} instead of `None`"
        );
    }
}
