//! The tasks that one `within` or one `record` watches.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, Weak},
};

use crate::see::{
    facts::State,
    lock::own,
    place::Line,
    recorder::Recorder,
    task::{End, Task},
};

/// Those who want to know of the futures that their closures make. Shared by all tasks that the same ones watch.
pub(crate) type Watchers = Arc<Vec<Weak<Roll>>>;

/// The tasks that one `within` or one `record` watches. What is over is only counted.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    pub(crate) list: Mutex<List>,
    /// Of the whole run, if it is recorded.
    pub(crate) recorder: Option<Arc<Recorder>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    /// With their numbers, in the order in which they came. Some may be over, until they are forgotten.
    pub(crate) tasks: Vec<(usize, Arc<Task>)>,
    /// How many there have been.
    pub(crate) made: usize,
    /// How many of those that are forgotten were ready. The others were dropped before.
    pub(crate) ready: usize,
    /// The first few of these, with their numbers and names.
    pub(crate) first_ready: Vec<(usize, String)>,
    /// What was dropped before it was ready, by where it was made.
    pub(crate) given_up: BTreeMap<Line, GivenUp>,
}

/// So many that are ready are named.
pub(crate) const FEW: usize = 5;

/// Futures of one line that were polled, and dropped before they were ready.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenUp {
    pub(crate) name: String,
    pub(crate) parent: Option<Arc<Task>>,
    pub(crate) times: usize,
}

impl Roll {
    /// As it is now, without what is over.
    pub(crate) fn list(&self) -> List {
        let mut list = own(&self.list);
        list.forget();
        list.clone()
    }
}

impl List {
    /// The polls and closures that have not returned, by their tasks and numbers. No closure that may be of another `within`.
    pub(crate) fn inside_a_poll(&self) -> BTreeSet<(usize, usize)> {
        let mut inside = BTreeSet::new();
        for (number, task) in &self.tasks {
            let is_mine = !task.is_closure || task.rolls() == 1;
            let facts = task.facts();
            if is_mine && matches!(facts.state, State::Polling(_)) {
                inside.insert((*number, facts.polls));
            }
        }
        inside
    }

    /// Only here is looked for what is over: the end of a task takes no lock of the list.
    pub(crate) fn add(&mut self, task: Arc<Task>) {
        if self.tasks.len() == self.tasks.capacity() {
            self.forget();
            // As many again may come until it is worth to look for more.
            let room = self.tasks.len() + 100;
            self.tasks.shrink_to(self.tasks.len() + room);
            self.tasks.reserve_exact(room);
        }
        self.made += 1;
        self.tasks.push((self.made, task));
    }

    fn forget(&mut self) {
        self.tasks.retain(|(number, task)| {
            let end = task.end();
            if end == Some(End::Ready) {
                self.ready += 1;
                if self.first_ready.len() < FEW {
                    self.first_ready.push((*number, task.name()));
                }
            }
            end.is_none()
        });
    }
}
