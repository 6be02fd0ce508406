//! More channels: for one message, for one receiver, and for several.

use contract::{Local, Message, Subject, suite::Promise};
use futures::{
    executor::block_on,
    stream::{poll_fn, unfold},
};
use postage::sink::Sink;

use super::{DROPS_LOCKED, KEEPS, ONE_IS_KEPT, QUEUED, WAKES, WAKES_LOCKED};

pub fn promises() -> Vec<Promise> {
    let [async_oneshot, catty, oneshot] = oneshots().map(Promise::all);
    let [
        postage,
        crossfire_mpsc,
        thingbuf,
        tachyonix,
        async_broadcast,
        tokio_broadcast,
    ] = streams().map(Promise::all);
    let [crossfire_mpmc, async_priority_channel, futures_intrusive] =
        for_several().map(Promise::all);
    let [local_oneshot, local_mpsc] = of_local_sync().map(|channel| {
        Promise::all(channel)
            .not_yet(ONE_IS_KEPT, &["dropped_early"])
            .not_in_the_matrix()
    });
    vec![
        async_oneshot.not_yet(
            "A poll writes its waker over the one that is there, without dropping that (`set_recv` in async-oneshot 0.5.9).",
            &[
                "one_waker_is_kept",
                "dropped_early",
                "hostile_clone",
                "hostile_wake",
                "hostile_drop",
                "hostile_panic",
            ],
        ),
        catty.not_yet(
            "catty 0.1.5 wakes and drops wakers under a spin lock. A wake that drops the receiver spins forever.",
            &["dropped_in_its_wake", "hostile_wake", "hostile_panic"],
        ),
        oneshot.not_in_the_matrix(),
        postage
            .not_yet(QUEUED, KEEPS)
            .not_yet(EACH_IS_KEPT, &["one_waker_is_kept", "dropped_early"]),
        crossfire_mpsc.not_yet(QUEUED, KEEPS).not_yet(
            "A receiver without a sibling makes a new `Arc` in each pending poll (waker_registry.rs in crossfire 3.1.22, where a comment says so).",
            &["no_allocation_per_poll"],
        ),
        thingbuf
            .not_yet(QUEUED, KEEPS)
            .not_yet(ONE_IS_KEPT, &["dropped_early"])
            .not_in_the_matrix(),
        tachyonix
            .not_yet(QUEUED, KEEPS)
            .not_yet(ONE_IS_KEPT, &["dropped_early"])
            .not_in_the_matrix(),
        async_broadcast
            .not_yet(WAKES_LOCKED, &["dropped_in_its_wake", "hostile_wake", "hostile_panic"])
            .not_in_the_matrix(),
        tokio_broadcast.not_in_the_matrix(),
        crossfire_mpmc.not_yet(QUEUED, KEEPS).not_in_the_matrix(),
        async_priority_channel
            .not_yet(WAKES_LOCKED, WAKES)
            .not_yet(QUEUED, KEEPS)
            .not_yet(
                "async-priority-channel 0.2 wakes all receivers for each message (`notify(usize::MAX)` in awaitable_atomics.rs).",
                &["one_gift_wakes_one"],
            )
            .not_in_the_matrix(),
        futures_intrusive
            .not_yet(DROPS_LOCKED, &["used_by_a_waker"])
            .not_yet(
                "A waker that panics when it is cloned or dropped leaves the future without its channel (channel_future.rs:378), and its node in the channel's list.",
                &["hostile_panic"],
            )
            .not_in_the_matrix(),
        local_oneshot,
        local_mpsc,
    ]
}

pub const EACH_IS_KEPT: &str = "Each pending poll of postage 0.5 pushes its waker to a queue (`subscribe` in notifier.rs), which only a message, or the end, empties.";

fn oneshots() -> [Subject; 3] {
    [
        Subject::oneshot("async-oneshot", || {
            let (mut sender, receiver) = async_oneshot::oneshot();
            (receiver, move || _ = sender.send(7))
        }),
        Subject::oneshot("catty", || {
            let (sender, receiver) = catty::oneshot();
            (receiver, || _ = sender.send(7))
        }),
        Subject::oneshot("oneshot", || {
            let (sender, receiver) = oneshot::channel();
            (receiver, || _ = sender.send(7))
        }),
    ]
}

/// Those of which the receiver is a stream.
fn streams() -> [Subject; 6] {
    [
        Subject::stream("postage-mpsc", || {
            let (mut sender, receiver) = postage::mpsc::channel(3);
            (move |message| _ = sender.try_send(message), receiver)
        }),
        Subject::stream("crossfire-mpsc", || {
            let (sender, receiver) = crossfire::mpsc::bounded_async(3);
            (
                move |message| _ = sender.try_send(message),
                receiver.into_stream(),
            )
        }),
        Subject::stream("thingbuf", || {
            let (sender, receiver) = thingbuf::mpsc::channel(3);
            let stream = poll_fn(move |cx| receiver.poll_recv(cx));
            (move |message| _ = sender.try_send(message), stream)
        }),
        Subject::stream("tachyonix", || {
            let (sender, receiver) = tachyonix::channel(3);
            (move |message| _ = sender.try_send(message), receiver)
        }),
        Subject::stream("async-broadcast", || {
            let (sender, receiver) = async_broadcast::broadcast(3);
            (move |message| _ = sender.try_broadcast(message), receiver)
        }),
        Subject::stream("tokio-broadcast", || {
            let (sender, receiver) = tokio::sync::broadcast::channel(4);
            (
                move |message| _ = sender.send(message),
                unfold(receiver, async |mut receiver| {
                    receiver
                        .recv()
                        .await
                        .ok()
                        .map(|message| (message, receiver))
                }),
            )
        }),
    ]
}

/// Those with several receivers.
fn for_several() -> [Subject; 3] {
    [
        Subject::channel("crossfire-mpmc", || {
            let (sender, receiver) = crossfire::mpmc::bounded_async::<Message>(3);
            let receive = move || {
                let receiver = receiver.clone();
                async move { receiver.recv().await.ok() }
            };
            (move |message| _ = sender.try_send(message), receive)
        }),
        // The later a message is sent, the less it matters: that is the order of all other channels.
        Subject::channel("async-priority-channel", || {
            let (sender, receiver) = async_priority_channel::unbounded();
            let receive = move || {
                let receiver = receiver.clone();
                async move { receiver.recv().await.ok().map(|(message, _)| message) }
            };
            let mut priority = 0;
            let put = move |message: Message| {
                priority -= 1;
                _ = sender.try_send(message, priority);
            };
            (put, receive)
        }),
        Subject::channel("futures-intrusive-channel", || {
            let (sender, receiver) = futures_intrusive::channel::shared::channel::<Message>(3);
            let receive = move || {
                let receiver = receiver.clone();
                async move { receiver.receive().await }
            };
            (move |message| _ = sender.try_send(message), receive)
        }),
    ]
}

/// They share an `Rc`.
fn of_local_sync() -> [Subject; 2] {
    [
        Local::on(block_on).oneshot("local-sync-oneshot", || {
            let (sender, receiver) = local_sync::oneshot::channel();
            (receiver, || _ = sender.send(7))
        }),
        Local::on(block_on).stream("local-sync-mpsc", || {
            let (sender, receiver) = local_sync::mpsc::unbounded::channel();
            let stream = unfold(receiver, async |mut receiver| {
                receiver.recv().await.map(|message| (message, receiver))
            });
            (move |message| _ = sender.send(message), stream)
        }),
    ]
}
