//! On tokio, with the locks, channels and tasks of `probe::tokio`: who has what is waited for.

use std::sync::Arc;

use probe::{
    Resource,
    tokio::{
        spawn,
        sync::{Mutex, Notify, Semaphore, mpsc, oneshot},
    },
    watch,
};
use tokio::{task::yield_now, time::sleep};

use crate::props::{block_on, ms, programs, run};

type Lock = Arc<Mutex<()>>;

async fn takes_two(one: Lock, other: Lock) {
    let _one = one.lock().await;
    yield_now().await;
    let _other = other.lock().await;
}

programs! { "with_names.rs";
    known_circle("a circle of waits: 'ab' waits for a lock at", "'ba' has it since lab/probe/tests/verdicts/with_names.rs", "'ba' waits for a lock at", "'ab' has it since") { // zeph#5107
        block_on(async {
            let (a, b) = (Lock::default(), Lock::default());
            let ab = spawn(watch("ab", takes_two(a.clone(), b.clone())));
            spawn(watch("ba", takes_two(b, a)));
            ab.await.unwrap();
        });
    }

    known_sender("task 1 'main' returned Pending", "waits for the sender of", "'main' made it, and it was not used yet, at lab/probe/tests/verdicts/with_names.rs") { // tokio#1761
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

    known_receiver("task 1 'main' returned Pending", "waits for the receiver of", "task 2 'receives later' returned Pending", "waits for the sender of") {
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

    known_channel_to_itself("a circle of waits, unless an end has been given away since it was used:", "'main' used it last at") {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            sender.send(0).await.unwrap();
            receiver.recv().await.unwrap();
            for n in 0..3 {
                sender.send(n).await.unwrap();
            }
        });
    }

    known_task("task 1 'main' returned Pending", "waits for the task of", "lab/probe/tests/verdicts/with_names.rs:", "' has it since") {
        run(async {
            spawn(async { Notify::new().notified().await }).await.unwrap();
        });
    }

    known_permit("task 1 'main' returned Pending", "waits for the permits of", "'has it' has it since", "waits for the notification of") {
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

    known_of_ones_own("a circle of waits: 'main' waits for the printer of") {
        run(async {
            let printer = Resource::new("printer");
            let _hold = printer.hold();
            printer.wait(watch("prints", sleep(ms(1_000_000)))).await;
        });
    }
}
