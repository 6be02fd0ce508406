//! A leaf future whose closures go to a thread of their own, and which says so.

use std::time::Duration;

use super::Local;
use crate::{
    Acquire, Answer, BoxFuture, Ends, Give, Leaf, ReadWrite, Senders, Side, Subject, Trigger,
    home::Home,
};

impl Local {
    /// A subject whose closures run on this thread. Some clauses ask less of what is bound to a thread.
    pub(super) fn bound(&self, subject: Subject) -> Subject {
        let Side::Leaf(leaf) = subject.side else {
            return subject;
        };
        let home = self.clone();
        Subject::leaf(subject.name, Box::leak(Box::new(Bound { leaf, home })))
    }
}

struct Bound {
    leaf: &'static dyn Leaf,
    home: Local,
}

impl Leaf for Bound {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        self.leaf.timer(after)
    }

    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        self.leaf.pending()
    }

    fn close(&self, count: usize) -> Answer<(Vec<BoxFuture>, Trigger)> {
        self.leaf.close(count)
    }

    fn channel(&self) -> Answer<Ends> {
        self.leaf.channel()
    }

    fn waiters(&self, count: usize) -> Answer<(Vec<BoxFuture>, Give)> {
        self.leaf.waiters(count)
    }

    fn listeners(&self, count: usize) -> Answer<(Vec<BoxFuture>, Trigger)> {
        self.leaf.listeners(count)
    }

    fn permits(&self, permits: usize) -> Answer<Acquire> {
        self.leaf.permits(permits)
    }

    fn read_write(&self) -> Answer<ReadWrite> {
        self.leaf.read_write()
    }

    fn senders(&self, room: usize) -> Answer<Senders> {
        self.leaf.senders(room)
    }

    fn home(&self) -> Option<&Home> {
        Some(self.home.home())
    }
}
