//! A `block_on` and a channel of other people, under the contract.

use std::process::ExitCode;

use pollster::block_on;
use runtime_contract::{
    Answer, BoxFuture, Leaf, Preset, Subject, Trigger, leaf,
    suite::{self, Promise},
};

runtime_contract::count_allocations!();

const POLLSTER: Preset = Preset::block_on(block_on);

/// A receiver, which a send makes ready.
struct Channel;

impl Leaf for Channel {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, receiver) = async_channel::unbounded();
        let receive = async move { receiver.recv().await };
        Ok((leaf(receive), Box::new(move || drop(sender.try_send(7)))))
    }
}

const TOKEN: &str = "pollster 1.0.1 keeps a wake in the token of its thread alone, which other code on that thread may take.";
const LOCK: &str = "event-listener 5.4.2, which async-channel waits with, wakes while it holds the lock of its list.";

fn main() -> ExitCode {
    suite::main(&[
        Promise::all(Subject::runtime("pollster", &POLLSTER))
            .edition(2)
            .not_yet(TOKEN, &["nested", "parks_in_poll", "waits_in_poll"]),
        Promise::all(Subject::leaf("channel", &Channel))
            .edition(2)
            .not_yet(
                LOCK,
                &["dropped_in_its_wake", "hostile_wake", "hostile_panic"],
            ),
    ])
}
