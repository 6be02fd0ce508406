//! Goes through a recording event by event, and notes in a chart what each event adds to the picture.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use probe::{Event, Recording, What};

use crate::{
    chart::{Arrow, Bar, BarKind, Chart, Column, Row, RowText, Sign, Way},
    run::{Lane, Run},
    sentence::{name, sentence},
};

/// The chart of a recording.
pub(crate) fn chart(run: &Run, recording: &Recording) -> Chart {
    let mut replay = Replay {
        run,
        recording,
        chart: Chart::default(),
        polled: BTreeMap::new(),
        poller: BTreeMap::new(),
        woken: BTreeSet::new(),
        latest: BTreeMap::new(),
    };
    replay.begin();
    for event in &recording.events {
        replay.show(event);
    }
    if recording.left_out > 0 {
        replay.row("and so on, without a pause".to_owned(), None);
    }
    replay.end();
    replay.chart
}

struct Replay<'a> {
    run: &'a Run,
    recording: &'a Recording,
    chart: Chart,
    /// The futures that each thread polls at this moment, the innermost last.
    polled: BTreeMap<u32, Vec<u32>>,
    /// Who polled a future.
    poller: BTreeMap<u32, Column>,
    /// The tasks of a shared queue that were woken during the poll that they are in.
    woken: BTreeSet<u32>,
    /// The latest row in which a thread did something.
    latest: BTreeMap<Column, Row>,
}

