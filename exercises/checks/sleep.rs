//! A task that sees how its executor sleeps while it waits.

use super::wait::{Sleeper, comes_true};
use std::{
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::{Receiver, channel},
    },
    task::Poll,
    thread,
};

/// A task that is woken when the thread that polled it sleeps. When it has finished, `Ok(true)` has been sent first if that
/// thread slept until another one ended its sleep. A sleep that has a limit, however long, is not enough.
pub fn task() -> (impl Future<Output = ()> + Send, Receiver<bool>) {
    let (tell, told) = channel();
    let (mut polled, woken) = (false, Arc::new(AtomicBool::new(false)));
    let task = poll_fn(move |cx| {
        if std::mem::replace(&mut polled, true) {
            if !woken.load(SeqCst) {
                let _ = tell.send(false);
            }
            return Poll::Ready(());
        }
        let (sleeper, waker) = (Sleeper::here(), cx.waker().clone());
        let (tell, woken) = (tell.clone(), Arc::clone(&woken));
        thread::spawn(move || {
            let _ = tell.send(comes_true(|| sleeper.waits()));
            woken.store(true, SeqCst);
            waker.wake();
        });
        Poll::Pending
    });
    (task, told)
}
