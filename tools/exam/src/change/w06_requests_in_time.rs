//! A time limit for each request, and a heap that remembers each of them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    time::{Duration, Instant},
};

use step06_reactor::Deadlines;

// ANCHOR: program
/// The time limits of the requests that a server is working on.
#[derive(Default)]
struct Limits {
    requests: BTreeMap<u64, &'static str>,
    deadlines: BinaryHeap<Reverse<(Instant, u64)>>,
}

impl Limits {
    fn begin(&mut self, id: u64, request: &'static str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        self.requests.insert(id, request);
        self.deadlines.push(Reverse((deadline, id)));
    }

    /// The request has been answered. Its deadline comes to the top of the heap in half a minute,
    /// and is skipped then.
    fn end(&mut self, id: u64) {
        self.requests.remove(&id);
    }
}
// ANCHOR_END: program

#[derive(Default)]
struct Changed {
    requests: BTreeMap<u64, &'static str>,
    deadlines: Deadlines,
}

impl Changed {
    fn begin(&mut self, id: u64, request: &'static str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        self.requests.insert(id, request);
        self.deadlines.add(deadline, id);
    }

    // ANCHOR: change
    fn end(&mut self, id: u64) {
        self.requests.remove(&id);
        // Removes the deadlines without a request, once they may be more than half of all.
        self.deadlines
            .forget_one(|id| self.requests.contains_key(&id));
    }
    // ANCHOR_END: change
}

#[test]
fn the_heap_keeps_at_most_as_many_forgotten_deadlines_as_others() {
    let (mut limits, mut changed) = (Limits::default(), Changed::default());
    let mut most = 0;
    for id in 0..10_000 {
        limits.begin(id, "GET /");
        changed.begin(id, "GET /");
        if let Some(done) = id.checked_sub(3) {
            limits.end(done);
            changed.end(done);
        }
        most = most.max(changed.deadlines.len());
    }
    assert_eq!((limits.requests.len(), limits.deadlines.len()), (3, 10_000));
    assert_eq!((changed.requests.len(), most), (3, 6));
}
