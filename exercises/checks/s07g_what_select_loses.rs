use super::*;
use probe::{Counted, Counts, watch, within};
use std::time::Duration;
use tokio::{
    io::{AsyncWriteExt, duplex},
    runtime::Builder,
    sync::mpsc::unbounded_channel,
    task::{LocalSet, spawn_local, yield_now},
};

const HELLO: &[u8] = b"\x05hello";

/// A task that runs `serve`, and all that surrounds it.
struct Connection {
    peer: DuplexStream,
    ticks: Option<UnboundedSender<()>>,
    notes: UnboundedReceiver<Event>,
    counts: Counts,
}

impl Connection {
    fn new() -> Connection {
        let (peer, input) = duplex(1_000);
        let (sender, ticks) = unbounded_channel();
        let (note, notes) = unbounded_channel();
        let serving = Counted::new(serve(input, ticks, note));
        let (ticks, counts) = (Some(sender), serving.counts());
        spawn_local(watch("serve", serving));
        Connection {
            peer,
            ticks,
            notes,
            counts,
        }
    }

    async fn receives(&mut self, bytes: &[u8]) {
        self.peer.write_all(bytes).await.unwrap();
        settle().await;
    }

    /// A tick comes, and has to be noted at once.
    async fn ticks(&mut self, when: &str) {
        self.ticks.as_ref().unwrap().send(()).unwrap();
        settle().await;
        let noted = self.noted();
        assert!(
            noted == ["a tick"],
            "{when}, a tick came. Then {noted:?} was noted.\n\
             Wanted: the tick, at once. Who waits for ticks while half a message is there?"
        );
    }

    fn has_noted(&mut self, messages: &[&str], what: &str) {
        let noted = self.noted();
        assert!(
            noted == messages,
            "{what} Then {noted:?} was noted. Wanted: {messages:?}.\n\
             Which bytes had been read when the last tick came, and which value has them now?"
        );
    }

    fn noted(&mut self) -> Vec<String> {
        let text = |event| match event {
            Event::Message(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Event::Tick => "a tick".to_owned(),
        };
        std::iter::from_fn(|| self.notes.try_recv().ok().map(text)).collect()
    }
}

/// Runs `test` and the tasks that it starts on one thread.
fn run(test: impl Future<Output = ()>) {
    let runtime = Builder::new_current_thread().build().unwrap();
    within(Duration::from_secs(2), || {
        LocalSet::new().block_on(&runtime, test);
    });
}

/// Lets each task get as far as it can. They are on this thread, so nothing else happens meanwhile.
async fn settle() {
    for _ in 0..50 {
        yield_now().await;
    }
}

#[test]
fn a_tick_in_the_middle_of_a_message_costs_no_byte() {
    run(async {
        for arrived in 1..HELLO.len() {
            let (begin, rest) = HELLO.split_at(arrived);
            let mut connection = Connection::new();
            let when = format!("{arrived} of 6 bytes had arrived");
            connection.receives(begin).await;
            connection.ticks(&when).await;
            connection.receives(rest).await;
            let what = format!("{when}, a tick came, and the rest arrived after it.");
            connection.has_noted(&["hello"], &what);
            connection.receives(b"\x03you").await;
            connection.has_noted(&["you"], "Another message arrived.");
        }
    });
}

#[test]
fn ticks_after_every_byte_cost_no_byte() {
    run(async {
        let [mut one, mut other] = [(); 2].map(|()| Connection::new());
        for byte in HELLO[..5].chunks(1) {
            one.receives(byte).await;
            one.ticks("In the middle of a message").await;
            one.ticks("In the middle of a message, and after another tick")
                .await;
            other.receives(&[4]).await;
        }
        one.receives(&HELLO[5..]).await;
        one.has_noted(
            &["hello"],
            "6 bytes arrived, with two ticks after each. Another connection was read in turn.",
        );
        let what = "On the other connection, the byte 4 arrived five times.";
        other.has_noted(&["\u{4}\u{4}\u{4}\u{4}"], what);
    });
}

#[test]
fn a_message_begins_where_the_last_one_ended() {
    run(async {
        let mut connection = Connection::new();
        connection.receives(b"\x00\x02ab\x01c\x00\x03d").await;
        let what = "Messages of 0, 2, 1 and 0 bytes arrived at once, with a part of a fifth.";
        connection.has_noted(&["", "ab", "c", ""], what);
        connection.ticks("With a part of a message there").await;
        connection.receives(b"ef").await;
        connection.has_noted(&["def"], "A tick came, and then the rest of the fifth.");
        let long = "x".repeat(255);
        connection
            .receives(&[b"\xff", long.as_bytes()].concat())
            .await;
        connection.has_noted(&[&long], "A message of 255 bytes arrived.");
    });
}

#[test]
fn it_sleeps_until_a_byte_or_tick_comes_and_ends_with_its_input() {
    run(async {
        let mut connection = Connection::new();
        let sleeps = async |connection: &Connection, when: &str| {
            let before = connection.counts.polls();
            settle().await;
            let polls = connection.counts.polls() - before;
            assert!(
                polls == 0,
                "{when}, nothing arrived, and `serve` was polled {polls} times. Who wakes it when it can get further?"
            );
        };
        connection.receives(b"\x05he").await;
        connection.ticks("With a part of a message there").await;
        sleeps(&connection, "With a part of a message there").await;
        drop(connection.ticks.take());
        connection.receives(b"llo\x05hel").await;
        connection.has_noted(
            &["hello"],
            "No more ticks will come, and the rest of a message arrived.",
        );
        sleeps(&connection, "Without more ticks").await;
        connection.peer.shutdown().await.unwrap();
        settle().await;
        connection.has_noted(&[], "The input ended in the middle of a message.");
        let over = connection.counts.completions() == 1;
        assert!(over, "the input has ended, and `serve` has not returned");
    });
}

/// Whichever of its two inputs ends first.
#[test]
fn either_input_may_end_first() {
    run(async {
        let mut connection = Connection::new();
        connection.receives(b"\x05he").await;
        drop(connection.ticks.take());
        settle().await;
        let over = connection.counts.completions() == 1;
        assert!(
            !over,
            "No more ticks will come, and `serve` has returned in the middle of a message.\n\
             Wanted: it goes on until the input ends. Who reads the messages that come now?"
        );
        connection.receives(b"llo\x03you").await;
        let what = "No more ticks will come. Then the rest of a message arrived, and another one.";
        connection.has_noted(&["hello", "you"], what);

        let mut connection = Connection::new();
        connection.receives(b"\x02me\x05he").await;
        connection.has_noted(&["me"], "A message arrived, and a part of another.");
        connection.peer.shutdown().await.unwrap();
        settle().await;
        let over = connection.counts.completions() == 1;
        assert!(
            over,
            "The input has ended, and more ticks may come. `serve` has not returned.\n\
             Wanted: it returns when the input ends. What does it still wait for?"
        );
        connection.has_noted(&[], "The input ended in the middle of a message.");
    });
}
