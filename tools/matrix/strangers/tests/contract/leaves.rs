//! The leaf futures: what waits in a channel or for a notification.

use contract::{Answer, BoxFuture, Leaf, Subject, Trigger, leaf};

pub const ASYNC_CHANNEL: Subject = Subject::leaf("async-channel", &AsyncChannel);
pub const FLUME: Subject = Subject::leaf("flume", &Flume);
pub const FUTURES_MPSC: Subject = Subject::leaf("futures-mpsc", &FuturesMpsc);
pub const TOKIO_NOTIFY: Subject = Subject::leaf("tokio-notify", &TokioNotify);

struct AsyncChannel;

impl Leaf for AsyncChannel {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, receiver) = async_channel::unbounded();
        let receive = async move { receiver.recv().await };
        Ok((leaf(receive), Box::new(move || _ = sender.try_send(7))))
    }
}

struct Flume;

impl Leaf for Flume {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, receiver) = flume::unbounded();
        Ok((
            leaf(receiver.into_recv_async()),
            Box::new(move || _ = sender.send(7)),
        ))
    }
}

struct FuturesMpsc;

impl Leaf for FuturesMpsc {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        use futures::{StreamExt, channel::mpsc};
        let (sender, mut receiver) = mpsc::unbounded();
        Ok((
            leaf(async move { receiver.next().await }),
            Box::new(move || _ = sender.unbounded_send(7)),
        ))
    }
}

struct TokioNotify;

impl Leaf for TokioNotify {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let notify = std::sync::Arc::new(tokio::sync::Notify::new());
        let waits = notify.clone().notified_owned();
        Ok((leaf(waits), Box::new(move || notify.notify_one())))
    }
}
