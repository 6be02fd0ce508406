use super::*;
use probe::{Counted, Counts, watch, within};
use std::{
    collections::BTreeMap,
    sync::{Mutex, mpsc},
    thread::{self, ThreadId},
    time::Duration,
};
use tokio::{
    runtime::Builder,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::{JoinHandle, LocalSet, spawn_local, yield_now},
};

/// This page panics.
const BROKEN: u32 = 13;

/// So many threads may block: one more than there are turns.
const THREADS: usize = 3;

/// Whether this comes true within a second or two, while other tasks and threads go on.
async fn comes_true(mut happened: impl FnMut() -> bool) -> bool {
    for asked in 0..100 {
        if happened() {
            return true;
        }
        // Each task gets as far as it can, and then the other threads have time.
        settle().await;
        thread::sleep(Duration::from_millis(if asked < 50 { 1 } else { 20 }));
    }
    false
}

/// Lets each task of this thread get as far as it can.
async fn settle() {
    for _ in 0..50 {
        yield_now().await;
    }
}

/// What happens in the library.
struct Desk {
    /// Where the tasks are polled. No call may come from there.
    runtime: ThreadId,
    begun: UnboundedSender<u32>,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    /// Those that draw, and how each is ended.
    now: BTreeMap<u32, mpsc::Sender<()>>,
    most: usize,
    /// The test is over.
    over: bool,
    ended: usize,
    on_the_runtime: bool,
}

impl Desk {
    /// A call of the library: it lasts until the test ends it.
    fn draw(&self, page: u32) -> String {
        let (end, wait) = mpsc::channel();
        let mut calls = self.calls.lock().unwrap();
        if thread::current().id() == self.runtime {
            calls.on_the_runtime = true;
            return "drawn too soon".to_owned();
        }
        if calls.over {
            drop(end);
        } else {
            calls.now.insert(page, end);
        }
        calls.most = calls.most.max(calls.now.len());
        drop(calls);
        let _ = self.begun.send(page);
        let _ = wait.recv();
        self.calls.lock().unwrap().ended += 1;
        assert!(page != BROKEN, "page {BROKEN} cannot be drawn");
        format!("page {page}")
    }
}

/// A renderer, and all that surrounds it.
struct Room {
    renderer: Renderer,
    desk: Arc<Desk>,
    begun: UnboundedReceiver<u32>,
}

impl Room {
    fn new() -> Room {
        let (begin, begun) = unbounded_channel();
        let desk = Arc::new(Desk {
            runtime: thread::current().id(),
            begun: begin,
            calls: Mutex::default(),
        });
        let draws = Arc::clone(&desk);
        let renderer = Renderer::new(Arc::new(move |page| draws.draw(page)));
        Room {
            renderer,
            desk,
            begun,
        }
    }

    /// A task that wants this page. It has been polled.
    async fn wants(&self, page: u32) -> Caller {
        let renderer = self.renderer.clone();
        let render = Counted::new(async move { renderer.render(page).await });
        let counts = render.counts();
        let task = spawn_local(watch(format!("render({page})"), render));
        let caller = Caller { page, task, counts };
        settle().await;
        assert!(
            !caller.task.is_finished(),
            "`render({page})` was ready before its page was drawn. Which thread has called the library?"
        );
        caller
    }

    /// Waits until the library has begun with a page, and returns which.
    async fn begins(&mut self, what: &str) -> u32 {
        let calls = &self.desk.calls;
        let mut page = None;
        let has_begun = comes_true(|| {
            page = self.begun.try_recv().ok();
            page.is_some() || calls.lock().unwrap().on_the_runtime
        });
        assert!(
            has_begun.await,
            "{what}\nThen the library was not called. Whose turn is it, and who calls the library?"
        );
        let on_the_runtime = calls.lock().unwrap().on_the_runtime;
        assert!(
            !on_the_runtime,
            "{what}\nThe library was called on the thread that polls the tasks, so no task is polled until the page is drawn.\n\
             Wanted: another thread calls it, and the task waits for that without its thread."
        );
        page.expect("one has begun")
    }

