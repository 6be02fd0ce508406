//! What several exhibits need and none is about.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use crate::orders;

#[cfg(target_os = "linux")]
pub(crate) mod kernel;
pub(crate) mod queue;

pub(crate) type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Wakes itself in each poll, and is ready at the poll after so many.
pub(crate) fn yields(mut times: usize) -> impl Future<Output = ()> + Send {
    poll_fn(move |cx| {
        if times == 0 {
            return Poll::Ready(());
        }
        times -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// A task without a mistake. What its waker does is for the exhibit to say.
pub(crate) struct Task {
    /// `None`: finished.
    pub(crate) future: Mutex<Option<BoxFuture>>,
    on_wake: Box<dyn Fn(Arc<Task>) + Send + Sync>,
}

impl Task {
    pub(crate) fn new(
        future: impl Future<Output = ()> + Send + 'static,
        on_wake: impl Fn(Arc<Task>) + Send + Sync + 'static,
    ) -> Arc<Task> {
        Arc::new(Task {
            future: Mutex::new(Some(Box::pin(future))),
            on_wake: Box::new(on_wake),
        })
    }

    /// Whether it was finished by this very poll.
    pub(crate) fn poll(self: &Arc<Task>) -> bool {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().expect("no exhibit panics here");
        let Some(future) = &mut *slot else {
            return false;
        };
        let is_ready = future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready();
        if is_ready {
            *slot = None;
        }
        is_ready
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        (self.on_wake)(Arc::clone(&self));
    }
}

/// Has loom run `model` once for each order in which its threads can run. It must return true in each.
pub(crate) fn in_every_order(model: impl Fn() -> bool + Send + Sync + 'static) {
    let wrong = "it is Pending, and no wake will come".to_owned();
    let model = move || if model() { Ok(()) } else { Err(wrong.clone()) };
    in_every_order_says("ready or woken", model);
}

/// As [`in_every_order`], for a model that says itself what went wrong. `right` is what is true of each order if nothing
/// did.
pub(crate) fn in_every_order_says(
    right: &str,
    model: impl Fn() -> Result<(), String> + Send + Sync + 'static,
) {
    let orders = Arc::new(AtomicUsize::new(0));
    let tried = Arc::clone(&orders);
    loom::model(move || {
        let order = tried.fetch_add(1, Ordering::Relaxed) + 1;
        orders::begin();
        let ended = model();
        if orders::end(ended.is_ok()) {
            return;
        }
        if let Err(wrong) = ended {
            panic!("in order {order} {wrong}");
        }
    });
    let orders = orders.load(Ordering::Relaxed);
    println!("{right} in each of {orders} orders");
}
