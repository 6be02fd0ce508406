//! What the types of a task tell, and that a program's own types of the same names tell nothing.

use std::{
    future::{Pending, poll_fn},
    pin::Pin,
    task::Poll,
};

use super::*;

mod future {
    pub(super) mod pending {
        pub(crate) struct Pending<T>(pub(crate) T);
    }
    pub(super) mod poll_fn {
        pub(crate) struct PollFn<F>(pub(crate) F);
    }
}

mod alloc {
    pub(super) struct Guard(pub(super) String);
}

fn may_be_pending<F>(_: &F) -> bool {
    Types::of::<F, ()>().may_be_pending_on_purpose()
}

fn of<F>() -> bool {
    Types::of::<F, ()>().may_be_pending_on_purpose()
}

#[test]
fn an_async_block_may_be_pending_on_purpose_and_so_may_what_has_pending_in_it() {
    assert!(may_be_pending(&async {}));
    assert!(may_be_pending(&Box::pin(async {})));
    assert!(of::<Pending<()>>() && of::<Pin<Box<Pending<u8>>>>());
    assert!(of::<(u8, futures::future::Pending<()>)>());
    assert!(of::<Pin<Box<dyn Future<Output = ()>>>>());
    assert!(!may_be_pending(&poll_fn(|_| Poll::Ready(()))));
    assert!(!may_be_pending(&Box::pin(poll_fn(|_| Poll::Ready(())))));
}

#[test]
fn a_type_of_the_same_name_is_another_one() {
    type Mine = future::pending::Pending<()>;
    assert!(any::type_name::<Mine>().ends_with("future::pending::Pending<()>"));
    assert!(!of::<Mine>() && !of::<Pin<Box<Mine>>>());
    assert!(of::<future::poll_fn::PollFn<Pending<()>>>());
}

#[test]
fn a_string_holds_no_guard_and_a_type_of_the_programs_may() {
    assert!(!may_hold_more::<Vec<Option<String>>>());
    assert!(!may_hold_more::<u64>());
    assert!(may_hold_more::<self::alloc::Guard>());
    assert_eq!(self::alloc::Guard(String::new()).0, "");
    assert!(may_hold_more::<Box<dyn FnOnce()>>());
    assert!(may_hold_more::<Option<crate::Hold>>());
}
