//! The leaf futures: what waits in a channel or for a notification, and timers that are bound to their thread.

use std::{sync::Arc, time::Duration};

use contract::{Answer, BoxFuture, Give, Leaf, Local, NotItsJob, Put, Trigger, leaf};
use futures::StreamExt;

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

/// Something that is ready once it is triggered.
pub struct Once(fn() -> (BoxFuture, Trigger));

impl Leaf for Once {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        Ok((self.0)())
    }
}

/// A send into a channel without room, which is ready when it is received.
pub static KANAL_SEND: Once = Once(|| {
    let (sender, receiver) = kanal::bounded_async(0);
    let send = async move { sender.send(7).await };
    (leaf(send), Box::new(move || _ = receiver.try_recv()))
});
pub static TOKIO_NOTIFY: Once = Once(|| {
    let notify = Arc::new(tokio::sync::Notify::new());
    let waits = notify.clone().notified_owned();
    (leaf(waits), Box::new(move || notify.notify_one()))
});
pub static TOKIO_WATCH: Once = Once(|| {
    let (sender, mut receiver) = tokio::sync::watch::channel(0);
    let changed = async move { receiver.changed().await };
    (leaf(changed), Box::new(move || _ = sender.send(7)))
});
pub static TOKIO_ONESHOT: Once = Once(|| {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    (leaf(receiver), Box::new(|| _ = sender.send(7)))
});
pub static FUTURES_ONESHOT: Once = Once(|| {
    let (sender, receiver) = futures::channel::oneshot::channel();
    (leaf(receiver), Box::new(|| _ = sender.send(7)))
});

/// The receiver of a channel. Polled after it was ready, some of their own futures receive again, and an async block does not.
pub struct Channel(fn() -> (BoxFuture, Put));

impl Leaf for Channel {
    fn queue(&self) -> Answer<(BoxFuture, Put)> {
        Ok((self.0)())
    }
}

pub static ASYNC_CHANNEL: Channel = Channel(|| {
    let (sender, receiver) = async_channel::unbounded();
    let receive = async move { receiver.recv().await };
    (leaf(receive), Box::new(move |it| _ = sender.try_send(it)))
});
pub static FLUME: Channel = Channel(|| {
    let (sender, receiver) = flume::unbounded();
    let receive = async move { receiver.recv_async().await };
    (leaf(receive), Box::new(move |it| _ = sender.send(it)))
});
pub static FUTURES_MPSC: Channel = Channel(|| {
    let (sender, mut receiver) = futures::channel::mpsc::unbounded();
    let receive = async move { receiver.next().await };
    let put = move |it| _ = sender.unbounded_send(it);
    (leaf(receive), Box::new(put))
});
pub static TOKIO_MPSC: Channel = Channel(|| {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let receive = async move { receiver.recv().await };
    (leaf(receive), Box::new(move |it| _ = sender.send(it)))
});
pub static KANAL_RECEIVE: Channel = Channel(|| {
    let (sender, receiver) = kanal::unbounded_async();
    let receive = async move { receiver.recv().await };
    (leaf(receive), Box::new(move |it| _ = sender.try_send(it)))
});

/// So many that wait for one thing.
pub struct Several(fn(usize) -> (Vec<BoxFuture>, Give));

impl Leaf for Several {
    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        Ok((self.0)(count))
    }
}

fn several(count: usize, one: impl Fn() -> BoxFuture) -> Vec<BoxFuture> {
    (0..count).map(|_| one()).collect()
}

async fn acquire(semaphore: Arc<async_lock::Semaphore>) {
    semaphore.acquire_arc().await.forget();
}

async fn acquire_tokio(semaphore: Arc<tokio::sync::Semaphore>) {
    _ = semaphore.acquire().await.map(|it| it.forget());
}

pub static ASYNC_LOCK_SEMAPHORE: Several = Several(|count| {
    let semaphore = Arc::new(async_lock::Semaphore::new(0));
    let all = several(count, || leaf(acquire(semaphore.clone())));
    (all, Box::new(move || semaphore.add_permits(1)))
});
pub static TOKIO_SEMAPHORE: Several = Several(|count| {
    let semaphore = Arc::new(tokio::sync::Semaphore::new(0));
    let all = several(count, || leaf(acquire_tokio(semaphore.clone())));
    (all, Box::new(move || semaphore.add_permits(1)))
});
pub static ASYNC_LOCK_MUTEX: Several = Several(|count| {
    let mutex = Arc::new(async_lock::Mutex::new(()));
    let mut guard = mutex.clone().try_lock_arc();
    let all = several(count, || leaf(mutex.clone().lock_arc()));
    (all, Box::new(move || drop(guard.take())))
});
pub static FUTURES_MUTEX: Several = Several(|count| {
    let mutex = Arc::new(futures::lock::Mutex::new(()));
    let mut guard = mutex.clone().try_lock_owned();
    let all = several(count, || leaf(mutex.clone().lock_owned()));
    (all, Box::new(move || drop(guard.take())))
});
pub static TOKIO_MUTEX: Several = Several(|count| {
    let mutex = Arc::new(tokio::sync::Mutex::new(()));
    let mut guard = mutex.clone().try_lock_owned().ok();
    let all = several(count, || leaf(mutex.clone().lock_owned()));
    (all, Box::new(move || drop(guard.take())))
});

pub struct EmbassyTimer;

impl Leaf for EmbassyTimer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let micros = u64::try_from(after.as_micros()).map_err(|_| NotItsJob)?;
        Ok(leaf(embassy_time::Timer::after_micros(micros)))
    }
}
