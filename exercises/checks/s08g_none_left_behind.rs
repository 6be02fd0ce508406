use super::*;
use probe::{Counted, Counts, watch, within};
use std::{
    future::poll_fn,
    pin::pin,
    sync::OnceLock,
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};
use step05_parker_block_on::block_on;
use step08_join_handle::{Polls, yield_now};

const LIMIT: Duration = Duration::from_secs(2);

fn queue() -> Arc<Queue<Runnable>> {
    Arc::new(Queue::new())
}

/// The worker: runs tasks until the queue is empty.
fn work(queue: &Queue<Runnable>) {
    while let Some(task) = queue.try_pop() {
        task.run();
    }
}

/// Spawns a task that never finishes by itself. It keeps its waker, as if it waited for a message that may still come.
fn spawn_endless(group: &mut Group<u32>) -> Counts {
    let mut kept = None;
    let endless = poll_fn(move |cx| {
        kept.replace(cx.waker().clone());
        Poll::Pending
    });
    let endless = Counted::new(endless);
    let counts = endless.counts();
    group.spawn(endless);
    counts
}

/// What each other test runs in.
fn run(test: impl FnOnce()) {
    assert!(
        polls_in_the_destructor() == 0,
        "not tried yet. See `the_destructor_returns_and_polls_no_task`."
    );
    within(LIMIT, test);
}

/// Before all else, because a destructor that waits would stop every test here, and this one says why. On a thread of
/// its own, so that it goes by one name, whichever test comes first.
fn polls_in_the_destructor() -> usize {
    static POLLS: OnceLock<usize> = OnceLock::new();
    *POLLS.get_or_init(|| {
        let thread =
            thread::Builder::new().name("tests::the_destructor_returns_and_polls_no_task".into());
        let thread = thread.spawn(|| within(LIMIT, drop_a_group));
        thread.unwrap().join().unwrap()
    })
}

/// Drops a group, and returns how often that has polled a task that is in the queue and not of this group.
fn drop_a_group() -> usize {
    let queue = queue();
    let mut group = Group::new(&queue);
    spawn_endless(&mut group);
    work(&queue);
    let polls = Polls::default();
    let (unrelated, _handle) = spawn_on(&queue, polls.count(async {}));
    queue.push(unrelated);
    block_on(watch("a task that runs the destructor of `Group`", async {
        drop(group)
    }));
    polls.get()
}

#[test]
fn the_destructor_returns_and_polls_no_task() {
    assert!(
        polls_in_the_destructor() == 0,
        "A group was dropped, and its destructor polled a task that was in the queue and is not of this group.\n\
         Wanted: the workers run the tasks. A destructor that runs them takes as long as they do, and its own task may \
         be among them.\n\
         Look at: what has to happen in `drop` itself, and what may happen later?"
    );
}

fn are_dropped(tasks: &[Counts], how: &str) {
    let left = tasks.iter().filter(|task| task.drops() == 0).count();
    assert!(
        left == 0,
        "{how}. The worker has run everything that was in the queue, and of the {} tasks of the group, {left} are still \
         there.\n\
         Wanted: none. A group that ends cancels its unfinished tasks.\n\
         Look at: which code runs in every case in which a group ends?",
        tasks.len()
    );
}

#[test]
fn a_group_that_is_joined_gives_its_outputs() {
    run(|| {
        let queue = queue();
        let mut group = Group::new(&queue);
        for i in 1..=3 {
            group.spawn(async move {
                yield_now().await;
                i * i
            });
        }
        work(&queue);
        let answer = pin!(group.join_all()).poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(Ok(outputs)) = answer else {
            panic!(
                "the tasks of a group have finished, and `join_all` gives no outputs: {answer:?}"
            );
        };
        assert_eq!(outputs, [1, 4, 9]);
    });
}

#[test]
fn a_group_that_is_dropped_cancels_its_tasks() {
    run(|| {
        let queue = queue();
        let mut group = Group::new(&queue);
        let tasks = [(); 3].map(|()| spawn_endless(&mut group));
        work(&queue);
        drop(group);
        work(&queue);
        are_dropped(&tasks, "A group was dropped while its tasks were idle");
    });
}

#[test]
fn an_error_cancels_the_other_tasks() {
    run(|| {
        let queue = queue();
        let mut group = Group::new(&queue);
        group.spawn(async { panic!("on purpose") });
        let tasks = [(); 2].map(|()| spawn_endless(&mut group));
        let (parent, handle) = spawn_on(&queue, group.join_all());
        queue.push(parent);
        work(&queue);
        assert!(handle.is_finished(), "`join_all` returns the error");
        are_dropped(
            &tasks,
            "One task of a group panicked, and `join_all` returned the error",
        );
    });
}

#[test]
fn a_parent_that_is_aborted_takes_its_group_along() {
    run(|| {
        let queue = queue();
        let mut group = Group::new(&queue);
        let tasks = [(); 2].map(|()| spawn_endless(&mut group));
        let (parent, handle) = spawn_on(&queue, group.join_all());
        queue.push(parent);
        work(&queue);
        handle.abort();
        work(&queue);
        are_dropped(
            &tasks,
            "A task waited for its group in `join_all`, and was aborted",
        );
    });
}

#[test]
fn groups_of_groups_end_together() {
    run(|| {
        let queue = queue();
        let mut inner = Group::new(&queue);
        let tasks = [(); 2].map(|()| spawn_endless(&mut inner));
        let mut outer = Group::new(&queue);
        outer.spawn(inner.join_all());
        work(&queue);
        drop(outer);
        work(&queue);
        are_dropped(
            &tasks,
            "A group was dropped, and one of its tasks had a group of its own",
        );
    });
}

#[test]
fn a_group_may_have_a_thousand_tasks() {
    run(|| {
        let queue = queue();
        let mut group = Group::new(&queue);
        let tasks: Vec<_> = (0..1_000).map(|_| spawn_endless(&mut group)).collect();
        work(&queue);
        drop(group);
        work(&queue);
        let left = tasks.iter().filter(|task| task.drops() == 0).count();
        assert!(
            left == 0,
            "A group of a thousand tasks was dropped while its tasks were idle. Tasks that are still there: {left}.\n\
             Wanted: none, however many there were. Which of them did `drop` not reach?"
        );
    });
}
