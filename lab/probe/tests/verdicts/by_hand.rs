//! Futures, channels and executors that somebody wrote by hand, after public reports.

use std::{
    cell::OnceCell,
    collections::VecDeque,
    future::poll_fn,
    mem::{replace, take},
    pin::{Pin, pin},
    rc::Rc,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
};

use futures::{
    StreamExt,
    future::{FutureExt, LocalBoxFuture, Shared},
    poll,
    stream::FuturesUnordered,
};
use tokio::{
    spawn,
    time::{Sleep, sleep, timeout},
};
use why_pending::{watch, within_async};

use crate::props::{an_hour, block_on, ms, programs, run};

type Place = Arc<Mutex<Option<Waker>>>;
type Itself = Shared<LocalBoxFuture<'static, u8>>;

/// Once it is woken, it waits for a lock that it holds.
fn awaits_itself<F: Future<Output = u8> + 'static>(
    wraps: impl FnOnce(Itself) -> F + 'static,
) -> Itself {
    let cell = Rc::new(OnceCell::<Itself>::new());
    let same = cell.clone();
    let future = async move { wraps(same.get().unwrap().clone()).await }; // itself
    cell.get_or_init(|| future.boxed_local().shared()).clone()
}

programs! { "by_hand.rs";
    // The poll that the watchdog asks for wakes the second one, which was not woken before.
    woken_after_the_second_look("task 1 'main' returned Pending", "task 3 'second' is still at work.", "woken once, in the poll of 'first'") {
        run(async {
            let place = Place::default();
            let (seconds, mut polls) = (place.clone(), 0);
            spawn(watch("first", poll_fn(move |cx| {
                std::mem::forget(cx.waker().clone());
                polls += 1;
                if let (2, Some(second)) = (polls, &*seconds.lock().unwrap()) {
                    second.wake_by_ref();
                }
                Poll::<()>::Pending
            })));
            spawn(watch("second", poll_fn(move |cx| {
                *place.lock().unwrap() = Some(cx.waker().clone());
                Poll::<()>::Pending
            })))
            .await
            .unwrap();
        });
    }

    // One that was dropped has left its waker in the queue, and takes the only wake.
    wake_spent_on_one_that_gave_up("task 2 'next' returned Pending", "So the wake is missing.", "dropped") { // sqlx#1211
        type Pool = Arc<Mutex<(u32, VecDeque<Waker>)>>;
        fn acquire(pool: Pool) -> impl Future<Output = ()> {
            let mut queued = false;
            poll_fn(move |cx| {
                let mut pool = pool.lock().unwrap();
                if pool.0 > 0 {
                    pool.0 -= 1;
                    return Poll::Ready(());
                }
                if !replace(&mut queued, true) {
                    pool.1.push_back(cx.waker().clone());
                }
                Poll::Pending
            })
        }
        block_on(async {
            let pool = Pool::default();
            let _ = timeout(ms(5), watch("gave up", acquire(pool.clone()))).await;
            let next = spawn(watch("next", acquire(pool.clone()))); // <- here
            sleep(ms(5)).await;
            let first = {
                let mut pool = pool.lock().unwrap();
                pool.0 += 1;
                pool.1.pop_front()
            };
            first.unwrap().wake();
            next.await.unwrap();
        });
    }

    drained_keeps_no_waker("task 2 'shutdown' returned Pending, but no clone of its waker was kept.") { // ballista#2356
        let active = Arc::new(AtomicUsize::new(1));
        let shared = active.clone();
        let drained = poll_fn(move |_| match active.load(SeqCst) {
            0 => Poll::Ready(()),
            _ => Poll::Pending,
        });
        block_on(async {
            spawn(watch("task", async move {
                sleep(ms(5)).await;
                shared.fetch_sub(1, SeqCst);
            }));
            watch("shutdown", drained).await; // <- here
        });
    }

    last_sender_wakes_nobody("task 2 'consumer' returned Pending", "So the wake is missing.") { // local-sync#4
        #[derive(Default)]
        struct Channel {
            closed: AtomicBool,
            receiver: Mutex<Option<Waker>>,
        }
        struct Sender(Arc<Channel>);
        impl Drop for Sender {
            fn drop(&mut self) {
                self.0.closed.store(true, SeqCst);
            }
        }
        block_on(async {
            let channel = Arc::new(Channel::default());
            let sender = Sender(channel.clone());
            spawn(watch("producer", async move {
                sleep(ms(5)).await;
                drop(sender);
            }));
            watch("consumer", poll_fn(|cx| {
                *channel.receiver.lock().unwrap() = Some(cx.waker().clone()); // <- here
                match channel.closed.load(SeqCst) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                }
            }))
            .await;
        });
    }

    // What may come between the look at `done` and the keeping of the waker has come.
    waker_kept_too_late("task 1 'main' returned Pending", "So the wake is missing.", "same lock") { // affinitypool#7
        #[derive(Default)]
        struct Job {
            done: AtomicBool,
            waker: Mutex<Option<Waker>>,
        }
        let job = Job::default();
        block_on(watch("main", poll_fn(|cx| { // <- here
            if job.done.load(SeqCst) {
                return Poll::Ready(());
            }
            thread::scope(|scope| {
                scope.spawn(|| {
                    job.done.store(true, SeqCst);
                    job.waker.lock().unwrap().take().map(Waker::wake)
                });
            });
            *job.waker.lock().unwrap() = Some(cx.waker().clone());
            Poll::Pending
        })));
    }

    keeps_the_waker_of_its_first_poll("task 2 'moved' returned Pending, but no clone of its waker was kept.") { // futures-intrusive#18
        run(async {
            let event = Arc::new(Mutex::new((false, None)));
            let shared = event.clone();
            let mut wait = Box::pin(poll_fn(move |cx| {
                let mut event = shared.lock().unwrap();
                if event.0 {
                    return Poll::Ready(());
                }
                event.1.get_or_insert_with(|| cx.waker().clone());
                Poll::Pending
            }));
            assert!(poll!(&mut wait).is_pending());
            let moved = spawn(watch("moved", wait)); // <- here
            sleep(ms(5)).await;
            let waker: Waker = replace(&mut *event.lock().unwrap(), (true, None)).1.unwrap();
            waker.wake();
            moved.await.unwrap();
        });
    }

    one_timer_for_two_halves("task 1 'read half' returned Pending, and its waker was dropped without a wake in the poll of 'write half'.") { // tokio#8327
        async fn half(pause: Arc<Mutex<Pin<Box<Sleep>>>>) {
            poll_fn(|cx| pause.lock().unwrap().as_mut().poll(cx)).await
        }
        block_on(async {
            let pause = Arc::new(Mutex::new(Box::pin(sleep(ms(10)))));
            let read = spawn(watch("read half", half(pause.clone())));
            spawn(watch("write half", half(pause)));
            read.await.unwrap();
        });
    }

    // It clears the flag after the poll, and a wake that came in the poll with it.
    wake_in_the_poll_is_cleared("task 1 'main' was woken, and not polled since.", "The executor has lost it", "by its own poll") { // beul#1
        #[derive(Default)]
        struct Signal(Mutex<bool>, Condvar);
        impl Wake for Signal {
            fn wake(self: Arc<Self>) {
                *self.0.lock().unwrap() = true;
                self.1.notify_one();
            }
        }
        let mut first = true;
        let mut future = pin!(watch("main", poll_fn(|cx| { // <- here
            cx.waker().wake_by_ref();
            match take(&mut first) {
                true => Poll::Pending,
                false => Poll::Ready(()),
            }
        })));
        let signal = Arc::new(Signal::default());
        let waker = signal.clone().into();
        while future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            let mut woken = signal.0.lock().unwrap();
            *woken = false;
            while !*woken {
                woken = signal.1.wait(woken).unwrap();
            }
        }
    }

    // Each of the two puts its waker into the only place, and wakes the other one.
    signal_for_one("task 1 'one' is still at work.", "in the poll of 'two'") { // embassy#1922
        fn waits(signal: Place) -> impl Future<Output = ()> {
            poll_fn(move |cx| {
                let own = cx.waker().clone(); // <- here
                let other = signal.lock().unwrap().replace(own.clone());
                other.into_iter().filter(|it| !it.will_wake(&own)).for_each(Waker::wake);
                Poll::Pending
            })
        }
        block_on(async {
            let signal = Place::default();
            spawn(watch("one", waits(signal.clone())));
            spawn(watch("two", waits(signal))).await.unwrap();
        });
    }

    // The set keeps a waker, and a push wakes nobody.
    empty_set_is_forgotten("task 1 'actor' returned Pending", "So the wake is missing.") { // iroh#4325
        block_on(async {
            let running = Arc::new(Mutex::new(FuturesUnordered::new()));
            let shared = running.clone();
            spawn(async move { shared.lock().unwrap().push(async { 7 }) });
            let next = poll_fn(|cx| match running.lock().unwrap().poll_next_unpin(cx) { // <- here
                Poll::Ready(Some(n)) => Poll::Ready(n),
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            });
            assert_eq!(watch("actor", next).await, 7);
        });
    }

    // It wakes the task, rather than the waker that it is polled with: the set does not hear of it.
    yields_past_its_set("task 2 'yields' returned Pending, but no clone of its waker was kept.") { // kimojio-rs#37
        run(async {
            let task = poll_fn(|cx| Poll::Ready(cx.waker().clone())).await;
            let mut first = true;
            let yields = watch("yields", poll_fn(|_| match take(&mut first) {
                true => {
                    task.wake_by_ref();
                    Poll::Pending
                }
                false => Poll::Ready(()),
            }));
            let mut set: FuturesUnordered<_> = [yields].into_iter().collect();
            set.next().await; // <- here
        });
    }

    // One that was shared, polled once and dropped takes the waker with it.
    shared_and_dropped("task 1 'main' returned Pending, but its poll has dropped each clone of its waker") { // futures-rs#2261
        run(async {
            let shared = sleep(an_hour()).shared();
            poll_fn(|cx| shared.clone().poll_unpin(cx)).await;
        });
    }

    shared_awaits_itself("task", "'config' returned Pending", "in futures_util::future::future::shared", "If it awaits a clone of itself, it waits for itself.") {
        run(awaits_itself(|it| watch("config", it))); // <- itself
    }

    shared_awaits_itself_within_a_task("task 1 'lab/probe/tests/verdicts/by_hand.rs:", "Stopped after", "50ms") {
        block_on(awaits_itself(|it| within_async(ms(50), it)));
    }
}
