//! An async fn that points into itself, what a move would do to it, and `Join` for children that must not be moved.

use std::{
    cell::Cell,
    future::Future,
    mem,
    pin::pin,
    ptr,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use futures::executor::block_on;
use step03_timer_future::{
    BoxedJoin, HandProjectedJoin, Note, Polls, ProjectedJoin, TimerFuture, self_borrow,
};

fn main() {
    println!("1. An async fn that borrows its own local variable");
    points_into_itself();

    println!("2. Two notes, each with a pointer to its own first letter");
    let mut a = Note::new(*b"aaa");
    let mut b = Note::new(*b"bbb");
    a.point();
    b.point();
    show(&a, &b);
    println!("   swap the two");
    mem::swap(&mut a, &mut b);
    show(&a, &b);

    println!("3. Join for async blocks: two timers, 200 ms and 300 ms");
    let nap = |millis| async move { TimerFuture::new(Duration::from_millis(millis)).await };
    run("boxed", BoxedJoin::new(nap(200), nap(300)));
    run("projected", ProjectedJoin::new(nap(200), nap(300)));
    run("by hand", HandProjectedJoin::new(nap(200), nap(300)));
}

// ANCHOR: seen
fn points_into_itself() {
    let address = Cell::new(0);
    let future = self_borrow(|first| address.set(first.addr()));
    // Moves the future into `pin!`. Nothing of it has run yet, so it holds no reference.
    let mut future = pin!(future);

    let start = ptr::from_ref(&*future).addr();
    let inside = start..start + size_of_val(&*future);
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(future.as_mut().poll(&mut cx), Poll::Pending);
    let points_inside = inside.contains(&address.get());
    println!("   after its first poll, its reference points into the future: {points_inside}");

    let before = address.take();
    let first = char::from(block_on(future));
    let same = address.get() == before;
    println!("   at its last poll, it reads {first:?} at the same address: {same}");
}
// ANCHOR_END: seen

fn show(a: &Note, b: &Note) {
    for note in [a, b] {
        let target = if note.points_into(a) { a } else { b };
        println!("   {} points at {}", note.text(), target.text());
    }
}

fn run(name: &str, join: impl Future<Output = ()>) {
    let polls = Polls::default();
    let start = Instant::now();
    block_on(polls.count(join));
    let elapsed = start.elapsed().as_millis();
    // On a busy machine, both timers may be over at the second poll.
    let polls = match polls.get() {
        ..=3 => "at most 3".to_owned(),
        more => more.to_string(),
    };
    println!("   {name}: polls: {polls}, time: {elapsed} ms");
}
