//! Stage 10: a worker that has nothing to do takes half of what another one has in its queue.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use probe::{Recording, record, watch};
use step10_work_stealing::{Runtime, spawn};

use crate::compute_until;

pub fn steal() -> Recording {
    let runtime = Runtime::new(2);
    let gates = [(); 2].map(|()| busy_worker(&runtime));
    let flags = [(); 7].map(|()| Flag::default());
    let [busy_is_polled, other_is_polled, spawned, a, b, c, end] = flags.clone();
    let busy = async move {
        busy_is_polled.set();
        other_is_polled.wait();
        drop(spawn(watch("a", task(a.clone(), c.clone()))));
        drop(spawn(watch("b", task(b, end.clone()))));
        drop(spawn(watch("c", task(c, end))));
        drop(spawn(watch("d", async {})));
        spawned.set();
        a.wait();
    };
    let [busy_is_polled, other_is_polled, spawned, _, b, _, end] = flags;
    let recording = record(|| {
        drop(runtime.spawn(watch("busy", busy)));
        gates[0].set();
        busy_is_polled.wait();
        drop(runtime.spawn(watch("other", task(other_is_polled, spawned))));
        gates[1].set();
        b.wait();
        // The deque is not recorded, but the workers count what they steal, and the picture must say the same.
        let counts = runtime.metrics();
        let mut steals: Vec<_> = counts.iter().map(|it| (it.steals, it.stolen)).collect();
        steals.sort_unstable();
        assert_eq!(steals, [(0, 0), (1, 2)], "one steal, of half of the tasks");
    });
    end.set();
    recording
}

/// Keeps a worker busy until the flag is set, so that nothing is recorded of how it has begun.
fn busy_worker(runtime: &Runtime) -> Flag {
    let (begun, end) = (Flag::default(), Flag::default());
    drop(runtime.spawn(task(begun.clone(), end.clone())));
    begun.wait();
    end
}

/// Sets a flag, and then computes until another one is set.
async fn task(begun: Flag, end: Flag) {
    begun.set();
    end.wait();
}

/// What a thread waits for without a sleep, so that the picture shows it busy.
#[derive(Clone, Default)]
pub struct Flag(Arc<AtomicBool>);

impl Flag {
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn wait(&self) {
        compute_until(|| self.0.load(Ordering::Acquire));
    }
}
