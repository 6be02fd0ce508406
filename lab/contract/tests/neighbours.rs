//! What goes on beside a clause, in its process or in others, changes no verdict.

use std::{
    future::Future,
    hint::black_box,
    pin::Pin,
    sync::{Arc, Barrier},
    task::{Context, Poll},
    thread,
};

use runtime_contract::{Answer, BoxFuture, Leaf, Trigger, leaf_clauses};

runtime_contract::count_allocations!();

/// A future that lets another thread allocate in each of its polls.
struct LetsAnotherAllocate;

struct Waits(Arc<Barrier>);

impl Future for Waits {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0.wait(); // it allocates
        self.0.wait(); // and has done so
        Poll::Pending
    }
}

impl Leaf for LetsAnotherAllocate {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let both = Arc::new(Barrier::new(2));
        let other = both.clone();
        thread::spawn(move || {
            loop {
                other.wait();
                drop(black_box(Box::new(0)));
                other.wait();
            }
        });
        Ok((Box::pin(Waits(both)), Box::new(|| {})))
    }
}

#[test]
fn what_another_thread_allocates_is_not_the_futures() {
    let kept = leaf_clauses::cost::no_allocation_per_poll(&LetsAnotherAllocate);
    assert_eq!(kept, Ok(()));
}
