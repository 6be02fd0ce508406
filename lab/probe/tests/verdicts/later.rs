//! After public reports, written with the right answer before the watchdog had been read.

use std::{collections::VecDeque, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufWriter, duplex},
    runtime::{Builder, Handle},
    spawn,
    sync::mpsc,
    task::{spawn_blocking, yield_now},
};
use why_pending::{
    tokio::sync::{Mutex, Semaphore, watch as last},
    watch,
};

use crate::props::{programs, run};

programs! { "later.rs";
    // Both closures need the only thread of the pool.
    double_dip("task", "'main' returned Pending", "'closure' returned Pending", "the task that it joins is not finished.", "A closure of spawn_blocking may") { // graph-node#2354
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.max_blocking_threads(1).build().unwrap();
        runtime.block_on(watch("main", async {
            let outer = spawn_blocking(|| {
                let inner = spawn_blocking(|| 7);
                Handle::current().block_on(watch("closure", async { inner.await.unwrap() })) // <- here
            });
            assert_eq!(outer.await.unwrap(), 7); // <- here
        }));
    }

    more_than_the_pipe_holds("task 1 'main' returned Pending", "the other side does not read, and what is between the two is full.", "or be with this very task") { // tokio#5313
        run(async {
            let (mut client, mut server) = duplex(2);
            client.write_all(b"ping").await.unwrap(); // <- here
            let mut request = [0; 4];
            server.read_exact(&mut request).await.unwrap();
        });
    }

    // That no limit is meant stands in the documentation alone.
    zero_for_no_limit("task 1 'main' returned Pending", "no permit is free", "it was made with none, and none was added; nobody is known to have it") { // services#4804
        run(async {
            let limit = Semaphore::new(0);
            drop(limit.acquire().await.unwrap()); // <- here
        });
    }

    more_permits_than_there_are("task 1 'main' returned Pending", "waits for 3 of the permits of", "; 1 of 2 free; 'main' took it at", "whether there are as many") { // zio#11187
        run(async {
            let permits = Arc::new(Semaphore::new(2));
            let one = permits.clone().acquire_owned().await.unwrap();
            let all = permits.acquire_many(3).await.unwrap(); // <- here
            drop((one, all));
        });
    }

    never_flushed("task", "'main' returned Pending", "'server'", "the other side has sent nothing more, and has not closed.", "was the request flushed?") { // openssh-sftp-client#155
        run(async {
            let (client, mut server) = duplex(64);
            let mut client = BufWriter::new(client);
            spawn(watch("server", async move {
                let hello = server.read_u8().await.unwrap(); // <- here
                server.write_u8(hello).await.unwrap();
            }));
            client.write_u8(1).await.unwrap();
            assert_eq!(client.read_u8().await.unwrap(), 1); // <- here
        });
    }

    // The guard of the scrutinee lives to the end of the loop's body.
    guard_of_the_scrutinee("a cycle of waits, unless another task can free one of these: 'main' waits for the lock of", "'main' took it at") { // rust-clippy#16889
        run(async {
            let jobs = Mutex::new(VecDeque::from([1]));
            while let Some(job) = jobs.lock().await.pop_front() { // <- here
                jobs.lock().await.push_back(job); // <- here
            }
        });
    }

    blocks_in_drop("task 1 'main' is inside poll, where another executor polls 'returns'.", "'takes' took it at") { // bb8#19
        struct Connection(Arc<Mutex<u32>>);
        impl Drop for Connection {
            fn drop(&mut self) {
                let returns = async { *self.0.lock().await += 1 }; // <- here
                futures::executor::block_on(watch("returns", returns));
            }
        }
        run(async {
            let pool = Arc::new(Mutex::new(0));
            let other = pool.clone();
            spawn(watch("takes", async move {
                let mut guard = other.lock().await; // <- here
                yield_now().await;
                *guard -= 1;
            }));
            yield_now().await;
            drop(Connection(pool));
        });
    }

    // A receiver that keeps a place, to put a message back, keeps it from all senders.
    place_is_kept_for_later("task", "'sends' returned Pending", "no place is free in the channel", "the free one is reserved", "'main' took it at") { // tokio#7709
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            let kept = sender.clone().reserve_owned().await.unwrap();
            spawn(watch("sends", async move { sender.send(1).await })); // <- here
            assert_eq!(receiver.recv().await, Some(1)); // <- here
            drop(kept);
        });
    }

    subscribed_after_the_word("a cycle of waits, unless one of these waits for more than this, or has given away what it used last: 'main' waits for the sender of", "'main' used it last at", "no change was told to this receiver", "waits for the sender of", "before this receiver") { // tokio#5606
        run(async {
            let (sender, _) = last::channel(false);
            sender.send_replace(true);
            let mut stop = sender.subscribe();
            stop.changed().await.unwrap(); // <- here
        });
    }
}
