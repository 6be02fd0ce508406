//! What stays the same from one frame to the next, and for how long.

use probe::What;

use crate::{
    beside::Kind,
    player::{Player, part::Part},
    run::{Name, frame::Frame, queue::Queue, state::State},
};

/// The strips of one run.
pub(super) struct Strips<'a> {
    pub(super) player: &'a Player,
    pub(super) part: &'a Part,
}

pub(super) struct Strip<'a, T> {
    pub(super) what: T,
    pub(super) begin: &'a Frame,
    pub(super) end: Option<&'a Frame>,
    /// From where to where it is drawn.
    pub(super) span: (f32, f32),
}

impl<'a> Strips<'a> {
    /// What stays the same in a state is one strip. While it is `None`, there is none.
    pub(super) fn of<T: Copy + Eq>(
        &self,
        what: impl Fn(&'a State) -> Option<T>,
    ) -> Vec<Strip<'a, T>> {
        let frames = self.part.frames.iter();
        self.same(&frames.map(|frame| what(&frame.state)).collect::<Vec<_>>())
    }

    /// The strips of what is seen in each frame.
    fn same<T: Copy + Eq>(&self, seen: &[Option<T>]) -> Vec<Strip<'a, T>> {
        let frames = &self.part.frames;
        let (mut strips, mut first) = (Vec::new(), 0);
        for same in seen.chunk_by(PartialEq::eq) {
            let begin = &frames[first];
            first += same.len();
            let end = frames.get(first);
            let span = (begin.x, end.map_or(100.0, |frame| frame.x));
            strips.extend(same[0].map(|what| Strip {
                what,
                begin,
                end,
                span,
            }));
        }
        strips
    }

    /// When this thread holds the lock of the run.
    pub(super) fn held(&self, thread: &str) -> Vec<Strip<'a, ()>> {
        let (mut strips, mut taken) = (Vec::new(), None);
        let events = self.part.run.events.iter().enumerate();
        for (number, event) in events.filter(|(_, event)| event.thread == thread) {
            match event.what {
                What::Lock { .. } => taken = Some(self.at(number)),
                What::Unlock { .. } => {
                    let (to, end) = self.at(number);
                    strips.extend(taken.take().map(|(from, begin)| Strip {
                        what: (),
                        begin,
                        end: Some(end),
                        span: (from, to),
                    }));
                }
                _ => {}
            }
        }
        strips
    }

    /// If the lanes show who holds the lock, what a step puts into a place or takes out of it changes when that step releases the lock.
    pub(super) fn changes_under_lock<T>(&self, strip: &mut Strip<'a, T>) {
        let lanes = &self.part.run.beside.lanes;
        if !lanes
            .iter()
            .any(|lane| lane.is == Kind::Lock && !lane.name().is_empty())
        {
            return;
        }
        strip.span.0 = self.released(strip.begin).unwrap_or(strip.span.0);
        let end = strip.end.and_then(|end| self.released(end));
        strip.span.1 = end.unwrap_or(strip.span.1);
    }

    /// Where a step releases the lock, if its thread has done so since the step before.
    fn released(&self, frame: &Frame) -> Option<f32> {
        let frames = &self.part.frames;
        let before = frames.iter().rfind(|other| other.number < frame.number)?;
        let mut numbers = before.number + 1..=frame.number;
        let number = numbers.rfind(|number| {
            let event = &self.part.run.events[*number];
            event.thread == frame.event.thread && matches!(event.what, What::Unlock { .. })
        })?;
        Some(self.at(number).0)
    }

    /// Where an event is drawn, also one that is no step, and the frame that shows it: its own, or the next one.
    fn at(&self, number: usize) -> (f32, &'a Frame) {
        let frames = &self.part.frames;
        let next = frames.partition_point(|frame| frame.number < number);
        let before = next.checked_sub(1).map(|before| &frames[before]);
        let (Some(before), Some(next)) = (before, frames.get(next)) else {
            let edge = &frames[next.min(frames.len() - 1)];
            return (edge.x, edge);
        };
        let part = (number - before.number) as f32 / (next.number - before.number) as f32;
        (before.x + part * (next.x - before.x), next)
    }

    /// The strips of each place in a list, for as many places as are ever used.
    pub(super) fn slots<T: Copy + Eq>(
        &self,
        what: impl Fn(&'a State, usize) -> Option<T>,
    ) -> Vec<Vec<Strip<'a, T>>> {
        let slots = (0..).map(|slot| self.of(|state| what(state, slot)));
        slots.take_while(|strips| !strips.is_empty()).collect()
    }

    /// The rows of a lane of things, each with its number among those that are like it.
    pub(super) fn rows<T: Copy + Eq>(
        &self,
        things: impl Fn(&'a State) -> Vec<T>,
    ) -> Vec<Vec<Strip<'a, (T, usize)>>> {
        let frames = self.part.frames.iter();
        let seen = in_rows(&frames.map(|frame| things(&frame.state)).collect::<Vec<_>>());
        let count = seen.last().map_or(0, Vec::len);
        let row = |row| {
            let in_row = seen.iter().map(|rows| rows.get(row).copied().flatten());
            self.same(&in_row.collect::<Vec<_>>())
        };
        (0..count).map(row).collect()
    }

    /// The rows of a queue.
    pub(super) fn queued(&self, queue: &Queue) -> Vec<Vec<Strip<'a, (Name, usize)>>> {
        self.rows(|state| state.queues.get(queue).cloned().unwrap_or_default())
    }

    /// The row of a task that is in this queue now.
    pub(super) fn row_of(&self, task: Name, queue: &Queue, now: &Frame) -> usize {
        let is_it = |strip: &Strip<'_, (Name, usize)>| {
            strip.what.0 == task && (strip.span.0..strip.span.1).contains(&now.x)
        };
        let rows = self.queued(queue);
        rows.iter()
            .position(|row| row.iter().any(is_it))
            .unwrap_or(0)
    }

    pub(super) fn is_future(&self, name: &str) -> bool {
        self.player.number(name).is_some()
    }

    /// The class of a bar with this name on it, and the name.
    pub(super) fn named(&self, name: &str) -> (String, String) {
        (self.class(name), name.to_owned())
    }

    pub(super) fn class(&self, name: &str) -> String {
        let class = self.player.class(name);
        class.map_or("bit".to_owned(), |class| format!("in {class}"))
    }
}

