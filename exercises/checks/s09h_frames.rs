use super::*;
use probe::{CountingWaker, watch, within};
use std::{
    cell::RefCell,
    collections::VecDeque,
    pin::{Pin, pin},
    rc::Rc,
    task::{Context, Poll, Waker},
    time::Duration,
};
use step05_parker_block_on::block_on;
use tokio::io::ReadBuf;

/// What a socket has received. Clones share it.
#[derive(Clone, Default)]
struct Socket(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    /// One read takes bytes of the first of these.
    arrived: VecDeque<Vec<u8>>,
    ended: bool,
    fails: Option<ErrorKind>,
    waker: Option<Waker>,
    reads: usize,
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let state = &mut *self.0.borrow_mut();
        state.reads += 1;
        if let Some(mut bytes) = state.arrived.pop_front() {
            let rest = bytes.split_off(bytes.len().min(buffer.remaining()));
            buffer.put_slice(&bytes);
            if !rest.is_empty() {
                state.arrived.push_front(rest);
            }
            return Poll::Ready(Ok(()));
        }
        if let Some(kind) = state.fails.take() {
            return Poll::Ready(Err(kind.into()));
        }
        if state.ended {
            return Poll::Ready(Ok(()));
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Socket {
    /// These bytes arrive, and a read doesn't take more than them.
    fn receives(&self, bytes: &[u8]) {
        let mut state = self.0.borrow_mut();
        // A read of 0 bytes would be the end.
        if !bytes.is_empty() {
            state.arrived.push_back(bytes.to_vec());
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    fn ends(&self) {
        self.0.borrow_mut().ended = true;
    }

    fn reads(&self) -> usize {
        self.0.borrow().reads
    }
}

fn frames() -> (Socket, Frames<Socket>) {
    let socket = Socket::default();
    (socket.clone(), Frames::new(socket))
}

/// This text as a frame.
fn frame(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap();
    [&length.to_be_bytes(), text.as_bytes()].concat()
}

type Answer = Result<Option<String>, ErrorKind>;

fn some(text: &str) -> Poll<Answer> {
    Poll::Ready(Ok(Some(text.to_owned())))
}

/// Polls `next` once, and drops its future.
fn next(frames: &mut Frames<Socket>) -> Poll<Answer> {
    let next = pin!(frames.next());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let answer = next.poll(&mut Context::from_waker(Waker::noop()));
    answer.map(|it| it.map(|it| it.map(text)).map_err(|it| it.kind()))
}

fn run(test: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch("a task that reads frames", async { test() }));
    });
}

#[track_caller]
fn assert_is(answer: &Poll<Answer>, wanted: &Poll<Answer>, what: &str, look_at: &str) {
    assert!(
        answer == wanted,
        "{what}\n`next` returned {answer:?}. Wanted: {wanted:?}.\nLook at: {look_at}"
    );
}

#[test]
fn frames_may_arrive_in_any_pieces() {
    run(|| {
        let texts = ["one", "", "two and a half", "x"];
        let bytes = texts.map(frame).concat();
        for piece in 1..=bytes.len() {
            let (socket, mut frames) = frames();
            bytes.chunks(piece).for_each(|some| socket.receives(some));
            socket.ends();
            for text in texts {
                let what = format!(
                    "Each read returned at most {piece} of the bytes of these frames: {texts:?}."
                );
                assert_is(
                    &next(&mut frames),
                    &some(text),
                    &what,
                    "how many bytes does one read return, and where is the rest?",
                );
            }
            let what = format!("All of {texts:?} were returned, and the input has ended.");
            for _ in 0..2 {
                assert_is(
                    &next(&mut frames),
                    &Poll::Ready(Ok(None)),
                    &what,
                    "what does a read of 0 bytes say, and what else has to be looked at?",
                );
            }
        }
    });
}

#[test]
fn cancelled_at_any_byte_it_loses_none() {
    run(|| {
        let bytes = [frame("hello"), frame("you")].concat();
        for arrived in 0..bytes.len() {
            // Other frames are read in turn.
            let ((socket, mut frames), (others_socket, mut others)) = (frames(), self::frames());
            socket.receives(&bytes[..arrived]);
            let first = next(&mut frames);
            let is_there = arrived >= 9;
            let wanted = if is_there {
                some("hello")
            } else {
                Poll::Pending
            };
            let what =
                format!("Of a frame \"hello\" and a frame \"you\", {arrived} of 16 bytes arrived.");
            assert_is(&first, &wanted, &what, "is a whole frame there?");
            if is_there {
                let second = next(&mut frames);
                assert_is(&second, &Poll::Pending, &what, "is a whole frame there?");
            }
            others_socket.receives(&frame("other"));
            let other = next(&mut others);
            assert_is(
                &other,
                &some("other"),
                "Frames were read from two sockets, in turn.",
                "where does each keep its bytes?",
            );
            socket.receives(&bytes[arrived..]);
            let what = format!(
                "{what} `next` was pending, and its future was dropped. Then the rest arrived."
            );
            let look_at = "which bytes had been read by then, and which value has them now?";
            if !is_there {
                assert_is(&next(&mut frames), &some("hello"), &what, look_at);
            }
            assert_is(&next(&mut frames), &some("you"), &what, look_at);
        }
    });
}

#[test]
fn cancelled_after_every_byte_it_loses_none() {
    run(|| {
        let (socket, mut frames) = frames();
        let bytes = frame("hello");
        for (number, byte) in bytes.iter().enumerate() {
            if number > 0 {
                let what = format!(
                    "{number} of 9 bytes had arrived, and `next` was polled and dropped after each."
                );
                assert_is(
                    &next(&mut frames),
                    &Poll::Pending,
                    &what,
                    "is a whole frame there?",
                );
            }
            socket.receives(&[*byte]);
        }
        let what = "9 bytes had arrived, and `next` was polled and dropped after each.";
        assert_is(
            &next(&mut frames),
            &some("hello"),
            what,
            "which bytes had been read by then, and which value has them now?",
        );
    });
}

#[test]
fn the_end_and_an_error_of_the_input_are_told_apart() {
    run(|| {
        let bytes = frame("hello");
        for arrived in 1..bytes.len() {
            let (socket, mut frames) = frames();
            socket.receives(&bytes[..arrived]);
            socket.ends();
            let what = format!("{arrived} of 9 bytes of a frame arrived, and the input ended.");
            let wanted = Poll::Ready(Err(ErrorKind::UnexpectedEof));
            assert_is(
                &next(&mut frames),
                &wanted,
                &what,
                "what does the end of the input mean in the middle of a frame?",
            );
        }
        for arrived in 0..bytes.len() {
            let (socket, mut frames) = frames();
            socket.receives(&bytes[..arrived]);
            socket.0.borrow_mut().fails = Some(ErrorKind::ConnectionReset);
            let what = format!("{arrived} of 9 bytes of a frame arrived, and then a read failed.");
            let wanted = Poll::Ready(Err(ErrorKind::ConnectionReset));
            assert_is(
                &next(&mut frames),
                &wanted,
                &what,
                "who has to know about an error of the input?",
            );
        }
    });
}

#[test]
fn the_longest_frame_is_read_and_a_longer_one_is_refused() {
    run(|| {
        let long = "x".repeat(LONGEST);
        let (socket, mut frames) = frames();
        for piece in frame(&long).chunks(10_000) {
            socket.receives(piece);
        }
        socket.receives(&frame("next"));
        let what =
            format!("A frame of {LONGEST} bytes arrived, which is the longest, and a short one.");
        assert!(
            next(&mut frames) == some(&long),
            "{what}\n`next` has not returned the long one as it was sent."
        );
        assert_is(
            &next(&mut frames),
            &some("next"),
            &what,
            "which bytes are left when a frame is taken out?",
        );
        for length in [LONGEST as u32 + 1, u32::MAX] {
            for before in [&b""[..], &frame("before")] {
                let (socket, mut frames) = self::frames();
                socket.receives(&[before, &length.to_be_bytes()].concat());
                if !before.is_empty() {
                    let what = "A frame arrived, and with it the length of one that is too long.";
                    assert_is(
                        &next(&mut frames),
                        &some("before"),
                        what,
                        "which of the two comes first?",
                    );
                }
                let what = format!(
                    "The length of a frame arrived, {length}, and {LONGEST} bytes are allowed."
                );
                let wanted = Poll::Ready(Err(ErrorKind::InvalidData));
                assert_is(
                    &next(&mut frames),
                    &wanted,
                    &what,
                    "what does a peer cost that sends nothing but such a length?",
                );
            }
        }
    });
}

#[test]
fn a_frame_that_is_there_needs_no_read_and_a_hundred_need_few() {
    run(|| {
        let (socket, mut frames) = frames();
        let all: Vec<_> = (0..100).map(|number| format!("frame {number}")).collect();
        socket.receives(
            &all.iter()
                .map(|text| frame(text))
                .collect::<Vec<_>>()
                .concat(),
        );
        let what = "A hundred short frames arrived at once.";
        for text in &all {
            assert_is(
                &next(&mut frames),
                &some(text),
                what,
                "in which order do frames leave the buffer?",
            );
        }
        let reads = socket.reads();
        assert!(
            reads <= 25,
            "{what}\nThe input was read {reads} times. Wanted: at most 25.\n\
             Look at: how many bytes may one read return, and who keeps those that belong to the next frames?"
        );
    });
}

#[test]
fn it_sleeps_until_bytes_arrive() {
    run(|| {
        let (socket, mut frames) = frames();
        let task = CountingWaker::new();
        let waker = task.waker();
        let mut next = pin!(frames.next());
        let mut cx = Context::from_waker(&waker);
        let mut wakes = 0;
        for piece in frame("hi").chunks(2).take(2) {
            assert!(
                next.as_mut().poll(&mut cx).is_pending(),
                "no whole frame is there"
            );
            assert!(
                task.wakes() == wakes,
                "`next` was pending, and its task was woken although no byte had arrived since. Who wakes it when bytes are there?"
            );
            socket.receives(piece);
            wakes += 1;
            assert!(
                task.wakes() == wakes,
                "Bytes arrived, and the task that waits in `next` was not woken."
            );
        }
        assert!(
            next.as_mut().poll(&mut cx).is_pending(),
            "no whole frame is there"
        );
        socket.receives(b"hi");
        let answer = next.as_mut().poll(&mut cx);
        assert!(
            matches!(&answer, Poll::Ready(Ok(Some(frame))) if frame == b"hi"),
            "A frame arrived in pieces of two bytes, and one future was polled after each. It returned {answer:?}."
        );
    });
}
