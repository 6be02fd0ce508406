use super::*;
mod wait;
use probe::{Counted, in_gap, watch, within};
use std::{
    future::poll_fn,
    sync::{atomic::Ordering::SeqCst, mpsc},
    task::Poll,
    time::Duration,
};
use step05_parker_block_on::block_on;

/// Runs a test. Each begins with the simplest shutdown, because if that hangs, the rest of the test doesn't matter.
fn run(test: impl FnOnce()) {
    shut_down("a task that shuts an idle runtime down", || {
        drop(Runtime::new());
    });
    shut_down("a task that shuts a runtime down", test);
}

fn shut_down(name: &str, test: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch(name, async { test() }));
    });
}

/// The futures that a test has spawned. Each leaves its waker here, as if it waited for a message that may still come.
#[derive(Clone, Default)]
struct Spawned {
    counts: Vec<probe::Counts>,
    wakers: Arc<std::sync::Mutex<Vec<Waker>>>,
}

impl Spawned {
    /// Spawns a task whose poll does this.
    fn spawn(&mut self, handle: &Handle, act: impl Fn() -> Poll<()> + Send + 'static) {
        let wakers = Arc::clone(&self.wakers);
        let future = Counted::new(poll_fn(move |cx| {
            wakers.lock().unwrap().push(cx.waker().clone());
            act()
        }));
        self.counts.push(future.counts());
        handle.spawn(future);
    }

    /// Spawns a task that blocks its worker in a poll until the workers are joined, and then does this. Returns when the
    /// poll has begun. If the runtime waits for the poll before it joins, the poll ends too, but later.
    fn spawn_in_its_poll(&mut self, handle: &Handle, act: impl Fn() -> Poll<()> + Send + 'static) {
        let (tell, told) = mpsc::channel();
        let threads = Arc::clone(&handle.0.counts);
        self.spawn(handle, move || {
            tell.send(()).unwrap();
            let mut asked = 0;
            wait::comes_true(|| {
                asked += 1;
                threads.waited_for.load(SeqCst) > 0 || asked > 60
            });
            act()
        });
        told.recv().unwrap();
    }

    fn are_dropped(&self, which: &str, look_at: &str) {
        let left = self.counts.iter().filter(|it| it.drops() == 0).count();
        assert!(
            left == 0,
            "The runtime has been dropped. Futures that have not been dropped: {left} of {}, {which}.\nLook at: {look_at}",
            self.counts.len()
        );
    }
}

#[test]
fn the_threads_have_ended() {
    run(|| {
        let runtime = Runtime::new();
        let threads = Arc::clone(&runtime.handle.0.counts);
        drop(runtime);
        let (started, joined) = (threads.started.load(SeqCst), threads.joined.load(SeqCst));
        assert!(
            joined == started,
            "The runtime has been dropped. It had started {started} threads, and it has joined {joined} of them.\n\
             Look at: how can `drop` know that a thread no longer runs code of a task?"
        );
    });
}

#[test]
fn no_future_is_left() {
    run(|| {
        let runtime = Runtime::new();
        let handle = runtime.handle.clone();
        let [mut polled, mut queued, mut late] = [(); 3].map(|()| Spawned::default());
        polled.spawn_in_its_poll(&handle, || Poll::Pending);
        polled.spawn_in_its_poll(&handle, || Poll::Pending);
        queued.spawn(&handle, || Poll::Pending);
        queued.spawn(&handle, || Poll::Pending);
        drop(runtime);
        queued.are_dropped(
            "whose tasks were in the queue",
            "which collection has them all?",
        );
        polled.are_dropped(
            "those that two workers were polling when the shutdown began",
            "who drops a future that is being polled, and when?",
        );
        late.spawn(&handle, || Poll::Pending);
        late.are_dropped(
            "spawned after that",
            "how does `spawn` know that it is too late?",
        );
    });
}

/// While `drop` waits for the workers, the last poll of a task spawns another one.
#[test]
fn a_task_may_spawn_and_finish_while_the_workers_are_joined() {
    run(|| {
        let runtime = Runtime::new();
        let handle = runtime.handle.clone();
        let mut last = Spawned::default();
        last.spawn_in_its_poll(&runtime.handle, move || {
            handle.spawn(async {});
            Poll::Ready(())
        });
        drop(runtime);
        last.are_dropped(
            "which finished while `drop` waited for the workers",
            "who drops a future that is finished?",
        );
    });
}

/// Another thread spawns in each gap of `drop`.
#[test]
fn a_task_may_be_spawned_while_the_runtime_is_dropped() {
    run(|| {
        for gap in 0.. {
            let runtime = Runtime::new();
            let handle = runtime.handle.clone();
            let (tell, told) = mpsc::channel();
            let spawns = move || {
                let mut spawned = Spawned::default();
                spawned.spawn(&handle, || Poll::Pending);
                tell.send(spawned).unwrap();
            };
            let ((), gaps) = in_gap(gap, spawns, move || drop(runtime));
            if gap >= gaps {
                break;
            }
            told.recv().unwrap().are_dropped(
                "which another thread spawned between two steps of `drop`",
                "from which moment on is a task refused, and from which moment on does `drop` no longer see it?",
            );
        }
    });
}

/// Spawns when it is dropped.
struct Spawns(Handle, mpsc::Sender<Spawned>);

impl Drop for Spawns {
    fn drop(&mut self) {
        let mut spawned = Spawned::default();
        spawned.spawn(&self.0, || Poll::Pending);
        let _ = self.1.send(spawned);
    }
}

#[test]
fn a_destructor_may_spawn() {
    run(|| {
        let runtime = Runtime::new();
        let (tell, told) = mpsc::channel();
        let spawns = Spawns(runtime.handle.clone(), tell);
        let mut outer = Spawned::default();
        outer.spawn(&runtime.handle, move || {
            let _owned = &spawns;
            Poll::Pending
        });
        drop(runtime);
        outer.are_dropped("which was idle or in the queue", "who drops the futures?");
        told.recv().unwrap().are_dropped(
            "which was spawned by the destructor of another one",
            "was `closed` set by then?",
        );
    });
}
