//! A run loop of one sender and five receivers, and a `wake` that can't say whom it is for.

use std::{cell::RefCell, rc::Rc};

use step01_simple_future::{Poll, RunLoop, SimpleFuture};

// ANCHOR: program
#[derive(Default)]
struct Letterbox {
    letter: Option<&'static str>,
    callback: Option<fn()>,
}

enum Person {
    /// Puts a letter into one box in each poll, beginning with this box.
    Sender(usize),
    /// Is ready once there is a letter in this box.
    Receiver(usize),
}

struct Future(Person, Rc<RefCell<[Letterbox; 5]>>);

impl SimpleFuture for Future {
    type Output = ();

    fn poll(&mut self, wake: fn()) -> Poll<()> {
        let mut boxes = self.1.borrow_mut();
        match &mut self.0 {
            Person::Sender(next) => {
                boxes[*next].letter = Some("howdy!");
                if let Some(callback) = boxes[*next].callback.take() {
                    callback();
                }
                *next += 1;
                if *next == boxes.len() {
                    return Poll::Ready(());
                }
                wake(); // it has more to send
                Poll::Pending
            }
            Person::Receiver(number) => {
                let letterbox = &mut boxes[*number];
                if letterbox.letter.take().is_some() {
                    return Poll::Ready(());
                }
                letterbox.callback = Some(wake);
                Poll::Pending
            }
        }
    }
}

fn program() -> usize {
    let boxes = Rc::new(RefCell::default());
    let receivers = (0..5).map(Person::Receiver);
    let people = std::iter::once(Person::Sender(0)).chain(receivers);
    let mut run_loop = RunLoop::new(people.map(|it| Future(it, Rc::clone(&boxes))));
    run_loop.run();
    run_loop.polls()
}
// ANCHOR_END: program

#[test]
fn each_round_polls_all_that_are_left() {
    assert_eq!(crate::within(program), 6 + 5 + 4 + 3 + 2);
}
