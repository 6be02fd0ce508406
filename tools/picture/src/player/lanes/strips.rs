//! What stays the same from one frame to the next, and for how long.

use crate::{
    player::{Player, part::Part},
    run::{frame::Frame, state::State},
};

/// The strips of one run.
pub(super) struct Strips<'a> {
    pub(super) player: &'a Player,
    pub(super) part: &'a Part,
}

pub(super) struct Strip<'a, T> {
    pub(super) what: T,
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
        let frames = &self.part.frames;
        let seen: Vec<Option<T>> = frames.iter().map(|frame| what(&frame.state)).collect();
        let (mut strips, mut first) = (Vec::new(), 0);
        for same in seen.chunk_by(PartialEq::eq) {
            let start = frames[first].x;
            first += same.len();
            let end = frames.get(first);
            let span = (start, end.map_or(100.0, |frame| frame.x));
            strips.extend(same[0].map(|what| Strip { what, end, span }));
        }
        strips
    }

    /// The strips of each place in a list, for as many places as are ever used.
    pub(super) fn slots<T: Copy + Eq>(
        &self,
        what: impl Fn(&'a State, usize) -> Option<T>,
    ) -> Vec<Vec<Strip<'a, T>>> {
        let slots = (0..).map(|slot| self.of(|state| what(state, slot)));
        slots.take_while(|strips| !strips.is_empty()).collect()
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
