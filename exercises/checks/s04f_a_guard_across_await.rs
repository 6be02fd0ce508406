use super::*;
use probe::{watch, within};
use std::time::Duration;
use step04_channel_executor::{local, yield_now};

/// A number that is there at the second poll.
async fn arrives(number: u32) -> u32 {
    yield_now().await;
    number
}

#[test]
fn three_tasks_add_to_one_total() {
    within(Duration::from_secs(2), || {
        let (executor, spawner) = local::executor();
        let total = Rc::new(Mutex::new(0));
        for number in [1, 10] {
            let adds = add(Rc::clone(&total), arrives(number));
            spawner.spawn(watch(format!("adds {number}"), adds));
        }
        // Another task sends the last number.
        let (sender, receiver) = futures::channel::oneshot::channel();
        let adds = add(Rc::clone(&total), async { receiver.await.unwrap() });
        spawner.spawn(watch("adds 100", adds));
        spawner.spawn(async { sender.send(100).unwrap() });
        executor.run();
        let total = *total.lock().unwrap();
        assert!(
            total == 111,
            "1, 10 and 100 were added, and the total is {total}. Wanted: 111.\n\
             Look at: when does `add` read the old total, and what may the other tasks have done since?"
        );
    });
}

#[test]
fn the_total_is_free_while_a_number_has_not_arrived() {
    within(Duration::from_secs(2), || {
        let (executor, spawner) = local::executor();
        let total = Rc::new(Mutex::new(0));
        spawner.spawn(watch("adds 1", add(Rc::clone(&total), arrives(1))));
        let seen = Rc::clone(&total);
        spawner.spawn(async move {
            assert!(
                seen.try_lock().is_ok(),
                "`add` is suspended at its `.await`, and the total is locked.\n\
                 Wanted: no guard lives while `add` is suspended.\n\
                 Look at: where is the guard made, and where is it dropped?"
            );
            *seen.lock().unwrap() += 10;
        });
        executor.run();
        let total = *total.lock().unwrap();
        assert!(
            total == 11,
            "The total is {total}. Wanted: 11. If a task panicked, its message is above.\n\
             Look at: when does `add` read the old total?"
        );
    });
}
