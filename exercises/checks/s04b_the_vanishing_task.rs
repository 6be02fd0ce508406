use super::*;
use probe::{Counted, watch, within};
use std::future::poll_fn;
use std::sync::mpsc;
use std::task::Poll;
use std::time::Duration;
use step04_channel_executor::yield_now;

#[test]
fn a_pending_future_stays_with_its_task() {
    within(Duration::from_secs(2), || {
        let (sender, queue) = mpsc::channel();
        let door = Arc::new(Mutex::new((false, None::<Waker>)));
        let other_side = Arc::clone(&door);
        let waits = poll_fn(move |cx| {
            let (open, waker) = &mut *door.lock().unwrap();
            if *open {
                return Poll::Ready(());
            }
            *waker = Some(cx.waker().clone());
            Poll::Pending
        });
        let opens = async move {
            // The other task is not polled meanwhile.
            yield_now().await;
            let waker = {
                let mut door = other_side.lock().unwrap();
                door.0 = true;
                door.1.take()
            };
            // Twice: so the first task is in the queue once more when it is finished.
            waker.iter().for_each(Waker::wake_by_ref);
            if let Some(waker) = waker {
                waker.wake();
            }
        };
        let waits = Counted::new(watch("prints done! when the door is open", waits));
        let counts = waits.counts();
        spawn(&sender, waits);
        spawn(&sender, opens);
        drop(sender);
        run(queue);
        assert!(
            counts.completions() == 1,
            "The future returned Pending, and then it was dropped, unfinished. Its polls: {}.\n\
             Its task was woken afterwards, and there was no future to poll. Wanted: `done!`, that is, Ready.\n\
             Look at: what does `take` leave in the slot, and what owns the future after the poll?",
            counts.polls()
        );
        assert!(
            counts.polls_after_ready() == 0,
            "The future was Ready, and was polled again: an async block would panic.\n\
             Its task was woken twice, so it was in the queue once more. Wanted: the last poll finds no future.\n\
             Look at: which futures go back into the slot?"
        );
        assert!(
            counts.polls() == 2,
            "The future was polled {} times. Wanted: twice, once for being spawned and once for being woken.",
            counts.polls()
        );
    });
}
