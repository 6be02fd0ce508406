//! A clause is a function, so a plain `#[test]` can call it: in nextest, which has a process and a limit for each, and in Miri, where
//! no program can start another. This program has no `runtime_contract::count_allocations!`, which some clauses then ask for.

use futures::{channel::oneshot, executor::block_on};
use runtime_contract::{
    Answer, BoxFuture, Leaf, Preset, Trigger, Unsupported, clauses, leaf, leaf_clauses,
};

const FUTURES: Preset = Preset::block_on(block_on);

#[test]
fn woken_in_poll() {
    assert_eq!(clauses::wake::woken_in_poll(&FUTURES), Ok(()));
}

#[test]
fn woken_asleep() {
    assert_eq!(clauses::wake::woken_asleep(&FUTURES), Ok(()));
}

#[test]
fn spawned_inside_is_not_its_job() {
    assert_eq!(clauses::spawn::spawned_inside(&FUTURES), Err(Unsupported));
}

struct Oneshot;

impl Leaf for Oneshot {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, receiver) = oneshot::channel();
        Ok((leaf(receiver), Box::new(|| _ = sender.send(7))))
    }
}

#[test]
fn the_latest_waker() {
    assert_eq!(leaf_clauses::wake::the_latest_waker(&Oneshot), Ok(()));
}

#[test]
fn a_clause_that_counts_allocations_does_not_pass() {
    let executor = clauses::thrift::wakers_balance(&FUTURES);
    let leaf = leaf_clauses::cost::no_allocation_per_poll(&Oneshot);
    assert_eq!([executor, leaf], [Err(Unsupported); 2]);
}
