//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other waker is called, every
//! other task ends, and no worker is lost. `hostile.rs` has two of them panic, and says what the handle returns then.

use std::{sync::Arc, task::Waker};

use futures::{channel::oneshot, executor::block_on};
use probe::{
    foreign::{Foreign, Panics},
    hostile::Hostile,
    wait_until, watch,
};
use properties::foreign::{self, at_every_call};
use step08_join_handle::{JoinSet, Runtime, channel::channel, semaphore::Semaphore};

use super::subjects::{AsyncTask, Oneshot, StateBits};

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::caught_by(&["contain"]);
    foreign::tasks::<Oneshot>(&mut panics);
    foreign::tasks::<StateBits>(&mut panics);
    foreign::tasks::<AsyncTask>(&mut panics);
    for workers in [1, 2] {
        at_every_call(&mut panics, |foreign| a_join_set(foreign, workers));
        at_every_call(&mut panics, |foreign| blocking_functions(foreign, workers));
    }
    at_every_call(&mut panics, permits);
    at_every_call(&mut panics, a_channel);
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["bin/", "demo/"]);
}

/// A set of three tasks is dropped after the first result.
fn a_join_set(foreign: &Foreign, workers: usize) {
    let runtime = StateBits(Runtime::new(workers));
    let there = Arc::new(());
    let entered = runtime.0.handle();
    let mut set = JoinSet::new();
    let (ends, tasks): (Vec<_>, Vec<_>) = (0..3)
        .map(|_| {
            let (end_it, ended) = oneshot::channel::<()>();
            let output = (foreign.value(), Arc::clone(&there));
            let task = async move {
                let _ = ended.await;
                output
            };
            (end_it, foreign.future(task))
        })
        .unzip();
    // The set spawns on the runtime of this thread.
    runtime.0.block_on(async {
        for task in tasks {
            set.spawn(task);
        }
    });
    drop(entered);
    // This one only counts: `FuturesUnordered` keeps no waker any more once the clone of one has panicked.
    let waker = Hostile::new();
    let is_pending = foreign.waits(&mut Box::pin(set.join_next()), &waker);
    for end in ends {
        let _ = end.send(());
    }
    wait_until(|| !is_pending || waker.wakes() > 0);
    if is_pending {
        let first = block_on(watch(foreign.to_string(), set.join_next()));
        foreign.on_its_own(|| drop(first));
    }
    foreign.on_its_own(|| drop(set));
    foreign::all_work(foreign, &runtime, workers);
    drop(runtime);
    assert_eq!(Arc::strong_count(&there), 1, "an output was kept");
}

/// Of two functions one is awaited and one is not. Then a third one finds a thread.
fn blocking_functions(foreign: &Foreign, workers: usize) {
    let runtime = StateBits(Runtime::new(workers));
    let function = || {
        let foreign = foreign.clone();
        runtime.0.handle().spawn_blocking(move || {
            foreign.call("a function that blocks");
            foreign.value()
        })
    };
    let (mut awaited, dropped) = (function(), function());
    let hostile = foreign.waker();
    let is_pending = foreign.waits(&mut awaited, &hostile);
    drop(dropped);
    wait_until(|| !is_pending || hostile.wakes() == 1);
    drop(awaited);
    let third = block_on(watch(foreign.to_string(), function()));
    foreign.on_its_own(|| drop(third));
    foreign::all_work(foreign, &runtime, workers);
    drop(runtime);
    assert_eq!(hostile.live(), 0, "a waker was kept");
}

/// Five futures wait for permits. One leaves, one leaves with a permit that it was handed, and three are handed one at once.
fn permits(foreign: &Foreign) {
    let semaphore = Semaphore::new(0);
    let mut waiting: Vec<_> = (0..5)
        .map(|_| {
            let (mut acquire, hostile) = (semaphore.acquire(), foreign.waker());
            assert!(foreign.waits(&mut acquire, &foreign.waker()));
            assert!(foreign.waits(&mut acquire, &hostile));
            (acquire, hostile)
        })
        .collect();
    let (leaves, _) = waiting.remove(0);
    foreign.on_its_own(|| drop(leaves));
    semaphore.add_permits(1);
    let (leaves_with_a_permit, hostile) = waiting.remove(0);
    assert_eq!(hostile.wakes(), 1);
    drop(leaves_with_a_permit);
    assert_eq!(waiting[0].1.wakes(), 1);
    semaphore.add_permits(2);
    for (acquire, hostile) in &mut waiting {
        assert_eq!(hostile.wakes(), 1);
        assert!(probe::poll(acquire, Waker::noop()).is_ready());
        assert_eq!(hostile.live(), 0, "a waker was kept");
    }
    assert_eq!(semaphore.available(), 3);
}

/// Two senders wait for a slot, and the receiver is dropped, with a value in the channel.
fn a_channel(foreign: &Foreign) {
    let (sender, receiver) = channel(1);
    assert!(block_on(sender.send(foreign.value())).is_ok());
    let mut waiting: Vec<_> = (0..2)
        .map(|_| {
            let sender = sender.clone();
            let value = foreign.value();
            let mut send = Box::pin(async move {
                let sent = sender.send(value).await;
                // A value that comes back is the sender's own.
                assert!(sent.is_err());
                drop(sent);
            });
            let hostile = foreign.waker();
            (foreign.poll(&mut send, &hostile), send, hostile)
        })
        .collect();
    foreign.on_its_own(|| drop(receiver));
    // One whose poll has panicked is over.
    waiting.retain(|(polled, ..)| polled.is_some_and(|answer| answer.is_pending()));
    // Before any of them is polled, because a sender that ends gives a slot to the next one, and wakes it.
    for (_, _, hostile) in &waiting {
        assert_eq!(hostile.wakes(), 1);
    }
    for (_, send, _) in &mut waiting {
        foreign.on_its_own(|| assert!(probe::poll(send, Waker::noop()).is_ready()));
    }
    drop(waiting);
}
