use super::*;
use futures::executor::block_on;
use futures::future::join;
use probe::CountingWaker;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::hint::black_box;
use std::marker::PhantomPinned;
use std::ptr;
use std::time::Duration;

/// Is pending so often, and wakes its own task. Records where it is at each poll. Not `Unpin`.
struct Child<'a> {
    pending: Cell<u32>,
    places: &'a RefCell<Vec<usize>>,
    _pinned: PhantomPinned,
}

impl Future for Child<'_> {
    type Output = &'static str;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        self.places.borrow_mut().push(ptr::from_ref(&*self).addr());
        if self.pending.get() == 0 {
            return Poll::Ready("done");
        }
        self.pending.set(self.pending.get() - 1);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

fn child(pending: u32, places: &RefCell<Vec<usize>>) -> Child<'_> {
    Child {
        pending: Cell::new(pending),
        places,
        _pinned: PhantomPinned,
    }
}

/// Calls `poll` deeper in the stack, so that a variable of `CountPolls::poll` is in another place at each poll.
fn deeper<T>(by: usize, poll: &mut dyn FnMut() -> T) -> T {
    let _room = black_box([0; 1_000]);
    if by == 0 {
        poll()
    } else {
        deeper(by - 1, poll)
    }
}

#[test]
fn it_counts_every_poll_of_a_child_that_stays_in_its_place() {
    for pending in [0, 1, 2] {
        let places = RefCell::default();
        let (output, polls) = probe::within(Duration::from_secs(2), || {
            let mut counted = Box::pin(probe::watch(
                "CountPolls",
                CountPolls::new(child(pending, &places)),
            ));
            let mut depth = 0;
            block_on(poll_fn(|cx| {
                depth += 1;
                deeper(depth, &mut || counted.as_mut().poll(cx))
            }))
        });
        let places = places.into_inner();
        assert!(
            places.windows(2).all(|two| two[0] == two[1]),
            "The child was moved between two of its polls.\n\
             If it had pointed into itself, its pointer would now lead to the place where it was before."
        );
        assert!(
            polls as usize == places.len(),
            "CountPolls counted {polls}, and its child was polled this many times: {}.\n\
             Count every poll, the pending ones and the one in which the child is ready.",
            places.len()
        );
        assert!(output == "done", "The child's output did not come out.");
    }
    let places = RefCell::default();
    let [a, b] = [3, 1].map(|pending| CountPolls::new(child(pending, &places)));
    let ((_, a), (_, b)) = block_on(join(a, b));
    assert!(
        (a, b) == (4, 2),
        "Two children were polled in turns, 4 times and 2 times, and CountPolls counted {a} and {b}. What does one share with \
         another one?"
    );
    assert!(
        !moves_with_its_owner(),
        "CountPolls is Unpin although its child is not, and the child is stored in it. So safe code may move a \
         CountPolls between two polls, and the child moves with it.\n\
         Look at: which field does `pin_project!` take for one that is never pinned?"
    );
}

/// Whether safe code may move a `CountPolls` that has been polled, and would move the child with it.
fn moves_with_its_owner() -> bool {
    let places = RefCell::default();
    let mut counted = Box::pin(CountPolls::new(child(1, &places)));
    let start = ptr::from_ref(&*counted).addr();
    let inside = start..start + size_of_val(&*counted);
    let waker = CountingWaker::new();
    let polled = counted
        .as_mut()
        .poll(&mut Context::from_waker(&waker.waker()));
    assert!(
        polled.is_pending() && waker.wakes() == 1,
        "The child was pending and woke the task. CountPolls woke it too, so that it is polled again for nothing."
    );
    let in_its_owner = places.borrow().iter().all(|place| inside.contains(place));
    in_its_owner && May(&*counted).be_moved()
}

/// Says whether a type is `Unpin`.
struct May<'a, T>(&'a T);

impl<T: Unpin> May<'_, T> {
    fn be_moved(&self) -> bool {
        true
    }
}

/// The answer for all other types, because a method of the type comes before one of a trait.
trait Otherwise {
    fn be_moved(&self) -> bool;
}

impl<T> Otherwise for May<'_, T> {
    fn be_moved(&self) -> bool {
        false
    }
}