    /// Ends the call of this page. By then it has begun.
    async fn ends(&self, page: u32) {
        let mut calls = self.desk.calls.lock().unwrap();
        let ended = calls.ended;
        drop(calls.now.remove(&page).expect("it has begun"));
        drop(calls);
        let has_ended = comes_true(|| self.desk.calls.lock().unwrap().ended > ended);
        assert!(has_ended.await, "the call of the library does not end");
    }

    /// Sees to it that the library draws two pages, and that a thread is free for whoever else has something that blocks.
    async fn draws_two(&self, what: &str) {
        let (tell, told) = mpsc::channel();
        // Whatever was handed to the blocking threads before this has begun before it.
        spawn_blocking(move || tell.send(()));
        let most = || self.desk.calls.lock().unwrap().most;
        let is_free = comes_true(|| most() > 2 || told.try_recv().is_ok()).await;
        // What was handed to a new thread begins when the system says so.
        thread::sleep(Duration::from_millis(20));
        assert!(
            most() <= 2,
            "{what}\nThen the library drew {} pages at once. Wanted: two at most.\n\
             Look at: what has the turn of a call, and when is that dropped?",
            most()
        );
        assert!(
            is_free,
            "{what}\nThen all {THREADS} threads were taken, so a file that another task reads has to wait.\n\
             Wanted: a caller that waits for its turn waits in a task, and takes a thread only when it calls the library."
        );
    }
}

/// Lets each call end, and each one that comes later.
impl Drop for Room {
    fn drop(&mut self) {
        let mut calls = self.desk.calls.lock().unwrap();
        calls.over = true;
        calls.now.clear();
    }
}

/// A task that waits for a page.
struct Caller {
    page: u32,
    task: JoinHandle<Result<String, Failed>>,
    counts: Counts,
}

impl Caller {
    async fn gives_up(self) {
        self.task.abort();
        let _ = self.task.await;
        settle().await;
    }

    /// Sees to it that it isn't polled while nothing happens.
    async fn sleeps(&self, what: &str) {
        let before = self.counts.polls();
        settle().await;
        let polls = self.counts.polls() - before;
        assert!(
            polls == 0,
            "{what}\n`render({})` was pending, and its task was polled {polls} times although nothing happened.\n\
             Wanted: none. Who wakes it when it can go on?",
            self.page
        );
    }

    async fn gets(self, wanted: Result<&str, Failed>, what: &str) {
        let page = self.page;
        let is_ready = comes_true(|| self.task.is_finished());
        assert!(is_ready.await, "{what}\n`render({page})` stays pending");
        let got = self.task.await.unwrap();
        let wanted = wanted.map(str::to_owned);
        assert_eq!(
            got, wanted,
            "{what}\nThis is what `render({page})` returned, and what it should"
        );
    }
}

/// Runs `test` on a runtime with one thread.
fn run(test: impl Future<Output = ()>) {
    let mut builder = Builder::new_current_thread();
    let runtime = builder.max_blocking_threads(THREADS).build().unwrap();
    within(Duration::from_secs(2), || {
        LocalSet::new().block_on(&runtime, watch("the test", test));
    });
}

#[test]
fn other_tasks_are_polled_while_the_library_draws() {
    run(async {
        let mut room = Room::new();
        let one = room.wants(1).await;
        assert_eq!(room.begins("A task called `render(1)`.").await, 1);
        // This test is a task of the same runtime, and it goes on.
        room.ends(1).await;
        one.gets(Ok("page 1"), "Page 1 was drawn.").await;
    });
}

