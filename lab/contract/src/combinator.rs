//! A combinator polls its children, so to them it is an executor.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

use crate::{Answer, BoxFuture, Make, Runtime, Subject, cannot_spawn, wake_counter::WakeCounter};

/// What makes one future of many.
struct Combinator<C>(C);

impl<C, F> Runtime for Combinator<C>
where
    C: Fn(Vec<BoxFuture>) -> F + Sync,
    F: Future,
{
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        finish(&mut Box::pin((self.0)(tasks)));
        Ok(())
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        drop((self.0)(make(cannot_spawn())));
        Ok(())
    }

    fn stop(&self, make: Make, mut until: BoxFuture) -> Answer {
        let mut all = Some(Box::pin((self.0)(make(cannot_spawn()))));
        let mut both: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(poll_fn(move |cx| {
            if let Some(Poll::Ready(_)) = all.as_mut().map(|all| all.as_mut().poll(cx)) {
                all = None;
            }
            until.as_mut().poll(cx)
        }));
        finish(&mut both);
        Ok(())
    }

    /// Where one child panics, the poll of them all does.
    fn lets_panics_through(&self) -> bool {
        true
    }

    fn stays_at_home(&self) -> bool {
        true
    }
}

/// Polls it whenever it is woken, each time as another task: what it leaves with its children must lead to the latest one.
fn finish<F: Future + ?Sized>(combined: &mut Pin<Box<F>>) {
    loop {
        let task = WakeCounter::new();
        if task.poll(combined).is_ready() {
            return;
        }
        task.wait(0);
    }
}

impl Subject {
    /// A combinator under a name: what makes one future of several, which is ready when all of them are. It is asked what an executor is
    /// asked, but for what it cannot do, which is to spawn.
    ///
    /// ```
    /// use futures::future::join_all;
    /// use runtime_contract::{Side, Subject, clauses};
    ///
    /// let subject = Subject::combinator("join_all", join_all);
    /// let Side::Runtime(joins) = subject.side else { unreachable!() };
    /// assert_eq!(clauses::wake::woken_asleep(joins), Ok(()));
    /// ```
    pub fn combinator<F: Future + 'static>(
        name: &'static str,
        combine: impl Fn(Vec<BoxFuture>) -> F + Send + Sync + 'static,
    ) -> Subject {
        Subject::runtime(name, Box::leak(Box::new(Combinator(combine))))
    }
}