type Rows<T> = Vec<Option<(T, usize)>>;

/// A thing has the row of one that leaves as it comes, or else the first that is free, and keeps it until it leaves. Of several that are alike, the earliest leaves
/// first.
fn in_rows<T: Copy + Eq>(lists: &[Vec<T>]) -> Vec<Rows<T>> {
    let (mut rows, mut came) = (Rows::new(), Vec::new());
    let mut seen = Vec::new();
    for there in lists {
        let wanted = |thing: T| there.iter().filter(|other| **other == thing).count();
        let shown = |rows: &Rows<T>, thing: T| {
            let all = rows.iter().flatten();
            all.filter(|(other, _)| *other == thing).count()
        };
        let mut earliest_first: Vec<_> = rows.iter().flatten().copied().collect();
        earliest_first.sort_by_key(|(_, number)| *number);
        let mut left = None;
        for (thing, number) in earliest_first {
            if shown(&rows, thing) > wanted(thing) {
                let its_row = rows.iter().position(|row| *row == Some((thing, number)));
                rows[its_row.expect("it has a row")] = None;
                left = its_row;
            }
        }
        for thing in there {
            if shown(&rows, *thing) == wanted(*thing) {
                continue;
            }
            came.push(*thing);
            let earlier = came.iter().filter(|other| *other == thing);
            let entry = (*thing, earlier.count());
            match left
                .take()
                .or_else(|| rows.iter().position(Option::is_none))
            {
                Some(free) => rows[free] = Some(entry),
                None => rows.push(Some(entry)),
            }
        }
        seen.push(rows.clone());
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_keeps_its_row_until_it_leaves() {
        let lists = ["", "a", "ab", "b", "bc", "c"].map(|list| list.chars().collect());
        let rows = in_rows(&lists);
        let (a, b, c) = (Some(('a', 1)), Some(('b', 1)), Some(('c', 1)));
        let expected: [Rows<char>; 6] = [
            vec![],
            vec![a],
            vec![a, b],
            vec![None, b],
            vec![c, b],
            vec![c, None],
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_thing_takes_the_row_of_the_one_that_it_replaces() {
        let lists = ["ab", "b", "c"].map(|list| list.chars().collect());
        let last = in_rows(&lists).pop();
        assert_eq!(last, Some(vec![None, Some(('c', 1))]));
    }

    #[test]
    fn of_things_that_are_alike_the_earliest_leaves_first() {
        let lists = ["a", "aa", "a", "aa"].map(|list| list.chars().collect());
        let last = in_rows(&lists).pop();
        assert_eq!(last, Some(vec![Some(('a', 3)), Some(('a', 2))]));
    }
}
