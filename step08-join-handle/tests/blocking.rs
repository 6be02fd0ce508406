//! Functions that block: how many run at once, and what becomes of them when they panic, are aborted or outlive the runtime.

use std::{
    future::pending,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use futures::{executor::block_on, future::join_all};
use probe::{Counted, wait_until, within};
use step08_join_handle::{Handle, Runtime, spawn, spawn_blocking};

const LIMIT: Duration = Duration::from_secs(10);
const MOST: usize = 64;

/// Where functions wait until they are released, and are counted.
#[derive(Default)]
struct Room {
    state: Mutex<State>,
    opened: Condvar,
}

#[derive(Default)]
struct State {
    inside: usize,
    most: usize,
    done: usize,
    open: bool,
}

impl Room {
    fn enter(&self) {
        let mut state = self.state.lock().unwrap();
        state.inside += 1;
        state.most = state.most.max(state.inside);
        let mut state = self.opened.wait_while(state, |it| !it.open).unwrap();
        state.inside -= 1;
        state.done += 1;
    }

    fn open(&self) {
        self.state.lock().unwrap().open = true;
        self.opened.notify_all();
    }

    fn inside(&self) -> usize {
        self.state.lock().unwrap().inside
    }

    fn most(&self) -> usize {
        self.state.lock().unwrap().most
    }

    fn done(&self) -> usize {
        self.state.lock().unwrap().done
    }
}

/// A room in which as many functions wait as the runtime calls at once.
fn full_room(handle: &Handle) -> Arc<Room> {
    let room = Arc::new(Room::default());
    for _ in 0..MOST {
        let room = Arc::clone(&room);
        handle.spawn_blocking(move || room.enter());
    }
    wait_until(|| room.inside() == MOST);
    room
}

// 64 threads are too many for Miri.
#[cfg_attr(miri, ignore)]
#[test]
fn sixty_four_functions_run_at_once_while_the_workers_go_on() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let room = full_room(&runtime.handle());
        let queued: Vec<_> = (0..10)
            .map(|_| {
                let room = Arc::clone(&room);
                runtime.handle().spawn_blocking(move || room.enter())
            })
            .collect();
        let results = block_on(join_all((0..100).map(|i| runtime.spawn(async move { i }))));
        assert!(results.into_iter().map(Result::unwrap).eq(0..100));
        // One thread too many would enter the room now.
        let enough = Instant::now() + Duration::from_millis(30);
        wait_until(|| room.inside() > MOST || Instant::now() > enough);
        assert_eq!(room.inside(), MOST);
        room.open();
        for handle in queued {
            block_on(handle).unwrap();
        }
        drop(runtime);
        assert_eq!((room.most(), room.done()), (MOST, MOST + 10));
    });
}

// 64 threads are too many for Miri.
#[cfg_attr(miri, ignore)]
#[test]
fn a_function_aborted_in_the_queue_is_dropped_uncalled() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let room = full_room(&runtime.handle());
        let (owned, is_dropped) = mpsc::channel::<()>();
        let called = Arc::new(AtomicBool::new(false));
        let calls = Arc::clone(&called);
        let aborted = runtime.handle().spawn_blocking(move || {
            calls.store(true, SeqCst);
            drop(owned);
        });
        aborted.abort();
        assert!(!aborted.is_finished());
        room.open();
        is_dropped.recv().unwrap_err();
        assert!(block_on(aborted).unwrap_err().is_cancelled());
        assert!(!called.load(SeqCst));
    });
}

// 64 threads are too many for Miri.
#[cfg_attr(miri, ignore)]
#[test]
fn the_shutdown_drops_what_is_queued_and_waits_for_what_runs() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let room = full_room(&runtime.handle());
        let (owned, is_dropped) = mpsc::channel::<()>();
        let queued = runtime.handle().spawn_blocking(move || drop(owned));
        let shutting_down = thread::spawn(|| runtime.shutdown());
        is_dropped.recv().unwrap_err();
        assert!(block_on(queued).unwrap_err().is_cancelled());
        assert!(!shutting_down.is_finished());
        assert_eq!(room.done(), 0);
        room.open();
        shutting_down.join().unwrap();
        assert_eq!((room.done(), room.most()), (MOST, MOST));
    });
}

