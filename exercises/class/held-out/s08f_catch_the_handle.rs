#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        cell::RefCell,
        collections::VecDeque,
        panic::{self, AssertUnwindSafe},
        rc::Rc,
        sync::mpsc::{self, RecvTimeoutError},
        task::Waker,
        thread,
        time::Duration,
    };

    /// Small tasks of one thread, with a mistake each.
    #[derive(Clone, Copy, PartialEq)]
    enum Mistake {
        None,
        /// Correct, and wakes once too often.
        WakesInEachPoll,
        Silent,
        AbortWins,
        DropCancels,
        /// The output stays with the worker if the handle has gone first.
        OutputStays,
        /// A handle that is dropped leaves the output where it is.
        HandleLeavesIt,
    }

    struct Cell {
        future: RefCell<Option<Pin<Box<dyn Future<Output = Output> + Send>>>>,
        output: RefCell<Option<Output>>,
        waker: RefCell<Option<Waker>>,
        state: RefCell<State>,
    }

    #[derive(Default)]
    struct State {
        finished: bool,
        cancelled: bool,
        detached: bool,
    }

    struct Small {
        mistake: Mistake,
        queue: RefCell<VecDeque<Rc<Cell>>>,
        all: RefCell<Vec<Rc<Cell>>>,
    }

    impl Worker for Small {
        fn spawn(&self, future: Pin<Box<dyn Future<Output = Output> + Send>>) -> BoxedHandle {
            let cell = Rc::new(Cell {
                future: RefCell::new(Some(future)),
                output: RefCell::default(),
                waker: RefCell::default(),
                state: RefCell::default(),
            });
            self.queue.borrow_mut().push_back(Rc::clone(&cell));
            self.all.borrow_mut().push(Rc::clone(&cell));
            Box::pin(SmallHandle(cell, self.mistake))
        }

        fn work(&self) {
            while let Some(cell) = { self.queue.borrow_mut().pop_front() } {
                let mut future = cell.future.take().unwrap();
                if !cell.state.borrow().cancelled {
                    let mut cx = Context::from_waker(Waker::noop());
                    let Poll::Ready(output) = future.as_mut().poll(&mut cx) else {
                        panic!("these tasks are ready at their first poll");
                    };
                    let detached = cell.state.borrow().detached;
                    if !detached || self.mistake == Mistake::OutputStays {
                        cell.output.replace(Some(output));
                    }
                }
                cell.state.borrow_mut().finished = true;
                if self.mistake != Mistake::Silent {
                    if let Some(waker) = cell.waker.take() {
                        waker.wake();
                    }
                }
            }
        }
    }

    struct SmallHandle(Rc<Cell>, Mistake);

    impl Handle for SmallHandle {
        fn abort(&self) {
            let finished = self.0.state.borrow().finished;
            if !finished {
                self.0.state.borrow_mut().cancelled = true;
            } else if self.1 == Mistake::AbortWins {
                self.0.output.take();
            }
        }
    }

    impl Future for SmallHandle {
        type Output = Option<Output>;

        fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
            if self.0.state.borrow().finished {
                return Poll::Ready(self.0.output.take());
            }
            if self.1 == Mistake::WakesInEachPoll {
                cx.waker().wake_by_ref();
            }
            self.0.waker.replace(Some(cx.waker().clone()));
            Poll::Pending
        }
    }

    impl Drop for SmallHandle {
        fn drop(&mut self) {
            self.0.state.borrow_mut().detached = true;
            if self.1 == Mistake::DropCancels {
                self.abort();
            }
            if self.1 != Mistake::HandleLeavesIt {
                self.0.output.take();
            }
        }
    }

    /// Whether the check returned, `Err` if it did not within two seconds.
    fn passes(mistake: Mistake) -> Result<bool, RecvTimeoutError> {
        let (over, is_over) = mpsc::channel();
        thread::spawn(move || {
            let small = Small {
                mistake,
                queue: RefCell::default(),
                all: RefCell::default(),
            };
            let checked = panic::catch_unwind(AssertUnwindSafe(|| check(&small)));
            let _ = over.send(checked.is_ok());
        });
        is_over.recv_timeout(Duration::from_secs(2))
    }

    #[test]
    fn good_ones_pass_and_broken_ones_are_caught() {
        let good = || {
            assert_eq!(
                passes(Mistake::None),
                Ok(true),
                "the good handles are refused"
            );
            assert_eq!(
                passes(Mistake::WakesInEachPoll),
                Ok(true),
                "handles that wake too often are refused, and they break no promise"
            );
        };
        good();
        for (mistake, which) in [
            (Mistake::Silent, "that do not wake"),
            (Mistake::AbortWins, "that lose an output to an abort"),
            (Mistake::DropCancels, "whose drop cancels"),
            (Mistake::OutputStays, "whose tasks keep the output"),
            (Mistake::HandleLeavesIt, "that leave the output"),
        ] {
            assert_eq!(passes(mistake), Ok(false), "handles {which}");
        }
        good();
    }
}