impl Replay<'_> {
    fn begin(&mut self) {
        // The recording begins on the first thread.
        if let Some(first) = self.recording.threads.first() {
            let column = self.thread(first.id);
            self.start(BarKind::Awake, column, 0, None);
        }
    }

    /// What the other threads do after their last event is not known.
    fn end(&mut self) {
        // A thread that goes on after the last event has no row to go on from.
        let rows = self.chart.rows.len();
        let is_shown = |bar: &Bar| bar.from.is_none_or(|row| row < rows);
        self.chart.bars.retain(is_shown);
        let first = self.recording.threads.first();
        let first = first.map(|thread| self.thread(thread.id));
        let last = self
            .chart
            .bars
            .iter_mut()
            .filter(|bar| bar.kind == BarKind::Awake && bar.to.is_none());
        for bar in last {
            let latest = self.latest.get(&bar.column);
            if bar.from.is_some() && Some(bar.column) != first {
                (bar.kind, bar.to) = (BarKind::Seen, latest.copied());
            }
        }
    }

    fn row(&mut self, text: String, at: Option<f32>) -> Row {
        self.chart.rows.push(RowText { text, at });
        self.chart.rows.len() - 1
    }

    fn show(&mut self, event: &Event) {
        let thread = self.thread(event.thread);
        let next = self.chart.rows.len();
        if event.what == What::Unpark {
            self.start(BarKind::Awake, thread, 0, Some(next));
            return;
        }
        // The first that is heard of a thread.
        let is_awake = |bar: &Bar| bar.kind == BarKind::Awake && bar.column == thread;
        if !self.chart.bars.iter().any(is_awake) {
            self.start(BarKind::Awake, thread, 0, Some(next));
        }
        let by = self.by(event, thread);
        let by_name = self.run.lanes[by].name();
        let mut text = sentence(self.recording, self.run.wording, event, &by_name);
        if event.what == What::Pending && event.task.is_some_and(|it| self.woken.contains(&it)) {
            text += ", queued";
        }
        let row = self.row(text, Some(milliseconds(event.at)));
        self.latest.insert(thread, row);
        match event.task {
            None => self.stop(BarKind::Awake, thread, 0, row),
            Some(task) => self.show_task(event, task, by, row),
        }
    }

    /// Who does it: the future that polls or passes a wake on, or else the thread.
    fn by(&self, event: &Event, thread: Column) -> Column {
        let polling = self.polled.get(&event.thread).and_then(|it| it.last());
        match event.what {
            What::Poll { .. } => polling.map_or(thread, |task| self.task(*task)),
            What::Wake { during, .. } => during.map_or(thread, |task| self.task(task)),
            _ => thread,
        }
    }

    fn show_task(&mut self, event: &Event, task: u32, by: Column, row: Row) {
        let column = self.task(task);
        let answer = self.poller.get(&task).copied();
        match event.what {
            What::Spawn => {
                if matches!(self.run.lanes[column], Lane::Task(..)) {
                    self.start(BarKind::Exists, column, 0, Some(row));
                    self.sign(Sign::Made, column, row);
                } else {
                    self.sign(Sign::Sent, column, row);
                }
                self.enqueue(task, row);
            }
            What::Poll { .. } | What::PollAfterReady => {
                self.arrow(Way::Poll, by, column, row);
                self.poller.insert(task, by);
                if let Some((queue, slot)) = self.place_in_queue(task) {
                    self.stop(BarKind::Queued, queue, slot, row);
                }
                if event.what != What::PollAfterReady {
                    self.start(BarKind::Poll, column, 0, Some(row));
                    self.polled.entry(event.thread).or_default().push(task);
                }
            }
            What::Pending | What::Ready | What::Panic => {
                self.stop(BarKind::Poll, column, 0, row);
                self.polled.entry(event.thread).or_default().pop();
                self.arrow(Way::Answer, column, answer.unwrap_or(by), row);
                match event.what {
                    What::Ready => self.sign(Sign::Ready, column, row),
                    What::Panic => self.sign(Sign::Gone, column, row),
                    _ if self.queues_again() => self.enqueue(task, row),
                    _ if self.woken.remove(&task) => {
                        let (worker, queue) = (answer.unwrap_or(by), self.queue());
                        self.arrow(Way::Wake, worker, queue.unwrap_or(worker), row);
                        self.enqueue(task, row);
                    }
                    _ => {}
                }
            }
            What::Drop => {
                self.stop(BarKind::Exists, column, 0, row);
                self.sign(Sign::Gone, column, row);
            }
            What::Keep { .. } => {
                if let Some(wakers) = self.wakers() {
                    self.arrow(Way::Waker, column, wakers, row);
                    self.start(BarKind::Held, wakers, slot(task), Some(row));
                }
            }
            What::Release { .. } => self.give_back(task, row),
            What::Wake { by_value, .. } => {
                if self.is_shared() && self.is_polled(task) {
                    self.arrow(Way::Wake, by, column, row);
                    self.woken.insert(task);
                } else {
                    let executor = self.executor_of(task).unwrap_or(by);
                    let queue = self.place_in_queue(task).map(|(queue, _)| queue);
                    self.arrow(Way::Wake, by, queue.unwrap_or(executor), row);
                    self.enqueue(task, row);
                }
                if by_value {
                    self.give_back(task, row);
                }
            }
            What::Park | What::Unpark => {}
        }
    }

    /// The thread that polls a future, be it through other futures: a wake goes straight there.
    fn executor_of(&self, task: u32) -> Option<Column> {
        let poller = *self.poller.get(&task)?;
        let parent = self
            .recording
            .tasks
            .iter()
            .find(|it| self.task(it.id) == poller);
        parent.map_or(Some(poller), |parent| self.executor_of(parent.id))
    }

    fn give_back(&mut self, task: u32, row: Row) {
        if let Some(wakers) = self.wakers() {
            self.stop(BarKind::Held, wakers, slot(task), row);
        }
    }

    /// A task is in the queue once at most.
    fn enqueue(&mut self, task: u32, row: Row) {
        let Some((queue, slot)) = self.place_in_queue(task) else {
            return;
        };
        let is_there =
            |bar: &Bar| bar.kind == BarKind::Queued && bar.slot == slot && bar.to.is_none();
        if !self.chart.bars.iter().any(is_there) {
            self.start(BarKind::Queued, queue, slot, Some(row));
        }
    }

    fn start(&mut self, kind: BarKind, column: Column, slot: usize, from: Option<Row>) {
        self.chart.bars.push(Bar {
            kind,
            column,
            slot,
            from,
            to: None,
        });
    }

    fn stop(&mut self, kind: BarKind, column: Column, slot: usize, row: Row) {
        let wanted =
            |bar: &&mut Bar| (bar.kind, bar.column, bar.slot, bar.to) == (kind, column, slot, None);
        if let Some(bar) = self.chart.bars.iter_mut().find(wanted) {
            bar.to = Some(row);
        }
    }

    fn arrow(&mut self, way: Way, from: Column, to: Column, row: Row) {
        self.chart.arrows.push(Arrow { way, from, to, row });
    }

    fn sign(&mut self, sign: Sign, column: Column, row: Row) {
        self.chart.signs.push((sign, column, row));
    }

    fn thread(&self, id: u32) -> Column {
        self.column(|lane| matches!(lane, Lane::Thread(known, _) if *known == name(&self.recording.threads, id)))
    }

    fn task(&self, id: u32) -> Column {
        let name = name(&self.recording.tasks, id);
        self.column(
            |lane| matches!(lane, Lane::Task(known, _) | Lane::Thread(known, _) if *known == name),
        )
    }

    fn wakers(&self) -> Option<Column> {
        let is_wakers = |lane: &Lane| matches!(lane, Lane::Wakers(_));
        self.run.lanes.iter().position(is_wakers)
    }

    fn queue(&self) -> Option<Column> {
        let is_queue = |lane: &Lane| {
            matches!(
                lane,
                Lane::Queue(_) | Lane::QueueAgain(_) | Lane::SharedQueue(..)
            )
        };
        self.run.lanes.iter().position(is_queue)
    }

    /// The queue, and the place of this task in it. `None`: there is no queue, or this future is no task.
    fn place_in_queue(&self, task: u32) -> Option<(Column, usize)> {
        let queue = self.queue()?;
        let slot = match self.run.lanes[queue] {
            Lane::SharedQueue(tasks, _) => {
                let name = name(&self.recording.tasks, task);
                tasks.iter().position(|it| *it == name)?
            }
            _ => slot(task),
        };
        Some((queue, slot))
    }

    fn is_shared(&self) -> bool {
        let shared = |lane: &Lane| matches!(lane, Lane::SharedQueue(..));
        self.run.lanes.iter().any(shared)
    }

    fn is_polled(&self, task: u32) -> bool {
        self.polled.values().any(|polled| polled.contains(&task))
    }

    fn queues_again(&self) -> bool {
        let again = |lane: &Lane| matches!(lane, Lane::QueueAgain(_));
        self.run.lanes.iter().any(again)
    }

    fn column(&self, wanted: impl Fn(&Lane) -> bool) -> Column {
        let column = self.run.lanes.iter().position(wanted);
        column.unwrap_or_else(|| panic!("{}: an event has no lane", self.run.name))
    }
}

/// The wakers of each task beside those of the others.
fn slot(task: u32) -> usize {
    usize::try_from(task).map_or(0, |task| task - 1)
}

/// As a picture measures time.
pub(crate) fn milliseconds(nanoseconds: u64) -> f32 {
    Duration::from_nanos(nanoseconds).as_secs_f32() * 1e3
}
