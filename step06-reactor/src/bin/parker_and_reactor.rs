//! The program of *Parker and Reactor* (003): its `block_on`, and two timers in a row on a reactor.

use std::{
    future::Future,
    pin::pin,
    sync::{Arc, Condvar, Mutex},
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use step06_reactor::{Reactor, Timer};

/// A second of the document.
const SECOND: Duration = Duration::from_millis(100);

#[derive(Default)]
struct Parker(Mutex<bool>, Condvar);

impl Parker {
    fn park(&self) {
        let resumable = self.0.lock().unwrap();
        *self
            .1
            .wait_while(resumable, |resumable| !*resumable)
            .unwrap() = false;
    }
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        *self.0.lock().unwrap() = true;
        self.1.notify_one();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let parker = Arc::new(Parker::default());
    let waker = Waker::from(Arc::clone(&parker));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => println!("blocked on block_on!"),
        }
        parker.park();
    }
}

fn main() {
    let start = Instant::now();
    // Version 1, which starts a thread for each timer, as the document's reactor does.
    let reactor = Reactor::with_thread_per_timer();
    let got = async |id, seconds| {
        let timer = Timer::new(&reactor, seconds * SECOND).await;
        timer.expect("the reactor is here");
        let seconds = start.elapsed().div_duration_f32(SECOND);
        println!("Got {id} at time: {seconds:.2}.");
    };
    block_on(async {
        got(1, 1).await;
        got(2, 2).await;
    });
}
