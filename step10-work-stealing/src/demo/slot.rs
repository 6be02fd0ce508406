//! In which order one worker runs what is woken.

use std::sync::mpsc;

use futures::{channel::oneshot, executor::block_on, future::join_all};
use step10_work_stealing::{Runtime, Version};

use super::staged::{join, sum};

/// Shows it without a slot and with one.
pub fn show() {
    println!(
        "3. One worker. A task wakes 1, 2, 3 and a, in this order. Then a wakes b, b wakes c, and so on to f"
    );
    version(Version::Stealing);
    version(Version::LifoSlot);
    println!(
        "   LifoSlot begins with the task that was woken last, and keeps the order of the others. After"
    );
    println!("   three polls in a row from the slot (a b c), the next, d, goes behind 1, 2 and 3.");
}

fn version(version: Version) {
    let runtime = Runtime::with_version(1, version);
    let (note, order) = mpsc::channel();
    let (mut tasks, mut wakes) = (Vec::new(), Vec::new());
    // They are spawned from f to a, because each has to know the task that it wakes. The three that wake no task come last.
    let mut next = None;
    for name in "fedcba321".chars() {
        let (wake, woken) = oneshot::channel();
        let to_wake: Option<oneshot::Sender<()>> = next.take();
        let note = note.clone();
        tasks.push(runtime.spawn(async move {
            woken.await.expect("it is woken");
            note.send(name).expect("`version` receives it");
            if let Some(wake) = to_wake {
                wake.send(()).expect("the next one waits");
            }
        }));
        match name {
            'b'..='f' => next = Some(wake),
            _ => wakes.push(wake), // a, 3, 2, 1
        }
    }
    // There is a single worker, so when it polls this task, it has polled all of those.
    join(runtime.spawn(async move {
        for wake in wakes.into_iter().rev() {
            wake.send(()).expect("the task waits");
        }
    }));
    block_on(join_all(tasks));
    let order: String = order.try_iter().flat_map(|name| [name, ' ']).collect();
    let slot_polls = sum(&runtime.handle(), |worker| worker.slot_polls);
    println!(
        "   {:<12} {order}(polls from the slot: {slot_polls})",
        format!("{version:?}:")
    );
}
