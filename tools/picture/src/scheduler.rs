//! A few threads, each of which is at some step, and every order of their steps, as `book/schedulers.toml` has them. The reader of the
//! book decides which thread goes next.
//!
//! In this folder, `words.rs` has the words of that file, `game.rs` reads it, and `orders.rs` goes all ways. From these, this file makes the data
//! for the script, `in_words.rs` the text beside it, and `drag.rs` the first screen. `executor.rs` is a game of tasks, and has rules of its own.

mod act;
mod drag;
mod executor;
mod game;
mod in_words;
mod orders;
#[cfg(test)]
mod tests;
mod words;

use kit::files;
use serde_json::json;
use toml::Spanned;

use crate::{
    figure,
    listing::{Listing, Mark},
    read,
    text::{html, number_of},
};
use game::{FILE, Figure, Fixed, Game, Step, games, games_in, place};
use orders::Move;
use words::Situation;

/// The figures, with their names, if they can be read.
pub(crate) fn figures() -> Result<Vec<(String, String)>, String> {
    let mut figures = vec![executor::figure()?];
    for (stage, game) in games()? {
        for (name, figure) in &game.figures {
            let name = format!("scheduler-{stage}-{name}");
            let words = game.glossary(figure) + &game.in_words(figure);
            let data = data(&game, figure);
            let parts = [&name, &words, &data, &figure.caption];
            let html = figure::figure("game", parts.map(String::as_str), &figure.listing);
            figures.push((name, html));
        }
        if let Some(drag) = &game.drag {
            figures.push((format!("scheduler-{stage}-drag"), drag.html(&game)));
        }
    }
    Ok(figures)
}

/// The places that `book/schedulers.toml` names and that are not in the listings.
pub(crate) fn faults() -> Result<Vec<String>, String> {
    faults_in(&read::text(FILE)?)
}

fn faults_in(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (stage, game) in games_in(text)? {
        for (name, figure) in &game.figures {
            let listing = Listing::read(&figure.listing);
            let orders = game.orders(figure);
            let mut places: Vec<_> = orders.moves.iter().flatten().filter_map(place).collect();
            places.extend(figure.ends.iter().filter_map(|end| end.at.as_ref()));
            places.extend(figure.gap.iter().flat_map(|gap| &gap.before));
            places.sort_unstable_by_key(|place| place.span().start);
            places.dedup();
            for place in places {
                if let Err(why) = listing.find(place.get_ref()) {
                    let line = files::line(text, place.span().start);
                    let place = place.get_ref();
                    found.push(format!(
                        "book/{FILE}:{line}: scheduler-{stage}-{name}: `{place}`: {why}: correct the words of its place"
                    ));
                }
            }
        }
    }
    Ok(found)
}

/// What `book/src/pictures/game.js` needs. A situation is whether it is lost or the end, the step of each thread (what it does, its
/// lines, where it leads, its label, the row that it looks at) or why it waits (why, its lines, -1, its label, and that of a lost wake), the
/// goals, or else the orders to play that have come true there, and the rows.
fn data(game: &Game, figure: &Figure) -> String {
    let (all, listing) = (game.orders(figure), Listing::read(&figure.listing));
    let rows = game.rows(&all);
    let (mut cells, mut lines, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut situations, mut longest) = (Vec::new(), 0);
    for (at, here) in all.situations.iter().enumerate() {
        let mut steps = Vec::new();
        for next in &all.moves[at] {
            let line = mark(&listing, place(next));
            let line = number_of(&mut lines, line);
            steps.push(match next {
                Ok(Move { step, to, .. }) => {
                    let does = number_of(&mut texts, html(&step.does));
                    let seen = step.sees.as_ref().map(|name| &**name.get_ref());
                    let sees = rows.iter().position(|row| seen == Some(row.name));
                    json!([does, line, to, step.label(), sees])
                }
                Err(wait) => {
                    let why = number_of(&mut texts, html(&wait.why));
                    json!([why, line, -1, wait.label, wait.forever])
                }
            });
        }
        let end = match (all.is_lost(at), all.is_over(at)) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        };
        all.each(at, &mut Vec::new(), &mut |way, _| {
            longest = longest.max(way.len());
        });
        let goals = match &figure.fixed {
            Some(fixed) => json!(fixed.played(here)),
            None => json!(number_of(&mut cells, reached(game, here))),
        };
        let mut situation = vec![json!(end), json!(steps), goals];
        for row in &rows {
            situation.push(json!(number_of(&mut cells, row.shown(here).to_owned())));
        }
        situations.push(situation);
    }
    let rows: Vec<_> = rows.iter().map(|row| (row.name, row.of)).collect();
    let lost = game.lost_in("#");
    // Why all is well, the situations that say so, and the line to which it is due.
    let whys = figure.ends.iter().map(|end| {
        let due_to = mark(&listing, end.at.as_ref());
        json!([html(&end.why), all.those(&end.when), due_to])
    });
    let whys: Vec<_> = whys.collect();
    let gap = figure.gap.as_ref().map(|gap| {
        let before = gap
            .before
            .iter()
            .filter_map(|place| mark(&listing, Some(place)));
        let before: Vec<_> = before.collect();
        json!({ "name": html(&gap.name), "at": all.those(&gap.when), "before": before })
    });
    let fixed = figure.fixed.as_ref().map(|fixed| {
        let orders = fixed.orders.iter().map(|(_, what)| html(what));
        let orders: Vec<String> = orders.collect();
        json!({ "opens": fixed.opens, "says": html(&fixed.says), "orders": orders })
    });
    let data = json!({
        "fixed": fixed, "rows": rows, "cells": cells, "lines": lines, "threads": game.threads, "longest": longest,
        "texts": texts, "ends": ["", lost, html(&figure.done)], "whys": whys, "fatal": game.fatal, "verdict": html(&game.verdict), "gap": gap, "cure": html(&figure.cure),
        "situations": situations,
    });
    data.to_string()
}

/// The lines of a place. One that isn't there is a fault, and the figure is not written.
fn mark(listing: &Listing, place: Option<&Spanned<String>>) -> Option<Mark> {
    listing.find(place?.get_ref()).ok()
}

impl Step {
    /// Its name in the lanes, and what comes of it.
    fn label(&self) -> String {
        let (name, note) = (self.act.label(), &self.note);
        if note.is_empty() {
            return name.to_owned();
        }
        format!("{name}: {note}")
    }
}

impl Fixed {
    /// The orders to play that one is in which comes here.
    fn played(&self, here: &Situation) -> Vec<usize> {
        let orders = self.orders.iter().enumerate();
        let here = orders.filter(|(_, (when, _))| here.holds(when, 0));
        here.map(|(number, _)| number).collect()
    }
}

/// The goals, and which of them are reached.
fn reached(game: &Game, here: &Situation) -> String {
    let mut goals = String::new();
    for (when, what) in &game.goals {
        goals += &if here.holds(when, 0) {
            format!("<span class=\"got\">☑ {what}</span> ")
        } else {
            format!("<span class=\"\">☐ {what}</span> ")
        };
    }
    goals
}
