//! Two readers wait behind a writer, which waits for a third reader. With async-lock 3.5 the two wake each other all the time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Wake, Waker},
};

use async_lock::RwLock;
use futures::{Future, FutureExt};

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, SeqCst);
    }
}

fn main() {
    let lock = Arc::new(RwLock::new(()));
    let _reads = lock.try_read_arc().unwrap();
    let mut gives_up = Box::pin(lock.write_arc());
    assert!((&mut gives_up).now_or_never().is_none());
    let mut readers = [(); 2].map(|()| {
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        (Box::pin(lock.read_arc()), woken)
    });
    let mut polls = 0;
    let mut poll_who_is_woken = || {
        for (reader, woken) in &mut readers {
            if woken.0.swap(false, SeqCst) {
                let waker = Waker::from(woken.clone());
                let polled = reader.as_mut().poll(&mut Context::from_waker(&waker));
                assert!(polled.is_pending());
                polls += 1;
            }
        }
    };
    poll_who_is_woken();
    drop(gives_up); // as by a timeout
    let mut writer = Box::pin(lock.write_arc());
    assert!((&mut writer).now_or_never().is_none());
    (0..1_000).for_each(|_| poll_who_is_woken());
    println!("polls of readers that have to wait: {polls}");
}
