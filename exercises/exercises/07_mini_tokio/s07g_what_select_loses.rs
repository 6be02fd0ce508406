//! s07g · repair · 20 minutes · chapter 07, "A small tokio"
//!
//! This runs on tokio itself. `serve` has a loop as most network programs have one: it reads messages from a connection, and
//! reacts to ticks, on which it might send a heartbeat. Now and then a message is lost, and what follows is read from the
//! middle. Each time, a tick had come while only a part of the message was there.
//!
//! Repair `serve`, so that no tick costs a message a byte. A tick is still noted at once, also in the middle of a
//! message. `read_message` stands for a function of a library. It isn't cancel safe, but you can use it as it is, or do
//! without it. As long as neither a byte nor a tick comes, `serve` isn't polled. It returns when its input ends, also
//! if more ticks may come, and goes on when no more ticks will come.
//!
//! Run: `cargo test --bin s07g_what_select_loses`, or save this file while `rustlings` runs.
//! Red: a test says how many bytes had arrived when the tick came, and what was noted.

use std::io;
use tokio::{
    io::{AsyncReadExt, DuplexStream},
    select,
    sync::mpsc::{UnboundedReceiver, UnboundedSender},
};

/// What `serve` notes.
#[derive(Debug, PartialEq)]
enum Event {
    Message(Vec<u8>),
    Tick,
}

/// Reads a message: one byte, which says how long it is, and then that many bytes.
async fn read_message(input: &mut DuplexStream) -> io::Result<Vec<u8>> {
    let length = input.read_u8().await?;
    let mut message = vec![0; length.into()];
    input.read_exact(&mut message).await?;
    Ok(message)
}

/// Notes each message and each tick, until the input ends.
async fn serve(
    mut input: DuplexStream,
    mut ticks: UnboundedReceiver<()>,
    notes: UnboundedSender<Event>,
) {
    loop {
        // TODO: what becomes of the future of `read_message` when a tick comes first?
        let event = select! {
            message = read_message(&mut input) => match message {
                Ok(message) => Event::Message(message),
                Err(_) => return,
            },
            Some(()) = ticks.recv() => Event::Tick,
        };
        // An error: nobody reads the notes.
        let _ = notes.send(event);
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07g_what_select_loses.rs"]
mod tests;
