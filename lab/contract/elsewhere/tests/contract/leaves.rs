//! The leaf futures: what waits in a channel or for a notification, and timers that are bound to their thread.

use std::{sync::Arc, time::Duration};

use contract::{Answer, BoxFuture, Leaf, Local, Message, Subject, Unsupported, leaf};

pub fn glommio_timer() -> Subject {
    let local = Local::on(|future| glommio::LocalExecutor::default().run(future));
    local.timer("glommio-timer", glommio::timer::Timer::new)
}

pub fn monoio_sleep() -> Subject {
    let local = Local::on(|future| {
        let runtime = monoio::RuntimeBuilder::<monoio::FusionDriver>::new().enable_timer();
        runtime.build().expect("a driver").block_on(future);
    });
    local.timer("monoio-sleep", monoio::time::sleep)
}

pub fn compio_sleep() -> Subject {
    let local = Local::on(|future| {
        compio::runtime::Runtime::new()
            .expect("a driver")
            .block_on(future)
    });
    local.timer("compio-sleep", compio::time::sleep)
}

/// A send into a channel without room, which is ready when it is received.
pub fn kanal_send() -> Subject {
    Subject::once("kanal-send", || {
        let (sender, receiver) = kanal::bounded_async(0);
        let send = async move { sender.send(7).await };
        (send, move || _ = receiver.try_recv())
    })
}

pub fn oneshots() -> [Subject; 2] {
    [
        Subject::oneshot("tokio-oneshot", || {
            let (sender, receiver) = tokio::sync::oneshot::channel();
            (receiver, || _ = sender.send(7))
        }),
        Subject::oneshot("futures-oneshot", || {
            let (sender, receiver) = futures::channel::oneshot::channel();
            (receiver, || _ = sender.send(7))
        }),
    ]
}

pub fn tokio_watch() -> Subject {
    Subject::once("tokio-watch", || {
        let (sender, mut receiver) = tokio::sync::watch::channel(0);
        let changed = async move { receiver.changed().await };
        (changed, move || _ = sender.send(7))
    })
}

pub fn async_channel() -> Subject {
    of_async_channel("async-channel", async_channel::unbounded)
}

pub fn async_channel_bounded() -> Subject {
    of_async_channel("async-channel-bounded", || async_channel::bounded(3))
}

fn of_async_channel(
    name: &'static str,
    make: fn() -> (
        async_channel::Sender<Message>,
        async_channel::Receiver<Message>,
    ),
) -> Subject {
    Subject::channel(name, move || {
        let (sender, receiver) = make();
        let receive = move || {
            let receiver = receiver.clone();
            async move { receiver.recv().await.ok() }
        };
        (move |message| _ = sender.try_send(message), receive)
    })
}

pub fn flume() -> Subject {
    of_flume("flume", flume::unbounded)
}

pub fn flume_bounded() -> Subject {
    of_flume("flume-bounded", || flume::bounded(3))
}

fn of_flume(
    name: &'static str,
    make: fn() -> (flume::Sender<Message>, flume::Receiver<Message>),
) -> Subject {
    Subject::channel(name, move || {
        let (sender, receiver) = make();
        let receive = move || {
            let receiver = receiver.clone();
            async move { receiver.recv_async().await.ok() }
        };
        (move |message| _ = sender.try_send(message), receive)
    })
}

pub fn kanal_receive() -> Subject {
    Subject::channel("kanal-receive", || {
        let (sender, receiver) = kanal::unbounded_async();
        let receive = move || {
            let receiver = receiver.clone();
            async move { receiver.recv().await.ok() }
        };
        (move |message| _ = sender.try_send(message), receive)
    })
}

pub fn futures_mpsc() -> Subject {
    Subject::stream("futures-mpsc", || {
        let (sender, receiver) = futures::channel::mpsc::unbounded();
        (move |message| _ = sender.unbounded_send(message), receiver)
    })
}

pub fn futures_mpsc_bounded() -> Subject {
    Subject::stream("futures-mpsc-bounded", || {
        let (mut sender, receiver) = futures::channel::mpsc::channel(3);
        (move |message| _ = sender.try_send(message), receiver)
    })
}

pub fn tokio_mpsc() -> Subject {
    Subject::stream("tokio-mpsc", || {
        let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
        let stream = futures::stream::poll_fn(move |cx| receiver.poll_recv(cx));
        (move |message| _ = sender.send(message), stream)
    })
}

