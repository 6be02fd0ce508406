//! A pool that lives until the process ends, and tasks that end with it.
//!
//! The queue is in a `static`, and no code joins the workers or drops the tasks. When `main` returns, the process ends
//! wherever they are. A file that a task would flush in its destructor is not flushed.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
};

use crate::{
    Breaks, Exhibit, Fails,
    props::{
        Task, nap,
        queue::{self, Queue},
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "destructors-never-run",
    title: "main returns, and the destructors of its tasks never run",
    was_in: "document 001, all versions (D16)",
    breaks: Breaks::Rule("a runtime has an end, at which it drops the tasks that are not finished"),
    chapter: 8,
    fails: Fails::Prints("main returns; tasks: 3, destructors that have run: 0"),
    why: "each task waits for a timer of a minute, and the process ends before. The pool has no end at which it \
          would drop them. In the twin, main owns the runtime, and its shutdown joins the workers and drops each \
          future that is not finished.",
    passes: "main returns; tasks: 3, destructors that have run: 3",
    broken: || show(main_broken),
    repaired: || show(main_repaired),
};

type Pool = Arc<Queue<Arc<Task>>>;

// ANCHOR: broken
/// Its workers are started by the first spawn.
static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let pool = Queue::for_workers(2);
    start_worker(&pool);
    start_worker(&pool);
    pool
});

fn main_broken() {
    for _ in 0..3 {
        spawn(&POOL);
    }
    POOL.until_idle(0);
}
// ANCHOR_END: broken

// ANCHOR: repaired
struct Runtime {
    pool: Pool,
    workers: [JoinHandle<()>; 2],
    tasks: Vec<Arc<Task>>,
}

impl Runtime {
    fn shutdown(self) {
        self.pool.close();
        for worker in self.workers {
            let _ = worker.join();
        }
        for task in self.tasks {
            let future = task.future.lock().unwrap().take();
            drop(future);
        }
    }
}

fn main_repaired() {
    let pool = Queue::for_workers(2);
    let runtime = Runtime {
        workers: [start_worker(&pool), start_worker(&pool)],
        tasks: (0..3).map(|_| spawn(&pool)).collect(),
        pool,
    };
    runtime.pool.until_idle(0);
    runtime.shutdown();
}
// ANCHOR_END: repaired

fn start_worker(pool: &Pool) -> JoinHandle<()> {
    let pool = Arc::clone(pool);
    let work = move || {
        queue::serve(&pool, || {
            while let Some(task) = pool.pop() {
                task.poll();
            }
        });
    };
    thread::spawn(work)
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct HasDestructor;

impl Drop for HasDestructor {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Relaxed);
    }
}

fn spawn(pool: &Pool) -> Arc<Task> {
    let future = async {
        let _owned = HasDestructor;
        nap(60_000).await;
    };
    let on_wake = Arc::clone(pool);
    let task = Task::new(future, move |task| on_wake.push(task).unwrap());
    pool.push(Arc::clone(&task)).unwrap();
    task
}

fn show(main: fn()) {
    main();
    let dropped = DROPPED.load(Relaxed);
    println!("main returns; tasks: 3, destructors that have run: {dropped}");
}
