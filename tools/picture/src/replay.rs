//! Goes through a recording event by event, and notes in a chart what each event adds to the picture.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use probe::{Event, Recording, What};

use crate::{
    chart::{Arrow, Bar, BarKind, Chart, Column, Row, RowText, Sign, Way},
    run::{Kind, Lane, Run},
    sentence::{name, sentence},
};

/// The chart of a recording.
pub(crate) fn chart(run: &Run) -> Chart {
    let recording = &run.recording;
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

/// Half of the tasks in the queue of a worker, which another one takes.
struct Steal {
    from: Column,
    to: Column,
    /// The places of the tasks. The first one is polled at once.
    slots: Vec<usize>,
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
        if event.what == What::Drop && event.task.is_some_and(|it| self.lane_of(it).is_none()) {
            return; // its end is in the lane of its worker
        }
        let by = self.by(event, thread);
        let steal = self.steal(event, thread);
        let by_name = self.run.lanes[by].name();
        let mut text = sentence(self.recording, self.run.wording, event, &by_name);
        if event.what == What::Pending && event.task.is_some_and(|it| self.woken.contains(&it)) {
            text += ", queued";
        }
        let queued = |task| self.place_in_own_queue(task, thread).is_some();
        if event.what == What::Spawn && event.task.is_some_and(queued) {
            text += ", queued";
        }
        if let Some(steal) = &steal {
            text = format!(
                "{by_name} *steals* {}, {}",
                steal.slots.len(),
                text.trim_start_matches(&by_name).trim_start()
            );
        }
        let row = self.row(text, Some(milliseconds(event.at)));
        self.latest.insert(thread, row);
        match event.task {
            None => self.stop(BarKind::Awake, thread, 0, row),
            Some(task) => {
                if let Some(steal) = steal {
                    self.show_steal(&steal, row);
                }
                self.show_task(event, task, thread, by, row);
            }
        }
    }

    /// Who does it: the future that polls or passes a wake on, or else the thread.
    fn by(&self, event: &Event, thread: Column) -> Column {
        let polling = self.polled.get(&event.thread).and_then(|it| it.last());
        match event.what {
            What::Poll { .. } => polling.map_or(thread, |task| self.task(*task, thread)),
            What::Wake { during, .. } => during.map_or(thread, |task| self.task(task, thread)),
            _ => thread,
        }
    }

    fn show_task(&mut self, event: &Event, task: u32, thread: Column, by: Column, row: Row) {
        let column = self.task(task, thread);
        let answer = self.poller.get(&task).copied();
        match event.what {
            What::Spawn => {
                if self.lane_of(task).is_none() {
                    if let Some((queue, slot)) = self.place_in_own_queue(task, thread) {
                        self.start(BarKind::Queued, queue, slot, Some(row));
                    }
                    return;
                }
                if self.run.lanes[column].kind == Kind::Task {
                    self.start(BarKind::Exists, column, 0, Some(row));
                    self.sign(Sign::Made, column, row);
                } else {
                    self.sign(Sign::Sent, column, row);
                }
                self.enqueue(task, row);
            }
            What::Poll { .. } | What::PollAfterReady => {
                if let Some((queue, slot)) = self.place_in_own_queue(task, thread) {
                    self.stop(BarKind::Queued, queue, slot, row);
                    self.arrow(Way::Poll, queue, column, row);
                } else if by != column {
                    self.arrow(Way::Poll, by, column, row);
                }
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
                if self.lane_of(task).is_some() {
                    self.arrow(Way::Answer, column, answer.unwrap_or(by), row);
                }
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
            .find(|it| self.lane_of(it.id) == Some(poller));
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
        let name = name(&self.recording.threads, id);
        self.column(|lane| lane.kind == Kind::Thread && lane.name == name)
    }

    /// The lane of a future, or that of the thread that has to do with it.
    fn task(&self, id: u32, thread: Column) -> Column {
        let own = |lane: &Lane| lane.kind == Kind::OwnQueue;
        match self.lane_of(id) {
            Some(column) => column,
            None if self.run.lanes.iter().any(own) => thread,
            None => panic!("{}: a future has no lane", self.run.name),
        }
    }

    fn lane_of(&self, id: u32) -> Option<Column> {
        let name = name(&self.recording.tasks, id);
        let is_its =
            |lane: &Lane| matches!(lane.kind, Kind::Task | Kind::Thread) && lane.name == name;
        self.run.lanes.iter().position(is_its)
    }

    /// The place of this task in the queue of this worker.
    fn place_in_own_queue(&self, task: u32, worker: Column) -> Option<(Column, usize)> {
        let worker = &self.run.lanes[worker];
        let name = name(&self.recording.tasks, task);
        let is_its = |lane: &Lane| lane.kind == Kind::OwnQueue && lane.name == worker.name;
        let column = self.run.lanes.iter().position(is_its)?;
        let mut tasks = self.run.lanes[column].tasks.iter();
        Some((column, tasks.position(|it| it == name)?))
    }

    /// What is taken from another worker if this event is the poll of a task in that worker's queue.
    fn steal(&self, event: &Event, thread: Column) -> Option<Steal> {
        let task = event
            .task
            .filter(|_| matches!(event.what, What::Poll { .. }))?;
        let (to, slot) = self.place_in_own_queue(task, thread)?;
        let queued = |bar: &&Bar| bar.kind == BarKind::Queued && bar.to.is_none();
        let bars = self.chart.bars.iter().filter(queued);
        let from = bars.clone().find(|bar| bar.slot == slot)?.column;
        // The bars are in the order in which the tasks came.
        let there: Vec<usize> = bars
            .filter(|bar| bar.column == from)
            .map(|bar| bar.slot)
            .collect();
        assert_eq!(
            there.first(),
            Some(&slot),
            "{}: a queue gives its first task",
            self.run.name
        );
        let half = there.len().div_ceil(2);
        let slots = there[..half].to_vec();
        (from != to).then_some(Steal { from, to, slots })
    }

    fn show_steal(&mut self, steal: &Steal, row: Row) {
        self.arrow(Way::Steal, steal.from, steal.to, row);
        for (place, slot) in steal.slots.iter().enumerate() {
            self.stop(BarKind::Queued, steal.from, *slot, row);
            if place > 0 {
                self.start(BarKind::Queued, steal.to, *slot, Some(row));
            }
        }
    }

    fn wakers(&self) -> Option<Column> {
        self.run.lanes.iter().position(|it| it.kind == Kind::Wakers)
    }

    fn queue(&self) -> Option<Column> {
        let is_queue = |lane: &Lane| lane.kind.is_queue() && lane.kind != Kind::OwnQueue;
        self.run.lanes.iter().position(is_queue)
    }

    /// The queue, and the place of this task in it. `None`: there is no queue, or this future is no task.
    fn place_in_queue(&self, task: u32) -> Option<(Column, usize)> {
        let queue = self.queue()?;
        let lane = &self.run.lanes[queue];
        let slot = match lane.kind {
            Kind::SharedQueue => {
                let name = name(&self.recording.tasks, task);
                lane.tasks.iter().position(|it| it == name)?
            }
            _ => slot(task),
        };
        Some((queue, slot))
    }

    fn is_shared(&self) -> bool {
        let mut lanes = self.run.lanes.iter();
        lanes.any(|lane| lane.kind == Kind::SharedQueue)
    }

    fn is_polled(&self, task: u32) -> bool {
        self.polled.values().any(|polled| polled.contains(&task))
    }

    fn queues_again(&self) -> bool {
        let mut lanes = self.run.lanes.iter();
        lanes.any(|lane| lane.kind == Kind::QueueAgain)
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

#[cfg(test)]
mod tests {
    use probe::Named;

    use super::*;
    use crate::run::Wording;

    const TASKS: [&str; 3] = ["a", "b", "c"];

    fn run(recording: Recording) -> Run {
        let lane = |kind, name: &str, tasks: &[&str]| Lane {
            kind,
            name: name.to_owned(),
            header: String::new(),
            tasks: tasks.iter().map(|it| (*it).to_owned()).collect(),
        };
        Run {
            name: "run".to_owned(),
            title: String::new(),
            caption: String::new(),
            wording: Wording::Polls,
            lanes: vec![
                lane(Kind::Thread, "one", &[]),
                lane(Kind::OwnQueue, "one", &TASKS),
                lane(Kind::OwnQueue, "two", &TASKS),
                lane(Kind::Thread, "two", &[]),
            ],
            recording,
        }
    }

    /// Thread 1 spawns the three tasks, and then come these polls: which thread polls which task.
    fn chart_of(polls: &[(u32, u32)]) -> Chart {
        let named = |names: &[&str]| -> Vec<Named> {
            let names = (1..).zip(names.iter().map(|name| (*name).to_owned()));
            names.map(|(id, name)| Named { id, name }).collect()
        };
        let event = |thread, task, what| Event {
            at: 0,
            thread,
            task: Some(task),
            what,
        };
        let mut recording = Recording {
            tasks: named(&TASKS),
            threads: named(&["one", "two"]),
            ..Recording::default()
        };
        let events = &mut recording.events;
        events.extend((1..=3).map(|task| event(1, task, What::Spawn)));
        for (thread, task) in polls {
            events.push(event(*thread, *task, What::Poll { waker: 1 }));
            events.push(event(*thread, *task, What::Ready));
            events.push(event(*thread, *task, What::Drop));
        }
        chart(&run(recording))
    }

    /// Which task is in which queue, and in which rows.
    fn queued(chart: &Chart) -> Vec<(Column, usize, Option<Row>, Option<Row>)> {
        let bars = chart.bars.iter().filter(|bar| bar.kind == BarKind::Queued);
        bars.map(|bar| (bar.column, bar.slot, bar.from, bar.to))
            .collect()
    }

    #[test]
    fn a_thief_takes_half_and_has_all_but_the_first_in_its_own_queue() {
        let chart = chart_of(&[(2, 1), (1, 3), (2, 2)]);
        let texts: Vec<_> = chart.rows.iter().map(|row| row.text.as_str()).collect();
        let polls = [texts[0], texts[3], texts[5], texts[7]];
        let wanted = [
            "`a` is made, queued",
            "two *steals* 2, polls `a`",
            "one polls `c`",
            "two polls `b`",
        ];
        assert_eq!(polls, wanted);
        let wanted = [
            (1, 0, Some(0), Some(3)),
            (1, 1, Some(1), Some(3)),
            (1, 2, Some(2), Some(5)),
            (2, 1, Some(3), Some(7)),
        ];
        assert_eq!(queued(&chart), wanted);
        let steals = chart.arrows.iter().filter(|it| it.way == Way::Steal);
        let steals: Vec<_> = steals.map(|it| (it.from, it.to, it.row)).collect();
        assert_eq!(steals, [(1, 2, 3)]);
    }

    #[test]
    fn a_worker_that_polls_from_its_own_queue_steals_nothing() {
        let chart = chart_of(&[(1, 1), (1, 2)]);
        assert!(chart.arrows.iter().all(|it| it.way == Way::Poll));
        assert_eq!(queued(&chart).len(), 3);
    }

    #[test]
    #[should_panic(expected = "a queue gives its first task")]
    fn a_task_is_not_taken_from_the_middle_of_a_queue() {
        chart_of(&[(2, 2)]);
    }
}
