use super::*;
use std::sync::mpsc::{Receiver, Sender};
use std::task::{Context, Wake};
use step04_channel_executor::{Executor as Stage04, Spawner, executor};

mod says;

struct Good(Stage04, Spawner);

impl Executor for Good {
    fn spawn(&self, future: BoxFuture) {
        self.1.spawn(future);
    }

    fn run(self: Box<Self>) {
        drop(self.1);
        self.0.run();
    }
}

struct KeepsASpawner(Stage04, Spawner);

impl Executor for KeepsASpawner {
    fn spawn(&self, future: BoxFuture) {
        self.1.spawn(future);
    }

    fn run(self: Box<Self>) {
        self.0.run();
        drop(self.1);
    }
}

/// Each task, and so each waker, holds a sender.
struct OwnsASender {
    sender: Sender<Arc<Task>>,
    queue: Receiver<Arc<Task>>,
    stops_when_empty: bool,
}

struct Task(Mutex<Option<BoxFuture>>, Sender<Arc<Task>>);

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let _ = self.1.clone().send(self);
    }
}

impl Executor for OwnsASender {
    fn spawn(&self, future: BoxFuture) {
        let task = Task(Mutex::new(Some(future)), self.sender.clone());
        self.sender.send(Arc::new(task)).unwrap();
    }

    fn run(self: Box<Self>) {
        let OwnsASender {
            sender,
            queue,
            stops_when_empty,
        } = *self;
        drop(sender);
        loop {
            let next = if stops_when_empty {
                queue.try_recv().ok()
            } else {
                queue.recv().ok()
            };
            let Some(task) = next else { return };
            let waker = Waker::from(Arc::clone(&task));
            let mut slot = task.0.lock().unwrap();
            let ready = slot.as_mut().is_some_and(|future| {
                future
                    .as_mut()
                    .poll(&mut Context::from_waker(&waker))
                    .is_ready()
            });
            if ready {
                *slot = None;
            }
        }
    }
}

fn good() -> Box<dyn Executor> {
    let (executor, spawner) = executor();
    Box::new(Good(executor, spawner))
}

fn keeps_a_spawner() -> Box<dyn Executor> {
    let (executor, spawner) = executor();
    Box::new(KeepsASpawner(executor, spawner))
}

fn stops_when_empty() -> Box<dyn Executor> {
    let (sender, queue) = mpsc::channel();
    Box::new(OwnsASender {
        sender,
        queue,
        stops_when_empty: true,
    })
}

fn waits_for_wakers() -> Box<dyn Executor> {
    let (sender, queue) = mpsc::channel();
    Box::new(OwnsASender {
        sender,
        queue,
        stops_when_empty: false,
    })
}

/// What your test says to this executor: nothing, or the message of its panic.
fn says(make: fn() -> Box<dyn Executor>) -> Result<(), String> {
    says::says(|| test_run(make))
}

#[test]
fn it_accepts_the_good_executor_and_catches_the_others() {
    probe::within(Duration::from_secs(3), || {
        let test = async { verdict() };
        futures::executor::block_on(probe::watch("test_run", test));
    });
}

fn accepts_the_good_one() {
    if let Err(message) = says(good) {
        panic!(
            "Your test refused the good executor. It said: {message:?}.\n\
             The good one returns when every task is finished, and no later."
        );
    }
}

fn verdict() {
    accepts_the_good_one();
    for (make, what) in [
        (keeps_a_spawner as fn() -> _, "never returns"),
        (stops_when_empty, "returns while a task is pending"),
        (waits_for_wakers, "returns only when every waker is gone"),
    ] {
        assert!(
            says(make).is_err(),
            "Your test did not catch the executor that {what}.\n\
             Look at: with which task does it behave differently from the good one, and what can you assert after `run`?"
        );
        // Once more, because the result of a test must not depend on how often it has been run.
        accepts_the_good_one();
    }
}
