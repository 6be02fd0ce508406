//! The queue that all workers share, with threads that sleep in it, and with code that uses it while it is printed.

use std::{
    fmt::{self, Write},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use probe::within;
use step08_join_handle::Queue;

const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn a_push_wakes_a_thread_that_waits() {
    within(LIMIT, || {
        let queue = Arc::new(Queue::new());
        for item in 0..100 {
            let waits = Arc::clone(&queue);
            let waiting = thread::spawn(move || waits.pop());
            if item % 2 == 0 {
                thread::yield_now();
            }
            queue.push(item);
            assert_eq!(waiting.join().unwrap(), Some(item));
        }
    });
}

#[test]
fn every_item_goes_to_one_of_the_threads() {
    const ITEMS: usize = if cfg!(miri) { 20 } else { 10_000 };
    within(LIMIT, || {
        let queue = Arc::new(Queue::new());
        let (send, taken) = mpsc::channel();
        let threads = [0, 1, 2].map(|_| {
            let (queue, send) = (Arc::clone(&queue), send.clone());
            thread::spawn(move || {
                while let Some(item) = queue.pop() {
                    send.send(item).unwrap();
                }
            })
        });
        (0..ITEMS).for_each(|item| queue.push(item));
        let mut taken: Vec<_> = taken.iter().take(ITEMS).collect();
        taken.sort_unstable();
        assert!(taken.into_iter().eq(0..ITEMS));
        queue.close();
        threads.into_iter().for_each(|it| it.join().unwrap());
    });
}

/// Pushes what is written.
struct Writer<'a>(&'a Queue<String>);

impl Write for Writer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push(text.to_owned());
        Ok(())
    }
}

#[test]
fn it_may_be_used_by_what_prints_it() {
    within(LIMIT, || {
        let queue = Queue::new();
        write!(Writer(&queue), "{queue:?}").unwrap();
        assert_eq!(queue.pop().as_deref(), Some("0"));
    });
}
