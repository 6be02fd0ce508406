//! On tokio, with the locks, channels and tasks of `probe::tokio`: who has what is waited for.

use std::sync::Arc;

use probe::{
    Resource,
    tokio::{
        spawn,
        sync::{Mutex, Notify, RwLock, Semaphore, mpsc, oneshot},
    },
    watch,
};
use tokio::{task::yield_now, time::sleep};

use crate::props::{block_on, ms, run};

macro_rules! programs {
    ($($name:ident $body:block)*) => {
        pub(crate) const ALL: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
        $(fn $name() $body)*
    };
}

type Lock = Arc<Mutex<()>>;

async fn takes_two(one: Lock, other: Lock) {
    let _one = one.lock().await;
    yield_now().await;
    let _other = other.lock().await;
}

programs! {
    known_circle {
        block_on(async {
            let (a, b) = (Lock::default(), Lock::default());
            let ab = spawn(watch("ab", takes_two(a.clone(), b.clone())));
            spawn(watch("ba", takes_two(b, a)));
            ab.await.unwrap();
        });
    }

    known_self {
        run(async {
            let lock = Lock::default();
            let _first = lock.lock().await;
            let _second = lock.clone().lock_owned().await;
        });
    }

    known_sender {
        run(async {
            let (sender, mut receiver) = mpsc::channel(4);
            for n in 0..3 {
                let sender = sender.clone();
                spawn(async move { sender.send(n).await });
            }
            while let Some(n) = receiver.recv().await {
                assert!(n < 3);
            }
            drop(sender);
        });
    }

    known_receiver {
        run(async {
            let (sender, receiver) = mpsc::channel(1);
            let (stop, stopped) = oneshot::channel::<()>();
            spawn(watch("receives later", async move {
                stopped.await.unwrap();
                drop(receiver);
            }));
            for n in 0..3 {
                sender.send(n).await.unwrap();
            }
            stop.send(()).unwrap();
        });
    }

    known_channel_to_itself {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            sender.send(0).await.unwrap();
            receiver.recv().await.unwrap();
            for n in 0..3 {
                sender.send(n).await.unwrap();
            }
        });
    }

    known_task {
        run(async {
            spawn(async { Notify::new().notified().await }).await.unwrap();
        });
    }

    known_readers {
        run(async {
            let lock = RwLock::new(());
            let _read = lock.read().await;
            let _write = lock.write().await;
        });
    }

    known_permit {
        run(async {
            let permits = Arc::new(Semaphore::new(1));
            let one = permits.clone();
            spawn(watch("has it", async move {
                let _permit = one.acquire_owned().await.unwrap();
                Notify::new().notified().await;
            }));
            sleep(ms(10)).await;
            let _permit = permits.acquire().await.unwrap();
        });
    }

    known_of_ones_own {
        run(async {
            let printer = Resource::new("printer");
            let _hold = printer.hold();
            printer.wait(watch("prints", sleep(ms(1_000_000)))).await;
        });
    }
}
