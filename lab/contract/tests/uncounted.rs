//! A program that forgot `runtime_contract::count_allocations!` learns that from the clauses that count them. The others pass.

use std::panic::catch_unwind;

use futures::{channel::oneshot, executor::block_on};
use runtime_contract::{
    Answer, BoxFuture, Leaf, Preset, Trigger, clauses, leaf, leaf_clauses, message,
};

const FUTURES: Preset = Preset::block_on(block_on);

struct Channel;

impl Leaf for Channel {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, receiver) = oneshot::channel();
        Ok((leaf(receiver), Box::new(|| _ = sender.send(7))))
    }
}

fn assert_told<T>(what: fn() -> T) {
    let told = catch_unwind(|| {
        what();
    });
    let message = message(&*told.unwrap_err());
    assert!(
        message.ends_with("write `runtime_contract::count_allocations!();` above its tests"),
        "{message}"
    );
}

#[test]
fn a_clause_that_counts_allocations_does_not_pass() {
    assert_told(|| clauses::thrift::wakers_balance(&FUTURES));
    assert_told(|| leaf_clauses::cost::no_allocation_per_poll(&Channel));
    assert_eq!(clauses::finish::finishes(&FUTURES), Ok(()));
}
