//! A program that forgot `runtime_contract::count_allocations!` learns that at once, whatever it tests.

use std::panic::catch_unwind;

use futures::executor::block_on;
use runtime_contract::{
    BlockOn, Subject, clauses, faulty::LeafFault, leaf_clauses, message, suite,
};

const FUTURES: BlockOn = BlockOn {
    task: block_on,
    job: block_on,
};

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
fn a_suite_does_not_start() {
    assert_told(|| suite::main(&[]));
    assert_told(|| {
        let futures = Subject::runtime("futures", &FUTURES);
        suite::check("a_suite_does_not_start", futures, &["finishes"])
    });
}

#[test]
fn a_clause_that_counts_allocations_does_not_pass() {
    assert_told(|| clauses::thrift::wakers_balance(&FUTURES));
    assert_told(|| {
        let timer = LeafFault::None.leaf();
        leaf_clauses::cost::no_allocation_per_poll(timer)
    });
}
