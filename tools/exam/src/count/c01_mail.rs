//! A run loop of one sender and five receivers, and a `wake` that can't say whom it is for.

use std::{cell::Cell, rc::Rc};

use step01_simple_future::{Poll, RunLoop, SimpleFuture};

#[derive(Default)]
struct Inbox {
    letter: Cell<Option<&'static str>>,
    callback: Cell<Option<fn()>>,
}

impl Inbox {
    fn send(&self, letter: &'static str) {
        self.letter.set(Some(letter));
        if let Some(callback) = self.callback.take() {
            callback();
        }
    }
}

// ANCHOR: program
enum Person {
    Sender(Vec<Rc<Inbox>>),
    Receiver(Rc<Inbox>),
}

impl SimpleFuture for Person {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        match self {
            Person::Sender(inboxes) => {
                inboxes.pop().unwrap().send("howdy!");
                if inboxes.is_empty() {
                    return Poll::Ready(());
                }
                wake(); // it has more to send
            }
            Person::Receiver(inbox) => {
                if inbox.letter.take().is_some() {
                    return Poll::Ready(());
                }
                inbox.callback.set(Some(wake));
            }
        }
        Poll::Pending
    }
}

fn program() -> usize {
    let inboxes: Vec<Rc<Inbox>> = (0..5).map(|_| Rc::default()).collect();
    let mut people = vec![Person::Sender(inboxes.clone())];
    people.extend(inboxes.into_iter().map(Person::Receiver));
    let mut run_loop = RunLoop::new(people);
    run_loop.run();
    run_loop.polls()
}
// ANCHOR_END: program

#[test]
fn each_round_polls_all_that_are_left() {
    assert_eq!(crate::within(program), 6 + 5 + 4 + 3 + 2);
}
