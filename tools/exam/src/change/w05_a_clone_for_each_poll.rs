//! A future that keeps a new clone of the waker at each poll, although it is the same waker each time.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

use probe::CountingWaker;

// ANCHOR: program
/// Waits for a flag, which another part of the program sets. It then calls the waker.
#[derive(Default)]
struct Flag {
    is_set: bool,
    waker: Option<Waker>,
}

impl Future for Flag {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_set {
            return Poll::Ready(());
        }
        self.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}
// ANCHOR_END: program

#[derive(Default)]
struct Changed(Flag);

impl Future for Changed {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut self.0;
        if this.is_set {
            return Poll::Ready(());
        }
        // ANCHOR: change
        match &mut this.waker {
            Some(kept) => kept.clone_from(cx.waker()),
            None => this.waker = Some(cx.waker().clone()),
        }
        // ANCHOR_END: change
        Poll::Pending
    }
}

#[test]
fn a_waker_that_would_wake_the_same_task_need_not_be_cloned() {
    fn clones<F: Future + Unpin>(mut future: F, wakers: &[CountingWaker]) -> usize {
        for poll in 0..1_000 {
            let waker = &wakers[poll * wakers.len() / 1_000].waker();
            assert!(probe::poll(&mut future, waker).is_pending());
        }
        wakers.iter().map(CountingWaker::clones).sum()
    }
    let of_one_task = || [CountingWaker::new()];
    assert_eq!(clones(Flag::default(), &of_one_task()), 1_000);
    assert_eq!(clones(Changed::default(), &of_one_task()), 1);

    // Given to another task after 500 polls, it keeps that task's waker.
    let wakers = [CountingWaker::new(), CountingWaker::new()];
    assert_eq!(clones(Changed::default(), &wakers), 2);
}
