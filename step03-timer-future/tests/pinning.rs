//! A future that points into itself, and three ways to poll children that must not be moved.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    ptr,
    rc::Rc,
    task::{Poll, Waker},
};

use probe::poll;
use step03_timer_future::{BoxedJoin, HandProjectedJoin, ProjectedJoin, self_borrow};

#[test]
fn after_its_first_poll_it_holds_an_address_inside_itself() {
    let address = RefCell::new(Vec::new());
    let mut future = pin!(self_borrow(|first| address.borrow_mut().push(first.addr())));
    let start = ptr::from_ref(&*future).addr();
    let inside = start..start + size_of_val(&*future);
    assert!(
        address.borrow().is_empty(),
        "nothing runs before the first poll"
    );
    assert_eq!(poll(&mut future.as_mut(), Waker::noop()), Poll::Pending);
    let reported = address.borrow().clone();
    assert!(reported.len() == 1 && inside.contains(&reported[0]));
}

type Journal = Rc<RefCell<Vec<String>>>;

/// Writes when it is dropped.
struct Dropped(&'static str, Journal);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.1.borrow_mut().push(format!("{} dropped", self.0));
    }
}

/// Is pending so often, and then ready. Borrows its own local variable all the time, so it is not `Unpin`.
async fn child(name: &'static str, pending: usize, journal: Journal) {
    let _dropped = Dropped(name, Rc::clone(&journal));
    let letters = name.as_bytes().to_owned();
    let letters = &letters;
    let mut polls = 0;
    poll_fn(|_| {
        polls += 1;
        let name = String::from_utf8_lossy(letters);
        journal.borrow_mut().push(format!("{name} poll {polls}"));
        if polls > pending {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

/// What happens in so many polls of a join, whose children are ready at polls 1 and 3, and then to the rest of it.
fn events<J: Future<Output = ()>>(join: impl Fn(Child, Child) -> J, polls: usize) -> Vec<String> {
    let journal = Journal::default();
    {
        let children = ["a", "b"].map(|name| {
            let pending = if name == "a" { 2 } else { 0 };
            Box::pin(child(name, pending, Rc::clone(&journal))) as Child
        });
        let [a, b] = children;
        let mut join = pin!(join(a, b));
        for _ in 0..polls {
            let ready = poll(&mut join.as_mut(), Waker::noop()).is_ready();
            journal.borrow_mut().push(format!("ready: {ready}"));
        }
    }
    journal.take()
}

type Child = Pin<Box<dyn Future<Output = ()>>>;

#[test]
fn all_three_poll_both_and_drop_each_as_soon_as_it_is_ready() {
    let expected = [
        "a poll 1",
        "b poll 1",
        "b dropped",
        "ready: false",
        "a poll 2",
        "ready: false",
        "a poll 3",
        "a dropped",
        "ready: true",
    ];
    assert_eq!(events(BoxedJoin::new, 3), expected);
    assert_eq!(events(ProjectedJoin::new, 3), expected);
    assert_eq!(events(HandProjectedJoin::new, 3), expected);
}

#[test]
fn dropped_early_all_three_drop_the_child_that_is_left() {
    let expected = [
        "a poll 1",
        "b poll 1",
        "b dropped",
        "ready: false",
        "a dropped",
    ];
    assert_eq!(events(BoxedJoin::new, 1), expected);
    assert_eq!(events(ProjectedJoin::new, 1), expected);
    assert_eq!(events(HandProjectedJoin::new, 1), expected);
}

/// Polls a join of two children that point into themselves. Under Miri, a child that had been moved would be seen.
fn runs_in_place(join: impl Future<Output = ()>) {
    let mut join = pin!(join);
    assert_eq!(poll(&mut join.as_mut(), Waker::noop()), Poll::Pending);
    assert_eq!(poll(&mut join.as_mut(), Waker::noop()), Poll::Ready(()));
}

#[test]
fn children_that_point_into_themselves_run_in_place() {
    let child = |name| child(name, 1, Journal::default());
    runs_in_place(BoxedJoin::new(child("a"), child("b")));
    runs_in_place(ProjectedJoin::new(child("a"), child("b")));
    runs_in_place(HandProjectedJoin::new(child("a"), child("b")));
}

#[test]
fn with_boxed_children_a_join_may_be_moved_between_two_polls() {
    let child = |name| child(name, 1, Journal::default());
    let mut join = BoxedJoin::new(child("a"), child("b"));
    assert_eq!(poll(&mut join, Waker::noop()), Poll::Pending);
    let mut moved = Box::new(join);
    assert_eq!(poll(&mut *moved, Waker::noop()), Poll::Ready(()));
}

#[test]
fn boxed_it_holds_pointers_and_projected_its_children() {
    let child = || child("a", 1, Journal::default());
    let pointers = 2 * size_of::<usize>();
    assert_eq!(size_of_val(&BoxedJoin::new(child(), child())), pointers);
    let children = 2 * size_of_val(&child());
    assert!(size_of_val(&ProjectedJoin::new(child(), child())) >= children);
    assert!(size_of_val(&HandProjectedJoin::new(child(), child())) >= children);
}

#[test]
fn projected_it_may_be_moved_if_its_children_may() {
    fn may_move(_: impl Unpin) {}
    may_move(ProjectedJoin::new(
        std::future::ready(()),
        std::future::ready(()),
    ));
    may_move(HandProjectedJoin::new(
        std::future::ready(()),
        std::future::ready(()),
    ));
}
