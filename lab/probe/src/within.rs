//! The watchdog: a closure or a future that does not finish is ended, with a message that says why.

mod examine;
mod guard;
pub(crate) mod patience;
mod speak;

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind},
    pin::Pin,
    sync::{Arc, Mutex, mpsc},
    task::{Context, Poll, ready},
    thread,
    time::Duration,
};

use self::{examine::examine, guard::Guard, patience::SECOND_LOOK};
use crate::{
    judge::looks::{Look, Subject},
    say::report::Occasion,
    see::{
        lock::own,
        place::{Place, own_thread},
        scope,
        watch::watched_as,
    },
};

/// Runs `f` on the calling thread and returns what it returns. If that takes longer than `limit`, a message goes to standard error
/// and the *process* ends with status 1: no thread can be made to give up a poll that hangs. On a crowded Linux machine the limit
/// is longer, because slow does not mean stuck there: from twice, where eight threads want each processor, to ten times.
///
/// The message explains each future that is [`watch`](crate::watch)ed by `f`, or first polled by it. It takes two looks, a quarter
/// of a second apart, and then polls once more what is stuck, which may cure it: the process ends nevertheless.
pub fn within<T>(limit: Duration, f: impl FnOnce() -> T) -> T {
    let mut result = None;
    let mut f = Some(f);
    guarded(limit, &mut || result = f.take().map(|f| f()));
    result.expect("`guarded` calls the closure, and ends in a panic if that does")
}

/// Not generic, or all of it would be compiled again for the closure of each test.
fn guarded(limit: Duration, f: &mut dyn FnMut()) {
    let guard = Guard::new(limit, Subject::Closure);
    let roll = guard.roll.clone();
    let trace = guard.ends_trace();
    thread::scope(|scope| {
        // Dropped on return and on panic alike, which is what ends the guard.
        let (_running, over) = mpsc::channel();
        own_thread()
            .spawn_scoped(scope, move || guard.guards_closure(&over))
            .expect("the system has one more thread");
        // Before the scope waits for the guard, because that sleep is not one of `f`.
        let _trace = trace;
        scope::with_roll(&roll, f);
    });
}

/// Awaits `future`. If that takes longer than `limit`, it panics there with a message that says why, where the future waits, and
/// what each other future does that is [`watch`](crate::watch)ed: so a `#[tokio::test]` fails as any test does, and the others go on.
///
/// What is watched inside `future`, and inside tasks that are watched themselves, belongs to it. If a second later the future was
/// not polled, or a thread is still inside of a watched poll or closure, the message goes to standard error and the *process* ends
/// with status 1: the drop of a runtime waits for that. While that thread runs rather than sleeps, its poll may still end, so the message
/// waits for up to ten seconds more.
///
/// What hangs is dropped before the panic. A panic in that drop is said at the end of the message. If the drop doesn't return, the message
/// goes to standard error and the process ends, too.
///
/// The drop of the runtime waits even if the future was ready in time. A test that ends late for that reason has a message on standard
/// error, once the drop has taken as long as `limit`. If it takes ten times as long, the process ends with status 1.
#[track_caller]
pub fn within_async<F: Future>(limit: Duration, future: F) -> impl Future<Output = F::Output> {
    let guard = Guard::new(limit, Subject::Future);
    let roll = Arc::downgrade(&guard.roll);
    let here = Location::caller();
    let watched = scope::inside(roll, || watched_as(None, here, Box::pin(future)));
    Panics(Box::pin(async move {
        let guarded = guard.guards_future();
        let mut watched = Box::pin(watched);
        let result = poll_fn(|cx| match guarded.message(cx.waker()) {
            Some(message) => Poll::Ready(Err(message)),
            None => watched.as_mut().poll(cx).map(Ok),
        })
        .await;
        // What hangs may panic while it is dropped, or never come back from it. The guard still waits, and ends the process then.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(watched))) {
            match result {
                Ok(_) => resume_unwind(payload),
                Err(message) => return Err(message + DROP_PANICKED),
            }
        }
        drop(guarded);
        result
    }))
}

/// Of a future that hung.
const DROP_PANICKED: &str = "\nIt was dropped then, and that panicked.\n";

/// Panics with the error of the future inside, in the line that awaits it.
struct Panics<F>(Pin<Box<F>>);

impl<T, F: Future<Output = Result<T, String>>> Future for Panics<F> {
    type Output = T;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        match ready!(self.0.as_mut().poll(cx)) {
            Ok(it) => Poll::Ready(it),
            Err(message) => panic!("{message}"),
        }
    }
}

/// What each watched future that is stuck waits for and where, as [`within`] would say it if the time were up now. That of
/// the `within` in which it is called, or else of all that is watched outside of any.
///
/// It takes a quarter of a second, and blocks its thread, which should be none that polls. What is stuck is polled once more.
pub fn report() -> String {
    // Two at once would take the polls of one for what the program does by itself.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = own(&ONE_AT_A_TIME);
    let roll = scope::roll();
    let caller = Place::here();
    let first = Look::at(&roll, Subject::Everything);
    thread::sleep(SECOND_LOOK);
    examine(&first, &roll, Subject::Everything, Occasion::Asked, &caller)
}
