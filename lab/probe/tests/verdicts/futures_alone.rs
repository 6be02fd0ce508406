//! Without tokio.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::{Poll, Wake, Waker},
    thread,
};

use futures::executor;
use why_pending::watch;

use crate::props::{ms, programs};

type Place = Arc<Mutex<Option<Waker>>>;

programs! { "futures_alone.rs";
    // `Wake` that sets a flag, and the loop that reads it sleeps.
    executor_forgets("task 1 'main' was woken, and not polled since.", "The executor has lost it") {
        struct Nothing;
        impl Wake for Nothing {
            fn wake(self: Arc<Self>) {}
        }
        let place = Place::default();
        let mut future = Box::pin(watch("main", poll_fn(|cx| { // <- here
            *place.lock().unwrap() = Some(cx.waker().clone());
            Poll::<()>::Pending
        })));
        let waker = Waker::from(Arc::new(Nothing));
        assert!(future.as_mut().poll(&mut std::task::Context::from_waker(&waker)).is_pending());
        place.lock().unwrap().take().unwrap().wake();
        loop {
            thread::park();
        }
    }

    // The wakers of this join only note who was woken.
    join_swallows_the_wake("task 1 'child' was woken, and the wake did not reach 'join', which polls it.") {
        struct Note(Mutex<bool>);
        impl Wake for Note {
            fn wake(self: Arc<Self>) {
                *self.0.lock().unwrap() = true;
            }
        }
        let place = Place::default();
        let other = place.clone();
        thread::spawn(move || {
            thread::sleep(ms(50));
            other.lock().unwrap().take().unwrap().wake();
        });
        let mut child = Box::pin(watch("child", poll_fn(|cx| {
            *place.lock().unwrap() = Some(cx.waker().clone()); // <- here
            Poll::<()>::Pending
        })));
        let own = Waker::from(Arc::new(Note(Mutex::new(true))));
        let kept = Place::default();
        executor::block_on(watch("join", poll_fn(move |cx| {
            *kept.lock().unwrap() = Some(cx.waker().clone());
            child.as_mut().poll(&mut std::task::Context::from_waker(&own))
        })));
    }

    // The event came, and the code that notes it does not call the waker.
    done_without_a_wake("task 1 'timer' returned Pending, and is ready now, but its waker was not called.", "it was ready. So the wake is missing.") {
        let shared = Arc::new((Mutex::new(false), Place::default()));
        let other = shared.clone();
        thread::spawn(move || {
            thread::sleep(ms(50));
            *other.0.lock().unwrap() = true;
        });
        executor::block_on(watch("timer", poll_fn(|cx| { // <- here
            if *shared.0.lock().unwrap() {
                return Poll::Ready(());
            }
            *shared.1.lock().unwrap() = Some(cx.waker().clone());
            Poll::Pending
        })));
    }
}