pub fn tokio_mpsc_bounded() -> Subject {
    Subject::stream("tokio-mpsc-bounded", || {
        let (sender, mut receiver) = tokio::sync::mpsc::channel(3);
        let stream = futures::stream::poll_fn(move |cx| receiver.poll_recv(cx));
        (move |message| _ = sender.try_send(message), stream)
    })
}

pub fn semaphores() -> [Subject; 2] {
    [
        Subject::semaphore("async-lock-semaphore", |permits| {
            let semaphore = Arc::new(async_lock::Semaphore::new(permits));
            move || semaphore.acquire_arc()
        }),
        Subject::weighted_semaphore("tokio-semaphore", |permits| {
            let semaphore = Arc::new(tokio::sync::Semaphore::new(permits));
            move |permits| semaphore.clone().acquire_many_owned(permits as u32)
        }),
    ]
}

pub fn locks() -> [Subject; 5] {
    [
        Subject::lock("async-lock-mutex", || {
            let mutex = Arc::new(async_lock::Mutex::new(()));
            move || mutex.lock_arc()
        }),
        Subject::lock("futures-mutex", || {
            let mutex = Arc::new(futures::lock::Mutex::new(()));
            move || mutex.clone().lock_owned()
        }),
        Subject::lock("tokio-mutex", || {
            let mutex = Arc::new(tokio::sync::Mutex::new(()));
            move || mutex.clone().lock_owned()
        }),
        Subject::rw_lock("async-lock-rwlock", || {
            let reads = Arc::new(async_lock::RwLock::new(()));
            let writes = reads.clone();
            let read = move || {
                let lock = reads.clone();
                async move { lock.read_arc().await }
            };
            let write = move || {
                let lock = writes.clone();
                async move { lock.write_arc().await }
            };
            (read, write)
        }),
        Subject::rw_lock("tokio-rwlock", || {
            let reads = Arc::new(tokio::sync::RwLock::new(()));
            let writes = reads.clone();
            (
                move || reads.clone().read_owned(),
                move || writes.clone().write_owned(),
            )
        }),
    ]
}

/// The other halves of bounded channels, in which senders wait.
pub fn senders() -> [Subject; 3] {
    [
        Subject::sender("async-channel-sender", |room| {
            let (sender, receiver) = async_channel::bounded(room);
            let send = move |message| {
                let sender = sender.clone();
                async move { sender.send(message).await }
            };
            (send, move || receiver.try_recv().ok())
        }),
        Subject::sender("flume-sender", |room| {
            let (sender, receiver) = flume::bounded(room);
            let send = move |message| sender.clone().into_send_async(message);
            (send, move || receiver.try_recv().ok())
        }),
        Subject::sender("tokio-mpsc-sender", |room| {
            let (sender, mut receiver) = tokio::sync::mpsc::channel(room);
            let send = move |message| {
                let sender = sender.clone();
                async move { sender.send(message).await }
            };
            (send, move || receiver.try_recv().ok())
        }),
    ]
}

pub fn tokio_notify() -> Subject {
    Subject::waiters("tokio-notify", || {
        let notify = Arc::new(tokio::sync::Notify::new());
        let waits = notify.clone();
        (
            move || waits.clone().notified_owned(),
            move || notify.notify_one(),
        )
    })
}

pub fn events() -> [Subject; 3] {
    [
        Subject::event("tokio-notify-all", || {
            let notify = Arc::new(tokio::sync::Notify::new());
            let waits = notify.clone();
            (
                move || waits.clone().notified_owned(),
                move || notify.notify_waiters(),
            )
        }),
        Subject::event("event-listener", || {
            let event = Arc::new(event_listener::Event::new());
            let listens = event.clone();
            (
                move || listens.listen(),
                move || _ = event.notify(usize::MAX),
            )
        }),
        Subject::event("tokio-watch-all", || {
            let (sender, receiver) = tokio::sync::watch::channel(0);
            let listen = move || {
                let mut receiver = receiver.clone();
                async move { receiver.changed().await }
            };
            (listen, move || _ = sender.send(7))
        }),
    ]
}

pub struct EmbassyTimer;

impl Leaf for EmbassyTimer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        let micros = u64::try_from(after.as_micros()).map_err(|_| Unsupported)?;
        Ok(leaf(embassy_time::Timer::after_micros(micros)))
    }
}