#[test]
fn the_shutdown_waits_for_a_function_and_its_result_arrives() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handle = runtime.handle();
        let (begins, begun) = mpsc::channel();
        let (let_go, goes) = mpsc::channel::<()>();
        let done = Arc::new(AtomicBool::new(false));
        let is_done = Arc::clone(&done);
        let running = handle.spawn_blocking(move || {
            begins.send(()).unwrap();
            goes.recv().unwrap();
            is_done.store(true, SeqCst);
            7
        });
        begun.recv().unwrap();
        // Too late: it has been called.
        running.abort();
        let idle = handle.spawn(pending::<()>());
        let shutting_down = thread::spawn(|| runtime.shutdown());
        assert!(block_on(idle).unwrap_err().is_cancelled());
        // A shutdown that does not wait would be over soon.
        let enough = Instant::now() + Duration::from_millis(30);
        wait_until(|| shutting_down.is_finished() || Instant::now() > enough);
        assert!(!shutting_down.is_finished() && !running.is_finished());
        let_go.send(()).unwrap();
        shutting_down.join().unwrap();
        assert!(done.load(SeqCst));
        assert_eq!(block_on(running).unwrap(), 7);
        let late = handle.spawn_blocking(|| unreachable!("the runtime has been shut down"));
        let refused: Result<(), _> = block_on(late);
        assert!(refused.unwrap_err().is_cancelled());
    });
}

#[test]
fn a_function_that_the_shutdown_waits_for_may_call_another() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handle = runtime.handle();
        let (begins, begun) = mpsc::channel();
        let calls = runtime.handle().spawn_blocking(move || {
            begins.send(()).unwrap();
            // The shutdown has taken the threads out of their list, to join them.
            wait_until(|| handle.blocking_threads() == 0);
            handle.spawn_blocking(|| ())
        });
        begun.recv().unwrap();
        runtime.shutdown();
        let refused = block_on(calls).unwrap();
        assert!(block_on(refused).unwrap_err().is_cancelled());
    });
}

#[test]
fn more_panics_than_threads_leave_threads_for_the_next() {
    const PANICS: usize = if cfg!(miri) { 5 } else { 2 * MOST };
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handle = runtime.handle();
        let panics = (0..PANICS).map(|i| handle.spawn_blocking(move || panic!("panic {i}")));
        let results: Vec<Result<(), _>> = block_on(join_all(panics));
        for (i, result) in results.into_iter().enumerate() {
            let message = format!("the task panicked: panic {i}");
            assert_eq!(result.unwrap_err().to_string(), message);
        }
        assert_eq!(block_on(handle.spawn_blocking(|| 7)).unwrap(), 7);
    });
}

#[test]
fn inside_a_function_one_may_spawn_and_block() {
    within(LIMIT, || {
        let runtime = Arc::new(Runtime::new(1));
        let worker = runtime.spawn(async { thread::current().id() });
        let worker = block_on(worker).unwrap();
        let again = Arc::clone(&runtime);
        let function = runtime.handle().spawn_blocking(move || {
            let spawned = spawn(async { thread::current().id() });
            let spawned = again.block_on(spawned).unwrap();
            let nested = spawn_blocking(|| thread::current().name().map(str::to_owned));
            (spawned, again.block_on(nested).unwrap())
        });
        let (spawned, name) = block_on(function).unwrap();
        assert_eq!(spawned, worker, "it was spawned on another runtime");
        assert_eq!(name.as_deref(), Some("blocking"));
    });
}

#[test]
fn a_function_may_shut_its_runtime_down() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handle = runtime.handle();
        let (send, receive) = mpsc::channel::<Runtime>();
        let idle = Counted::new(pending::<()>());
        let counts = idle.counts();
        let idle = runtime.spawn(idle);
        block_on(runtime.spawn(async {})).unwrap();
        let function = handle.spawn_blocking(move || {
            receive.recv().unwrap().shutdown();
            counts.drops()
        });
        send.send(runtime).unwrap();
        assert_eq!(block_on(function).unwrap(), 1);
        assert!(block_on(idle).unwrap_err().is_cancelled());
        // The thread that shuts the runtime down is not waited for, and neither does this test.
    });
}
