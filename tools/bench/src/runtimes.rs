//! What is measured: the stages of this course, and what other people wrote. Each file is one runtime.

mod async_net;
mod futures;
mod hyper_io;
mod lossy;
mod smol;
mod step04;
mod step06;
mod step07;
mod step08;
mod step09;
mod step10;
mod tokio;

use crate::workloads::{Measure, sleeps, sockets, start_stop, tasks};

/// A runtime, and how each workload is measured on it. What it cannot do is not there.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) measures: Vec<(&'static str, Measure)>,
}

impl Subject {
    fn new(name: &'static str, measures: impl IntoIterator<Item = Vec<Entry>>) -> Subject {
        let measures = measures.into_iter().flatten().collect();
        Subject { name, measures }
    }

    /// How this workload is measured, if the runtime can do it.
    pub(crate) fn measure(&self, workload: &str) -> Option<Measure> {
        let found = self.measures.iter().find(|it| it.0 == workload);
        found.map(|it| it.1)
    }
}

type Entry = (&'static str, Measure);

/// What the ratios refer to.
pub(crate) const TOKIO: [&str; 2] = ["tokio-multi", "tokio-current"];

/// All of them, in the order of the columns.
pub(crate) fn all() -> Vec<Subject> {
    vec![
        every::<tokio::Tokio<2>>(TOKIO[0]),
        every::<tokio::Tokio<0>>(TOKIO[1]),
        // Its threads and its reactor never end.
        Subject::new(
            "smol",
            [
                tasks::<smol::Smol>(),
                sleeps::<smol::Smol>(),
                sockets::<smol::Smol>(),
            ],
        ),
        every::<futures::Local>("futures-local"),
        every::<futures::Pool>("futures-pool"),
        Subject::new(
            "step04",
            [tasks::<step04::Step04>(), start_stop::<step04::Step04>()],
        ),
        Subject::new("step06", [sleeps::<step06::Step06>()]),
        Subject::new(
            "step07",
            [
                tasks::<step07::Step07>(),
                start_stop::<step07::Step07>(),
                sleeps::<step07::Step07>(),
            ],
        ),
        Subject::new(
            "step08",
            [tasks::<step08::Step08>(), start_stop::<step08::Step08>()],
        ),
        every::<step09::Step09>("step09"),
        every::<step10::Step10<step10::Shared>>("step10-shared"),
        every::<step10::Step10<step10::Local>>("step10-local"),
        every::<step10::Step10<step10::Stealing>>("step10-stealing"),
        every::<step10::Step10<step10::Lifo>>("step10-lifo"),
        every::<step10::Step10<step10::Whole>>("step10"),
    ]
}

/// A runtime that loses tasks, so that a test can see it found out. No list names it.
pub(crate) fn lossy() -> Subject {
    Subject::new(lossy::NAME, [tasks::<lossy::Lossy>()])
}

fn every<R: crate::runtime::Sleep + crate::runtime::Net>(name: &'static str) -> Subject {
    let measures = [
        tasks::<R>(),
        start_stop::<R>(),
        sleeps::<R>(),
        sockets::<R>(),
    ];
    Subject::new(name, measures)
}
