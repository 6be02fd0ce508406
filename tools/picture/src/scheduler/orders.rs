//! Every order of the steps in a game.

use std::iter;

use super::{
    game::{Figure, Game, Step, Wait},
    words::{Situation, When},
};
use crate::text::number_of;

/// A step that a thread can make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move<'a> {
    pub(super) thread: usize,
    pub(super) step: &'a Step,
    /// The number of the situation that it leads to.
    pub(super) to: usize,
}

/// All situations that a figure may come to, from its start on, and for each the next step of each thread, or why that can't go on.
pub(super) struct Orders<'a> {
    pub(super) situations: Vec<Situation>,
    pub(super) moves: Vec<Vec<Result<Move<'a>, &'a Wait>>>,
    /// Whether all is well if no thread can go on there.
    pub(super) done: Vec<bool>,
}

/// What is wrong, and where in the file.
pub(super) type Fault = (usize, String);

impl<'a> Orders<'a> {
    /// Goes all ways from the start.
    pub(super) fn of(game: &'a Game, figure: &Figure) -> Result<Orders<'a>, Fault> {
        let mut situations = vec![Situation::new([&game.start, &figure.start])];
        let mut moves: Vec<Vec<Result<Move<'a>, &'a Wait>>> = Vec::new();
        // The step that led to each.
        let mut led_by: Vec<Option<&Step>> = vec![None];
        while let Some(here) = situations.get(moves.len()).cloned() {
            let mut next = Vec::new();
            for (thread, name) in game.threads.iter().enumerate() {
                if let Some(wait) = game.wait(&here, thread) {
                    next.push(Err(wait));
                    continue;
                }
                let Some(step) = game.step(&here, thread) else {
                    let begin = led_by[moves.len()].map_or(game.start.begin, |led| led.then.begin);
                    let what =
                        format!("after that, no step is for {name}: correct it, or a `when`");
                    return Err((begin, what));
                };
                let after = here.after(&step.then, thread).map_err(|fact| {
                    let what =
                        format!("`start` has no word for {fact:?}: correct it, or add it there");
                    (step.then.begin, what)
                })?;
                let to = number_of(&mut situations, after);
                if to == led_by.len() {
                    led_by.push(Some(step));
                }
                next.push(Ok(Move { thread, step, to }));
            }
            moves.push(next);
        }
        let done = situations
            .iter()
            .map(|here| here.holds(&game.done, 0))
            .collect();
        let orders = Orders {
            situations,
            moves,
            done,
        };
        match orders.circle() {
            Some(step) => {
                let what = "this comes back again and again: correct it".to_owned();
                Err((step.then.begin, what))
            }
            None => Ok(orders),
        }
    }

    /// The situations in which this holds.
    pub(super) fn those(&self, when: &When) -> Vec<usize> {
        let mut those: Vec<usize> = (0..self.situations.len()).collect();
        those.retain(|at| self.situations[*at].holds(when, 0));
        those
    }

    /// Whether no thread can go on, but for steps that change nothing.
    pub(super) fn is_over(&self, at: usize) -> bool {
        self.moves[at].iter().flatten().all(|next| next.to == at)
    }

    /// Calls `end` with each order of steps from a situation to an end, and whether all is well there.
    pub(super) fn each(
        &self,
        at: usize,
        order: &mut Vec<Move<'a>>,
        end: &mut impl FnMut(&[Move<'a>], bool),
    ) {
        if self.is_over(at) {
            end(order, self.done[at]);
        }
        for next in self.moves[at].iter().flatten().filter(|next| next.to != at) {
            order.push(*next);
            self.each(next.to, order, end);
            order.pop();
        }
    }

    /// Whether each order from a situation on loses the wake.
    pub(super) fn is_lost(&self, at: usize) -> bool {
        let mut lost = true;
        self.each(at, &mut Vec::new(), &mut |_, done| lost &= !done);
        lost
    }

    /// A step that can be made again and again, if there is one.
    fn circle(&self) -> Option<&'a Step> {
        let count = self.moves.len();
        // What leads only to these comes to an end.
        let mut ends = vec![false; count];
        let goes_on = |at: usize, ends: &[bool]| {
            let mut moves = self.moves[at].iter().flatten();
            moves.find(|next| next.to != at && !ends[next.to])
        };
        while let Some(at) = (0..count).find(|at| !ends[*at] && goes_on(*at, &ends).is_none()) {
            ends[at] = true;
        }
        let first = (0..count).find(|at| !ends[*at])?;
        // So many moves on, it goes round.
        let mut moves = iter::successors(goes_on(first, &ends), |next| goes_on(next.to, &ends));
        moves.nth(count).map(|next| next.step)
    }
}
