//! A line of 10 MB is read with little memory. A program of its own, because it counts what the whole process allocates.

#![cfg(not(miri))]

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use step09_epoll_reactor::{
    block_on,
    stdin::{LIMIT, Stdin},
};

#[global_allocator]
static COUNTS_ALLOCATIONS: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

fn allocated() -> usize {
    let stats = INSTRUMENTED_SYSTEM.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Notes with each read the most that has been allocated.
struct Watched<R> {
    from: R,
    most: Arc<AtomicUsize>,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.most.fetch_max(allocated(), Ordering::Relaxed);
        self.from.read(buffer)
    }
}

#[test]
fn a_line_of_10_megabytes_is_one_error_that_costs_little_memory_and_the_next_line_is_read() {
    probe::within(Duration::from_secs(60), || {
        let most = Arc::new(AtomicUsize::new(0));
        let before = allocated();
        let from = Watched {
            from: io::repeat(b'7').take(10_000_000).chain("\n39\n".as_bytes()),
            most: Arc::clone(&most),
        };
        block_on(async {
            let mut stdin = Stdin::on_thread(from).unwrap();
            let Err(error) = stdin.read_line().await else {
                panic!("the line has 10 MB"); // and would be in the message of `unwrap_err`
            };
            let text = "line 1: it is longer than 65536 bytes";
            assert_eq!(error.to_string(), text);
            assert_eq!(stdin.read_line().await.unwrap().as_deref(), Some("39"));
            assert_eq!(stdin.read_line().await.unwrap(), None);
        });
        let most = most.load(Ordering::Relaxed) - before;
        assert!(most < 4 * LIMIT, "{most} bytes");
    });
}
