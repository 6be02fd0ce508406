//! What happens to your own code at an `.await`, on tokio.

use std::{cell::Cell, hint::black_box, pin::Pin, sync::mpsc};

use futures::{
    executor::block_on,
    future::{join, poll_immediate},
};
use tokio::{
    runtime::Builder,
    task::{JoinHandle, yield_now},
};

// ANCHOR: sizes
async fn before() {
    {
        let buffer = [1_u8; 1024];
        black_box(&buffer);
    }
    yield_now().await;
}

async fn across() {
    let buffer = [1_u8; 1024];
    black_box(&buffer);
    yield_now().await;
}

async fn by_value(buffer: [u8; 1024]) {
    yield_now().await;
    black_box(buffer);
}

async fn depth(n: u32) -> u32 {
    match n {
        0 => 0,
        n => Box::pin(depth(n - 1)).await + 1,
    }
}
// ANCHOR_END: sizes

// ANCHOR: traits
trait Store {
    fn get(&self, key: u32) -> impl Future<Output = String> + Send;
}

struct Memory;

impl Store for Memory {
    async fn get(&self, key: u32) -> String {
        format!("value {key}")
    }
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

trait DynStore {
    fn get_boxed(&self, key: u32) -> Boxed<'_, String>;
}

impl<S: Store> DynStore for S {
    fn get_boxed(&self, key: u32) -> Boxed<'_, String> {
        Box::pin(self.get(key))
    }
}

fn spawned<S: Store + Send + Sync + 'static>(store: S) -> JoinHandle<String> {
    tokio::spawn(async move { store.get(1).await })
}
// ANCHOR_END: traits

// ANCHOR: clean-up
struct Session(mpsc::Sender<&'static str>);

impl Session {
    async fn goodbye(&self) {
        yield_now().await; // the peer has to be told
        self.0.send("said goodbye").expect("the log is open");
    }
}

async fn polite(session: Session) {
    yield_now().await; // the work
    session.goodbye().await;
}

/// Says goodbye even if it is dropped early.
struct OnDrop(Option<Session>);

impl OnDrop {
    /// Says goodbye and leaves nothing for the destructor to do.
    async fn finish(mut self) {
        if let Some(session) = &self.0 {
            session.goodbye().await;
        }
        self.0 = None;
    }
}

impl Drop for OnDrop {
    fn drop(&mut self) {
        // A destructor cannot await, so it gives the session to a task.
        if let Some(session) = self.0.take() {
            tokio::spawn(async move { session.goodbye().await });
        }
    }
}

async fn handed_over(session: Session) {
    let session = OnDrop(Some(session));
    yield_now().await; // the work
    session.finish().await;
}
// ANCHOR_END: clean-up

fn says(what: &str, run: impl AsyncFnOnce(Session)) {
    let (log, events) = mpsc::channel();
    let tokio = Builder::new_current_thread().build().expect("a runtime");
    tokio.block_on(async {
        run(Session(log)).await;
        for _ in 0..3 {
            yield_now().await; // what it has spawned runs
        }
    });
    let said: Vec<_> = events.try_iter().collect();
    let said = if said.is_empty() {
        "nothing".to_owned()
    } else {
        said.join(" and ")
    };
    println!("   {what}: {said}");
}

/// Polls once, and then drops it, as a timeout would.
async fn cancelled(work: impl Future) {
    poll_immediate(work).await;
}

// ANCHOR: context
thread_local! {
    static ON_THREAD: Cell<&'static str> = const { Cell::new("none") };
}

tokio::task_local! {
    static IN_TASK: &'static str;
}

async fn on_thread() {
    ON_THREAD.set("request 1");
    yield_now().await;
    ON_THREAD.set("none");
}

async fn in_task() -> &'static str {
    yield_now().await;
    IN_TASK.get()
}

async fn neighbour() -> [&'static str; 2] {
    [ON_THREAD.get(), IN_TASK.try_get().unwrap_or("none")]
}
// ANCHOR_END: context

fn main() {
    println!("1. The size of a future, in whole KiB");
    let print = |what, size| println!("   {what}: {}", size / 1024);
    print("before()", size_of_val(&before()));
    print("across()", size_of_val(&across()));
    let in_a_row = async { (across().await, across().await) };
    print("(across().await, across().await)", size_of_val(&in_a_row));
    print(
        "join(across(), across())",
        size_of_val(&join(across(), across())),
    );
    print("depth(3)", size_of_val(&depth(3)));
    print("by_value(buffer)", size_of_val(&by_value([0; 1024])));
    println!("   depth(3) returns {}", block_on(depth(3)));

    let tokio = Builder::new_current_thread().build().expect("a runtime");
    let spawned = tokio.block_on(async { spawned(Memory).await });
    let store: Box<dyn DynStore> = Box::new(Memory);
    let boxed = block_on(store.get_boxed(2));
    println!("2. From a trait, spawned and boxed: {spawned:?}, {boxed}");

    println!("3. Clean-up that has to wait");
    says("to its end", polite);
    says("cancelled", async |session| {
        cancelled(polite(session)).await
    });
    says("with OnDrop, to its end", handed_over);
    says("with OnDrop, cancelled", async |session| {
        cancelled(handed_over(session)).await
    });

    println!("4. What belongs to a thread, and what to a task");
    let (_, seen) = block_on(join(on_thread(), neighbour()));
    println!("   a neighbour sees in the thread-local: {}", seen[0]);
    let in_task = IN_TASK.scope("request 1", in_task());
    let (own, seen) = block_on(join(in_task, neighbour()));
    println!("   and in the task-local of {own}: {}", seen[1]);
}
