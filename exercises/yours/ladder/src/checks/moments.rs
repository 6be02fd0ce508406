//! What happens if another thread acts at exactly this moment? For each moment between two steps of your runtime, from a poll to the sleep
//! after it.

use std::{
    collections::HashSet,
    future::{Future, poll_fn},
    io::{Read, Write},
    mem, net,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use futures::{channel::oneshot, task::AtomicWaker};
use steps::plan::{self, Moment, What};
use yours::{Direction, JoinError, JoinHandle, Runtime, Source, sleep, spawn};

use super::{Ends, Kept, pending_once, waiting_task, yield_now};
use crate::referee::{self, Refereed, fail, stands_by, until, until_rest};

/// A runtime that takes more steps between a poll and its sleep doesn't sleep.
const MOST: usize = 400;

/// Calls `round` with the number of each step, until one of them is the sleep. It returns the moment at which another thread acted.
fn at_each_step(means: &str, mut round: impl FnMut(usize) -> Option<Moment>) {
    stands_by(means);
    for number in 0..MOST {
        match round(number) {
            Some(moment) if moment.before.what != What::Sleep => {}
            _ => return,
        }
    }
    panic!(
        "After a poll, when there was nothing left to do, your thread took {MOST} steps and didn't go to sleep. What does it wait for in \
         that loop, and what does that cost in an hour?"
    );
}

fn block_on<F: Future>(root: F) -> F::Output {
    Refereed::new(1, "`block_on` has returned").block_on(root)
}

pub(super) fn root_woken_at_any_moment() {
    let means = "The root future's waker was called by another thread, and then your `block_on` went to sleep. Nothing ends that sleep.\n\
                 look  what has your thread checked last, and which lock has it held from then until it slept?";
    at_each_step(means, |number| {
        let kept = Kept::default();
        block_on(pending_once(|waker| {
            kept.put(waker);
            let kept = kept.clone();
            plan::arm(number, move || kept.wake());
        }));
        plan::disarm()
    });
}

pub(super) fn task_woken_at_any_moment() {
    let means = "A task's waker was called by another thread, and the task wasn't polled again.\n\
                 look  when does a wake put a task into the queue, when doesn't it, and who looks into the queue after that?";
    at_each_step(means, |number| {
        block_on(async {
            let (end, ended) = oneshot::channel::<()>();
            spawn(async move {
                let kept = Kept::default();
                pending_once(|waker| {
                    kept.put(waker);
                    plan::arm(number, move || kept.wake());
                })
                .await;
                drop(end);
            });
            let _ = ended.await;
        });
        plan::disarm()
    });
}

/// A future whose polls are counted. It is ready in its third.
#[derive(Clone, Default)]
struct Thrice {
    polls: Arc<AtomicUsize>,
    kept: Kept,
}

impl Future for Thrice {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.kept.put(cx.waker());
        if self.polls.fetch_add(1, SeqCst) == 2 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl Thrice {
    fn was_polled(&self, times: usize) -> bool {
        self.polls.load(SeqCst) >= times
    }

    /// Wakes it when the runtime sleeps. At the step with this number of the wake, the runtime goes on until it sleeps again. Then wakes
    /// it once more. Returns whether the wake had such a step.
    fn wake_in_steps(&self, number: usize, means: &str) -> bool {
        until(|| self.was_polled(1));
        until_rest();
        let polled = self.clone();
        plan::arm(number, move || _ = until(|| polled.was_polled(2)));
        self.kept.wake();
        let moment = plan::moment();
        if !until(|| self.was_polled(2)) {
            fail(&format!("{means}\nIt isn't polled at all."));
        }
        until_rest();
        self.kept.wake();
        if !until(|| self.was_polled(3)) {
            fail(&format!(
                "{means}\nIt was polled, and then it was woken once more, and not polled."
            ));
        }
        plan::disarm();
        moment.is_some()
    }
}

/// Calls `run` with such a future, which another thread wakes, once for each step of a wake.
fn polled_during(what: &str, run: impl Fn(Thrice)) {
    let means = format!(
        "A thread that called the waker of {what} was interrupted between two steps of the wake, and meanwhile your runtime had time to \
         poll and to fall asleep again."
    );
    stands_by(&means);
    for number in 0..MOST {
        let thrice = Thrice::default();
        let (wakes, means) = (thrice.clone(), means.clone());
        let waker = thread::spawn(move || wakes.wake_in_steps(number, &means));
        run(thrice);
        if !waker.join().unwrap_or(false) {
            return;
        }
    }
}

pub(super) fn polled_during_a_wake() {
    polled_during("the root future", block_on);
}

pub(super) fn task_polled_during_a_wake() {
    polled_during("a task", |thrice| {
        block_on(async {
            let (end, ended) = oneshot::channel();
            let ends = Ends(Some(end));
            spawn(async move {
                thrice.await;
                drop(ends);
            });
            let _ = ended.await;
        });
    });
}

/// A task waits, and another task keeps the thread that would poll it. At each step of a wake, another thread calls the same waker.
pub(super) fn task_woken_at_any_moment_of_a_wake() {
    stands_by("Two threads called the waker of a task at once, and then nothing went on any more.");
    for number in 0..MOST {
        let (was_a_step, polls) = woken_by_two(number);
        if polls != 1 {
            fail(&format!(
                "A thread called the waker of a task, and at this moment another thread called it, too. Meanwhile no task was polled. After \
                 that, this one was polled {polls} times in place of once.\n\
                 look  a wake looks whether the task is in the queue, and writes down that it is. Both have to be one step, under one lock \
                 or with one `swap`"
            ));
        }
        plan::disarm();
        if !was_a_step {
            return;
        }
    }
}

/// Whether a wake has a step with this number, and how often a task is polled that is woken then and by this wake.
fn woken_by_two(number: usize) -> (bool, usize) {
    block_on(async {
        let (waker, polls) = waiting_task().await;
        let (tell, told) = oneshot::channel();
        spawn(async move {
            let wakes = thread::spawn(move || {
                let (other, (end, ended)) = (waker.clone(), mpsc::channel());
                plan::arm(number, move || {
                    other.wake();
                    let _ = end.send(());
                });
                waker.wake();
                let was_a_step = plan::moment().is_some();
                if was_a_step {
                    // If it waited for a lock of this wake, it is still in its own, and the task must not be polled before its end.
                    let _ = ended.recv();
                }
                was_a_step
            });
            let was_a_step = wakes.join().expect("a wake doesn't panic");
            thread::spawn(move || {
                until_rest();
                let _ = tell.send((was_a_step, polls.load(SeqCst) - 1));
            });
        });
        told.await.expect("the thread sends it")
    })
}

/// While the runtime is about to sleep until a later deadline or forever, another thread polls a sleep that ends sooner.
pub(super) fn sleep_polled_at_any_moment() {
    let means = "A `sleep` of 1 ms was polled by another thread at this moment. It must end the sleep of the thread that waits for timers, \
                 which otherwise sleeps until a later deadline, or forever.\n\
                 look  what does a `sleep` do after it has left its deadline?";
    for has_later_deadline in [false, true] {
        at_each_step(means, |number| {
            block_on(async {
                let mut later = Box::pin(sleep(Duration::from_secs(3600)));
                let soon = Arc::new(Mutex::new(Box::pin(sleep(Duration::from_millis(1)))));
                let mut is_first = true;
                poll_fn(|cx| {
                    if !mem::take(&mut is_first) {
                        return poll(&soon, cx);
                    }
                    if has_later_deadline {
                        let _ = later.as_mut().poll(cx);
                    }
                    let (soon, waker) = (soon.clone(), cx.waker().clone());
                    plan::arm(number, move || {
                        if poll(&soon, &mut Context::from_waker(&waker)).is_ready() {
                            waker.wake();
                        }
                    });
                    Poll::Pending
                })
                .await;
            });
            plan::disarm()
        });
    }
}

/// Polls a future that several threads share.
fn poll<F: Future + Unpin>(shared: &Mutex<F>, cx: &mut Context<'_>) -> Poll<F::Output> {
    let mut future = shared.lock().unwrap_or_else(PoisonError::into_inner);
    Pin::new(&mut *future).poll(cx)
}

/// Remembers that it was called, and passes it on.
#[derive(Default)]
struct Flag {
    called: AtomicBool,
    passes_on: AtomicWaker,
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.called.store(true, SeqCst);
        self.passes_on.wake();
    }
}

type Shared<T> = Arc<Mutex<Option<JoinHandle<T>>>>;

/// The handle, once the root future has put it there.
fn with_handle<T, R>(shared: &Shared<T>, f: impl FnOnce(&mut JoinHandle<T>) -> R) -> R {
    loop {
        let mut handle = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = &mut *handle {
            return f(handle);
        }
        drop(handle);
        thread::yield_now();
    }
}

/// A task is ready. At each step from then on, another thread polls its handle for the first time.
pub(super) fn handle_polled_at_any_moment() {
    let means = "A task was ready, and at this moment another thread polled its handle. The handle was pending, and its waker was not \
                 called.\n\
                 look  the result and the waker have to change under one lock, or else one of them comes too late for the other";
    at_each_step(means, |number| {
        let flag = Arc::new(Flag::default());
        let shared = Shared::<u32>::default();
        let (polls_it, wakes) = (shared.clone(), flag.clone());
        let poll_it = move || {
            let waker = Waker::from(wakes.clone());
            let polled = with_handle(&polls_it, |handle| {
                Pin::new(handle).poll(&mut Context::from_waker(&waker))
            });
            if let Poll::Ready(joined) = polled {
                assert!(matches!(joined, Ok(7)), "the output of the task");
                waker.wake();
            }
        };
        block_on(async {
            let task = spawn(async move {
                plan::arm(number, poll_it);
                7
            });
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
            poll_fn(|cx| {
                flag.passes_on.register(cx.waker());
                if flag.called.load(SeqCst) {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
        });
        plan::disarm()
    });
}

/// A task waits forever. At each step after its poll, another thread aborts it.
pub(super) fn aborted_at_every_step() {
    let means = "Another thread called `abort` at this moment, and the task wasn't dropped.\n\
                 look  what does `abort` do if the task is being polled, is in the queue, or waits?";
    at_each_step(means, |number| {
        let shared = Shared::<()>::default();
        let aborts = shared.clone();
        let (end, ended) = oneshot::channel();
        let ends = Ends(Some(end));
        let joined = block_on(async {
            let task = spawn(async move {
                let _ends = ends;
                pending_once(|_| {
                    plan::arm(number, move || {
                        with_handle(&aborts, |handle| handle.abort())
                    });
                })
                .await;
            });
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
            let _ = ended.await;
            let task = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
            task.expect("it was put there").await
        });
        assert!(
            matches!(joined, Err(JoinError::Aborted)),
            "the handle of an aborted task says `Aborted`"
        );
        plan::disarm()
    });
}

/// A task waits to read. At each step after its poll, the byte comes.
pub(super) fn socket_ready_at_any_moment() {
    let means = "A task waited to read, a byte came at this moment, and the task wasn't polled again.\n\
                 look  the waker has to be there before the poller is asked: from then on it may report";
    at_each_step(means, |number| {
        let listener = net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it listens");
        let reader = net::TcpStream::connect(address).expect("a connection");
        let (mut writer, _) = listener.accept().expect("a connection");
        reader.set_nonblocking(true).expect("a socket");
        block_on(async {
            let (end, ended) = oneshot::channel();
            let ends = Ends(Some(end));
            spawn(async move {
                let reader = Source::new(reader).expect("it can be watched");
                let mut act = Some(move || writer.write_all(&[1]).expect("written"));
                poll_fn(|cx| {
                    let read = |mut socket: &net::TcpStream| socket.read(&mut [0]);
                    if let Some(act) = act.take() {
                        plan::arm(number, act);
                    }
                    reader.poll_io(Direction::Read, cx, read).map(drop)
                })
                .await;
                drop(ends);
            });
            let _ = ended.await;
        });
        plan::disarm()
    });
}

/// A worker finds nothing more to do. At each step from then on, a task is spawned from outside.
pub(super) fn spawned_at_any_moment() {
    let means = "A worker had nothing left to do, and at this moment a task was spawned from outside. No worker polls it.\n\
                 look  what has a worker checked last before it sleeps, and what does a spawn find at that moment?";
    for workers in [1, 2] {
        at_each_step(means, |number| {
            let runtime = Refereed::new(workers, "The task has run");
            let handle = runtime.handle();
            let (tell, told) = mpsc::channel();
            drop(runtime.handle().spawn(async move {
                plan::arm(number, move || {
                    drop(handle.spawn(async move { tell.send(()) }));
                });
            }));
            let _ = told.recv();
            plan::disarm()
        });
    }
}

/// The same with two tasks, the first of which blocks its worker until the second runs.
pub(super) fn two_spawned_at_any_moment() {
    let means = "A worker had nothing left to do, and another one slept. At this moment two tasks were spawned from outside, and the first \
                 blocks its worker until the second runs. No other worker takes the second.\n\
                 look  who wakes the second worker, if the push of the second task finds the first one awake?";
    // A worker that the first spawn wakes takes its task before the second spawn, or after it.
    for holds in [false, true] {
        at_each_step(means, |number| {
            let runtime = Refereed::new(2, "Both tasks have run");
            let handle = runtime.handle();
            let ((tell, told), (meet, met)) = (mpsc::channel(), mpsc::channel());
            drop(runtime.handle().spawn(async move {
                referee::until_rest(); // so that the other worker sleeps
                let act = move || {
                    drop(handle.spawn(async move {
                        let _ = met.recv();
                        let _ = tell.send(());
                    }));
                    drop(handle.spawn(async move { meet.send(()) }));
                };
                if holds {
                    plan::arm_and_hold(number, act);
                } else {
                    plan::arm(number, act);
                }
            }));
            let _ = told.recv();
            plan::disarm()
        });
    }
}

/// So many polls come before the worker's last one, at most: what it does every so many polls is among its steps then.
const POLLS: usize = 130;

const NOT_RETURNED: &str = "Your `drop` of the Runtime has not returned";

/// A worker polls a task some times and then finds nothing more to do. At each step from then on, the runtime is dropped.
pub(super) fn dropped_at_any_moment() {
    stands_by(NOT_RETURNED);
    let mut known = HashSet::new();
    for polls in 0..POLLS {
        while dropped_once(1, polls, &mut known) {}
    }
    known.clear();
    while dropped_once(2, 0, &mut known) {}
}

/// Drops a runtime at a moment that isn't known yet. Whether there was one.
fn dropped_once(workers: usize, polls: usize, known: &mut HashSet<Moment>) -> bool {
    let runtime = Runtime::new(workers);
    let handle = runtime.handle();
    let kept = Arc::new(Mutex::new(Some(runtime)));
    let (tell, told) = mpsc::channel();
    let (takes, knows) = (kept.clone(), known.clone());
    drop(handle.spawn(async move {
        if workers > 1 {
            until_rest(); // so that the other one sleeps
        }
        for _ in 0..polls {
            yield_now().await;
        }
        plan::arm_if_new(knows, move || {
            let dropper = drop_apart(&takes);
            until(|| dropper.is_finished()); // or it waits for the worker
            let _ = tell.send(dropper);
        });
    }));
    let acted = told.recv();
    let moment = plan::moment();
    let dropper = acted.unwrap_or_else(|_| drop_apart(&kept));
    if !until(|| dropper.is_finished()) {
        let slept = plan::slept();
        let sleeps =
            slept.map(|step| format!("; a worker went to sleep at {} after that", step.place()));
        fail(&format!(
            "{NOT_RETURNED}{}. It was called by another thread at this moment.\n\
             look  what has the worker checked between the last release of the lock and its sleep? After every release of the lock, it has \
             to look again whether the runtime is closed",
            sleeps.unwrap_or_default()
        ));
    }
    assert!(
        dropper.join().is_ok(),
        "your `drop` of the Runtime has panicked"
    );
    plan::disarm();
    moment.is_some_and(|moment| known.insert(moment))
}

/// Drops the runtime on a thread that is none of its own.
fn drop_apart(kept: &Arc<Mutex<Option<Runtime>>>) -> thread::JoinHandle<()> {
    let kept = kept.clone();
    thread::spawn(move || {
        let runtime = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        plan::outsider(|| drop(runtime));
    })
}

/// A condition variable returns once, though nobody has notified it.
pub(super) fn asleep_for_no_reason() {
    let polls = Arc::new(AtomicUsize::new(0));
    let is_woken = Arc::new(AtomicBool::new(false));
    block_on(poll_fn(|cx| {
        if polls.fetch_add(1, SeqCst) > 0 {
            assert!(
                is_woken.load(SeqCst),
                "A condition variable may return without a notify. It did so once while your `block_on` slept, and the root future was \
                 polled again, though nobody had called its waker.\n\
                 look  `while` in place of `if`: what do you look at when the condition variable returns?"
            );
            return Poll::Ready(());
        }
        let (waker, is_woken) = (cx.waker().clone(), is_woken.clone());
        thread::spawn(move || {
            plan::outsider(until_rest);
            is_woken.store(true, SeqCst);
            waker.wake();
        });
        plan::wake_for_no_reason();
        Poll::Pending
    }));
}
