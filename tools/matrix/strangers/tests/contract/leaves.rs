//! The leaf futures: what waits in a channel or for a notification, and timers that are bound to their thread.

use std::time::Duration;

use contract::{Answer, BoxFuture, Leaf, Local, LocalBoxFuture, LocalLeaf, Subject, Trigger, leaf};

pub const ASYNC_CHANNEL: Subject = Subject::leaf("async-channel", &AsyncChannel);
pub const FLUME: Subject = Subject::leaf("flume", &Flume);
pub const FUTURES_MPSC: Subject = Subject::leaf("futures-mpsc", &FuturesMpsc);
pub const TOKIO_NOTIFY: Subject = Subject::leaf("tokio-notify", &TokioNotify);
pub static GLOMMIO_TIMER: Local = Local::new(&GlommioTimer);
pub static MONOIO_SLEEP: Local = Local::new(&MonoioSleep);
pub static COMPIO_SLEEP: Local = Local::new(&CompioSleep);

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

struct GlommioTimer;

impl LocalLeaf for GlommioTimer {
    fn block_on(&self, future: LocalBoxFuture) {
        glommio::LocalExecutor::default().run(future);
    }

    fn timer(&self, after: Duration) -> Answer<LocalBoxFuture> {
        let timer = async move { _ = glommio::timer::Timer::new(after).await };
        Ok(Box::pin(timer))
    }
}

struct MonoioSleep;

impl LocalLeaf for MonoioSleep {
    fn block_on(&self, future: LocalBoxFuture) {
        let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new();
        let runtime = runtime.enable_timer().build();
        runtime.expect("a driver").block_on(future);
    }

    fn timer(&self, after: Duration) -> Answer<LocalBoxFuture> {
        Ok(Box::pin(monoio::time::sleep(after)))
    }
}

struct CompioSleep;

impl LocalLeaf for CompioSleep {
    fn block_on(&self, future: LocalBoxFuture) {
        let runtime = compio::runtime::Runtime::new().expect("a driver");
        runtime.block_on(future);
    }

    fn timer(&self, after: Duration) -> Answer<LocalBoxFuture> {
        Ok(Box::pin(compio::time::sleep(after)))
    }
}
