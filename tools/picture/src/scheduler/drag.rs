//! *Drag the timer*: the orders of two threads' steps as places on an axis, along which the reader moves the second thread. Where each
//! step is, and what is said, is computed here; `book/src/pictures/drag.js` draws it.

use serde_json::{Value, json};

use super::{
    act::Act,
    game::{Drag, Game},
    mark,
    orders::{Move, Orders},
};
use crate::{
    figure::script,
    listing::{self, Listing},
    text::{capital, html, number_of},
};

/// From where to where the handle may be.
const AXIS: (u8, u8) = (2, 58);
/// How long a thread takes to notice what the other one has done.
const NOTICES: f32 = 5.0;

/// Where a step is: a place on the axis that is fixed, and how far it moves with the handle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct At {
    fixed: f32,
    with_handle: f32,
}

impl At {
    fn after(self, pause: f32) -> At {
        let fixed = self.fixed + pause;
        At { fixed, ..self }
    }

    fn if_handle_at(self, handle: f32) -> f32 {
        self.fixed + self.with_handle * handle
    }
}

/// Steps, and where each is.
type Order<'a> = Vec<(Move<'a>, At)>;

impl Drag {
    /// The order if the second thread begins at this place.
    fn order<'a>(&self, all: &Orders<'a>, handle: f32) -> Order<'a> {
        let at = |fixed, with_handle| At { fixed, with_handle };
        let (mut here, mut now, mut order) = (0, at(0.0, 0.0), Vec::new());
        // The last step of each thread: of the second, that is where the handle is.
        let mut last = [at(self.poll, 0.0), at(0.0, 1.0)];
        while !all.is_over(here) {
            let next = all.moves[here].iter().flatten().map(|step| {
                let pause = self.after.get_ref().get(&step.step.act).unwrap_or(&0.0);
                let wanted = last[step.thread].after(*pause);
                let is_late = wanted.if_handle_at(handle) < now.if_handle_at(handle);
                (*step, if is_late { now.after(NOTICES) } else { wanted })
            });
            let place = |(_, at): &(Move<'_>, At)| at.if_handle_at(handle);
            let next = next.min_by(|one, other| place(one).total_cmp(&place(other)));
            let (step, place) = next.expect("it is not over");
            (here, now, last[step.thread]) = (step.to, place, place);
            order.push((step, place));
        }
        order
    }

    /// All orders from left to right, each up to where.
    fn orders<'a>(&self, all: &Orders<'a>) -> Vec<(u8, Order<'a>)> {
        let mut orders: Vec<(u8, Order<'a>)> = Vec::new();
        for place in AXIS.0..AXIS.1 {
            let order = self.order(all, f32::from(place) + 0.5);
            match orders.last_mut() {
                Some((to, last)) if *last == order => *to = place + 1,
                _ => orders.push((place + 1, order)),
            }
        }
        orders
    }

    pub(super) fn html(&self, game: &Game) -> String {
        let figures = [0, 1].map(|number| {
            let name = self.figures[number].get_ref();
            let listing = Listing::read(&self.listing[number]);
            let (all, mut known) = (game.orders(&game.figures[name]), Vec::new());
            let orders = self.orders(&all);
            let orders = orders.iter().map(|(to, order)| {
                let texts: Vec<&str> = order.iter().map(|(next, _)| &*next.step.does).collect();
                self.data(
                    game,
                    &all,
                    &listing,
                    order,
                    (*to, number_of(&mut known, texts)),
                )
            });
            orders.collect::<Vec<_>>()
        });
        let data = json!({ "axis": AXIS, "figures": figures, "says": self.says, "cure": html(&self.cure), "lanes": self.lanes, "yours": self.yours });
        format!(
            "<figure class=\"picture drag\" id=\"drag\"><div class=\"still\">\n{{{{#include signal-race.svg}}}}\n</div>{}\n\
             <script type=\"application/json\">{}</script>\n<div class=\"listing\">\n{}</div>\n\
             {}</figure>\n",
            game.in_words(&game.figures[self.figures[0].get_ref()]),
            data.to_string().replace("</", "<\\/"),
            self.listing
                .each_ref()
                .map(|parts| listing::to_markdown(parts))
                .concat(),
            script("drag")
        )
    }

    /// Up to where an order goes and its number, how it ends and why, and its steps: which thread, the label, where, the line, and what is
    /// touched.
    fn data(
        &self,
        game: &Game,
        all: &Orders<'_>,
        listing: &Listing,
        order: &Order<'_>,
        id: (u8, usize),
    ) -> Value {
        let said = |act| {
            let found = order.iter().rfind(|(next, _)| next.step.act == act);
            found.map_or(String::new(), |(next, _)| capital(&game.said(next)))
        };
        let (ends, why) = match order.iter().position(|(next, _)| all.is_lost(next.to)) {
            Some(step) => (
                "lost",
                html(&self.lost).replace('#', &(step + 1).to_string()),
            ),
            None if said(Act::Wake).is_empty() => ("ready", said(Act::Check) + ". "),
            None => ("woken", said(Act::Look) + " and calls it. "),
        };
        let step = |(next, at): &(Move<'_>, At)| {
            let act = next.step.act;
            let line = mark(listing, next.step.at.as_ref());
            let place = [at.fixed, at.with_handle];
            json!([
                next.thread,
                act.label(),
                place,
                line,
                self.touches.get_ref()[&act]
            ])
        };
        json!([id, ends, why, order.iter().map(step).collect::<Vec<_>>()])
    }
}

#[cfg(test)]
#[test]
fn the_axis_has_every_order_and_one_of_them_loses_the_wake() {
    let games = super::game::games().unwrap();
    let (game, drag) = (&games["03"], games["03"].drag.as_ref().unwrap());
    for (name, count, fatal) in [("two-locks", 5, 1), ("one-lock", 2, 0)] {
        let all = game.orders(&game.figures[name]);
        let (mut ways, mut lost) = (Vec::new(), 0);
        all.each(0, &mut Vec::new(), &mut |way, is_done| {
            ways.push(way.to_vec());
            lost += usize::from(!is_done);
        });
        assert_eq!((ways.len(), lost), (count, fatal), "{name}");
        let orders = drag.orders(&all).into_iter();
        let reached: Vec<Vec<Move<'_>>> = orders
            .map(|(_, order)| order.into_iter().map(|(next, _)| next).collect())
            .collect();
        assert!(ways.iter().all(|way| reached.contains(way)), "{name}");
        assert!(reached.iter().all(|way| ways.contains(way)), "{name}");
    }
}
