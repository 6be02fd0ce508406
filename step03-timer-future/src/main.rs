//! An async fn beside a state machine, twice: once as it is often told, once as it is. Then a move that breaks.

use std::{
    future::Future,
    mem,
    time::{Duration, Instant},
};

use futures::executor::block_on;
use step03_timer_future::{MyFuture, Nap, Note, Polls, TimerFuture, my_future, nap};

const NAP: Duration = Duration::from_millis(300);

fn main() {
    println!("1. Three states by hand");
    run(MyFuture::Start);
    println!("2. The async fn with the same three lines, and no .await");
    run(my_future());

    println!("3. An async fn that awaits a timer of 300 ms");
    run(nap(NAP));
    println!("4. The same by hand");
    run(Nap::Start(NAP));

    println!("5. Two notes, each with a pointer to its own first letter");
    let mut a = Note::new(*b"aaa");
    let mut b = Note::new(*b"bbb");
    a.point();
    b.point();
    show(&a, &b);
    println!("   swap the two");
    mem::swap(&mut a, &mut b);
    show(&a, &b);
    println!("   A future may hold such a pointer. Pin is the promise not to move it.");
}

fn run(future: impl Future<Output = &'static str>) {
    let (polls, threads) = (Polls::default(), TimerFuture::threads_started());
    let start = Instant::now();
    let output = block_on(polls.count(future));
    let elapsed = start.elapsed().as_millis();
    let threads = TimerFuture::threads_started() - threads;
    println!("   {output:?}: polls: {polls}, timer threads: {threads}, time: {elapsed} ms");
}

fn show(a: &Note, b: &Note) {
    for note in [a, b] {
        let target = if note.points_into(a) { a } else { b };
        println!("   {} points at {}", note.text(), target.text());
    }
}
