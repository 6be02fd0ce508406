//! The leaf futures: what waits in a channel or for a notification, and timers that are bound to their thread.

use contract::{Answer, BoxFuture, Leaf, Local, Subject, Trigger, leaf};

pub const ASYNC_CHANNEL: Subject = Subject::leaf("async-channel", &AsyncChannel);
pub const FLUME: Subject = Subject::leaf("flume", &Flume);
pub const FUTURES_MPSC: Subject = Subject::leaf("futures-mpsc", &FuturesMpsc);
pub const TOKIO_NOTIFY: Subject = Subject::leaf("tokio-notify", &TokioNotify);
pub static GLOMMIO_TIMER: Local = Local::timer(
    |future| glommio::LocalExecutor::default().run(future),
    |after| Box::pin(async move { _ = glommio::timer::Timer::new(after).await }),
);
pub static MONOIO_SLEEP: Local = Local::timer(
    |future| {
        let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().enable_timer();
        runtime.build().expect("a driver").block_on(future);
    },
    |after| Box::pin(monoio::time::sleep(after)),
);
pub static COMPIO_SLEEP: Local = Local::timer(
    |future| {
        compio::runtime::Runtime::new()
            .expect("a driver")
            .block_on(future)
    },
    |after| Box::pin(compio::time::sleep(after)),
);

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
        // Polled after it was ready, flume's own future receives again. What it says then depends on when the sender is dropped.
        let receive = async move { receiver.recv_async().await };
        Ok((leaf(receive), Box::new(move || _ = sender.send(7))))
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