#[test]
fn whoever_waits_is_not_polled() {
    run(async {
        let mut room = Room::new();
        let what = "Three tasks called `render`, and the library drew two pages.";
        let callers = [
            room.wants(1).await,
            room.wants(2).await,
            room.wants(3).await,
        ];
        room.begins(what).await;
        room.begins(what).await;
        for caller in &callers {
            caller.sleeps(what).await;
        }
    });
}

#[test]
fn two_pages_are_drawn_at_once_and_the_others_wait_without_a_thread() {
    run(async {
        let mut room = Room::new();
        let mut callers = Vec::new();
        for page in 0..10 {
            callers.push(room.wants(page).await);
        }
        let what = "Ten tasks called `render`.";
        let first = [room.begins(what).await, room.begins(what).await];
        room.draws_two(what).await;
        for page in first {
            room.ends(page).await;
        }
        let mut drawn = first.to_vec();
        let what = "Ten tasks called `render`, and one page after the other was drawn.";
        while drawn.len() < 10 {
            let page = room.begins(what).await;
            assert!(!drawn.contains(&page), "page {page} was drawn twice");
            drawn.push(page);
            room.ends(page).await;
        }
        let most = room.desk.calls.lock().unwrap().most;
        assert!(
            most == 2,
            "{what}\nThe library drew {most} pages at once. Wanted: two."
        );
        for caller in callers {
            let page = format!("page {}", caller.page);
            caller.gets(Ok(&page), what).await;
        }
    });
}

#[test]
fn a_call_goes_on_when_its_caller_has_given_up() {
    run(async {
        let mut room = Room::new();
        let [one, two] = [room.wants(1).await, room.wants(2).await];
        let what = "Two tasks called `render`.";
        room.begins(what).await;
        room.begins(what).await;
        one.gives_up().await;
        let three = room.wants(3).await;
        room.draws_two(
            "The library drew pages 1 and 2. The caller of page 1 gave up, and another one called `render(3)`.",
        )
        .await;
        room.ends(1).await;
        let what =
            "The caller of page 1 had given up. Then page 1 was drawn, so it's the turn of page 3.";
        assert_eq!(room.begins(what).await, 3, "{what}");
        room.ends(3).await;
        three.gets(Ok("page 3"), what).await;
        room.ends(2).await;
        two.gets(Ok("page 2"), what).await;
    });
}

#[test]
fn a_caller_that_gives_up_before_its_turn_leaves_no_call() {
    run(async {
        let mut room = Room::new();
        let [one, two] = [room.wants(1).await, room.wants(2).await];
        let [three, four] = [room.wants(3).await, room.wants(4).await];
        let what = "Four tasks called `render`.";
        room.begins(what).await;
        room.begins(what).await;
        three.gives_up().await;
        room.ends(1).await;
        let what =
            "The library drew pages 1 and 2. The caller of page 3 gave up. Then page 1 was drawn.";
        let next = room.begins(what).await;
        assert!(
            next == 4,
            "{what}\nNow it draws page {next}. Wanted: page 4, because nobody wants page 3 any more.\n\
             Look at: at which `.await` is a caller that waits for its turn, and what is dropped with it?"
        );
        room.ends(4).await;
        room.ends(2).await;
        for (caller, page) in [(one, "page 1"), (two, "page 2"), (four, "page 4")] {
            caller.gets(Ok(page), what).await;
        }
    });
}

#[test]
fn a_panic_of_the_library_is_the_error_of_its_caller() {
    run(async {
        let mut room = Room::new();
        // More often than there are turns.
        for _ in 0..3 {
            let broken = room.wants(BROKEN).await;
            let what = "The library panicked now and then, and another task called `render`.";
            room.begins(what).await;
            room.ends(BROKEN).await;
            broken.gets(Err(Failed), "The library panicked.").await;
        }
        let one = room.wants(1).await;
        let what = "The library panicked three times. Then another task called `render`.";
        room.begins(what).await;
        room.ends(1).await;
        one.gets(Ok("page 1"), "Page 1 was drawn after three panics.")
            .await;
    });
}
