//! The leaf futures: what waits in a channel or for a notification, and timers that are bound to their thread.

use std::{sync::Arc, time::Duration};

use contract::{Answer, BoxFuture, Give, Leaf, Local, NotItsJob, Subject, Trigger, leaf};

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

/// A send into a channel without room, which is ready when it is received.
pub const KANAL_SEND: Subject = Subject::leaf("kanal-send", &KanalSend);
pub const ASYNC_LOCK: Subject = Subject::leaf("async-lock-semaphore", &AsyncLock);
pub const TOKIO_SEMAPHORE: Subject = Subject::leaf("tokio-semaphore", &TokioSemaphore);
pub const EMBASSY_TIMER: Subject = Subject::leaf("embassy-timer", &EmbassyTimer);

struct KanalSend;

impl Leaf for KanalSend {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, receiver) = kanal::bounded_async(0);
        let send = async move { sender.send(7).await };
        Ok((leaf(send), Box::new(move || _ = receiver.try_recv())))
    }
}

struct AsyncLock;

impl Leaf for AsyncLock {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (mut waiters, give) = self.waiters(1)?;
        Ok((waiters.remove(0), give))
    }

    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        let semaphore = Arc::new(async_lock::Semaphore::new(0));
        let acquire = |_| {
            let semaphore = semaphore.clone();
            leaf(async move { semaphore.acquire_arc().await.forget() })
        };
        let waiters = (0..count).map(acquire).collect();
        Ok((waiters, Box::new(move || semaphore.add_permits(1))))
    }
}

struct TokioSemaphore;

impl Leaf for TokioSemaphore {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (mut waiters, give) = self.waiters(1)?;
        Ok((waiters.remove(0), give))
    }

    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        let semaphore = Arc::new(tokio::sync::Semaphore::new(0));
        let acquire = |_| {
            let semaphore = semaphore.clone();
            leaf(async move { semaphore.acquire_owned().await.map(|it| it.forget()) })
        };
        let waiters = (0..count).map(acquire).collect();
        Ok((waiters, Box::new(move || semaphore.add_permits(1))))
    }
}

struct EmbassyTimer;

impl Leaf for EmbassyTimer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let micros = u64::try_from(after.as_micros()).map_err(|_| NotItsJob)?;
        Ok(leaf(embassy_time::Timer::after_micros(micros)))
    }
}

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
