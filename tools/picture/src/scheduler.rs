//! A few threads, each of which is at some step, and every order of their steps, as `book/schedulers.toml` has them. The reader of the
//! book decides which thread goes next.

mod act;
mod drag;
mod executor;
mod model;

use serde_json::json;

use crate::{
    figure::figure,
    listing::Listing,
    text::{html, number_of},
};
use model::{Figure, Fixed, Model, Move, Situation, holds, models, place};

/// The figures, with their names, if they can be read.
pub(crate) fn figures() -> Result<Vec<(String, String)>, String> {
    let mut figures = vec![executor::figure()?];
    for (stage, model) in models()? {
        for (name, game) in &model.figures {
            let name = format!("scheduler-{stage}-{name}");
            let (words, data) = (model.words(game), data(&model, game));
            let html = figure("game", [&name, &words, &data, &game.caption], &game.listing);
            figures.push((name, html));
        }
        if let Some(drag) = &model.drag {
            figures.push((format!("scheduler-{stage}-drag"), drag.html(&model)));
        }
    }
    Ok(figures)
}

/// The places that `book/schedulers.toml` names and that are not in the listings, and the rows that are not there.
pub(crate) fn faults() -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (stage, model) in models()? {
        let is_row = |name: &str| {
            model
                .rows
                .iter()
                .any(|row| row.name.as_deref() == Some(name))
        };
        let mut seen = model.steps.iter().map(|step| &*step.sees);
        if let Some(name) = seen.find(|it| !it.is_empty() && !is_row(it)) {
            found.push(format!(
                "book/schedulers.toml: {stage}: a step sees `{name}`: name a row"
            ));
        }
        for (name, figure) in &model.figures {
            let listing = Listing::read(&figure.listing);
            let all = model.walk(figure);
            let mut places: Vec<&str> = all.moves.iter().flatten().map(place).collect();
            places.extend(figure.ends.iter().map(|end| &*end.at));
            places.extend(
                figure
                    .gap
                    .iter()
                    .flat_map(|gap| &gap.before)
                    .map(|it| &**it),
            );
            places.sort_unstable();
            places.dedup();
            for place in places.into_iter().filter(|place| !place.is_empty()) {
                if let Err(why) = listing.find(place) {
                    let name = format!("scheduler-{stage}-{name}");
                    let how = "correct the words of its place";
                    found.push(format!(
                        "book/schedulers.toml: {name}: `{place}`: {why}: {how}"
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
fn data(model: &Model, of: &Figure) -> String {
    let (all, listing) = (model.walk(of), Listing::read(&of.listing));
    let rows = model.rows(&all);
    let (mut cells, mut lines, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut situations, mut longest) = (Vec::new(), 0);
    for (at, here) in all.situations.iter().enumerate() {
        let mut steps = Vec::new();
        for next in &all.moves[at] {
            let line = listing.find(place(next)).ok();
            let line = number_of(&mut lines, line);
            steps.push(match next {
                Ok(Move { step, to, .. }) => {
                    let does = number_of(&mut texts, html(&step.does));
                    let sees = rows.iter().position(|row| row.name == step.sees);
                    json!([does, line, to, step.act.label(), sees])
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
        all.ways(at, &mut Vec::new(), &mut |way, _| {
            longest = longest.max(way.len());
        });
        let goals = match &of.fixed {
            Some(fixed) => json!(fixed.played(here)),
            None => json!(number_of(&mut cells, reached(model, here))),
        };
        let mut situation = vec![json!(end), json!(steps), goals];
        for row in &rows {
            situation.push(json!(number_of(&mut cells, row.shown(here))));
        }
        situations.push(situation);
    }
    let rows: Vec<_> = rows.iter().map(|row| (row.name, row.of)).collect();
    let lost = model.lost_in("#");
    // Why all is well, the situations that say so, and the line to which it is due.
    let whys = of.ends.iter().map(|end| {
        let due_to = listing.find(&end.at).ok();
        json!([html(&end.why), all.those(&end.when), due_to])
    });
    let whys: Vec<_> = whys.collect();
    let gap = of.gap.as_ref().map(|gap| {
        let before = gap.before.iter().filter_map(|it| listing.find(it).ok());
        let before: Vec<_> = before.collect();
        json!({ "name": html(&gap.name), "at": all.those(&gap.when), "before": before })
    });
    let fixed = of.fixed.as_ref().map(|it| {
        let orders: Vec<String> = it.orders.iter().map(|it| html(&it[1])).collect();
        json!({ "opens": it.opens, "says": html(&it.says), "orders": orders })
    });
    let data = json!({
        "fixed": fixed, "rows": rows, "cells": cells, "lines": lines, "threads": model.threads, "longest": longest,
        "texts": texts, "ends": ["", lost, html(&of.done)], "whys": whys, "verdict": html(&model.verdict), "gap": gap, "cure": html(&of.cure),
        "situations": situations,
    });
    data.to_string()
}

impl Fixed {
    /// The orders to play that one is in which comes here.
    fn played(&self, here: &Situation) -> Vec<usize> {
        let orders = self.orders.iter().enumerate();
        let here = orders.filter(|(_, [when, _])| holds(here, 0, when));
        here.map(|it| it.0).collect()
    }
}

/// The goals, and which of them are reached.
fn reached(model: &Model, here: &Situation) -> String {
    let mut goals = String::new();
    for [when, what] in &model.goals {
        goals += &if holds(here, 0, when) {
            format!("<span class=\"got\">☑ {what}</span> ")
        } else {
            format!("<span class=\"\">☐ {what}</span> ")
        };
    }
    goals
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, iter, task::Context};

    use museum::orders::{self, Order};
    use probe::CountingWaker;
    use step03_timer_future::Signal;
    use step08_join_handle::v2_state_bits::state::{Idle, State};

    use super::*;
    use crate::scheduler::{
        act::Act,
        model::{All, own},
    };

    #[test]
    fn all_goals_of_a_game_are_met_exactly_where_its_run_is_lost() {
        let mut wrong = Vec::new();
        for (stage, model) in models().unwrap() {
            for (name, figure) in &model.figures {
                let all = model.walk(figure);
                for (at, here) in all.situations.iter().enumerate() {
                    let are_met = model.goals.iter().all(|[when, _]| holds(here, 0, when));
                    let is_lost = all.is_over(at) && !all.done[at];
                    if are_met != is_lost {
                        wrong.push(format!(
                            "{stage} {name}: met: {are_met}, lost: {is_lost}: {here:?}"
                        ));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The threads of an order's steps, without those that only take or release a lock.
    fn threads(way: &[Move<'_>]) -> String {
        let steps = way.iter().filter(|it| it.step.act != Act::Take);
        steps.map(|it| (it.thread + 1).to_string()).collect()
    }

    /// Whether some order loses the wake.
    fn loses(all: &All<'_>) -> bool {
        (0..all.situations.len()).any(|at| all.is_lost(at))
    }

    #[test]
    fn a_fixed_figure_opens_where_the_other_one_loses_the_wake() {
        for (stage, model) in models().unwrap() {
            for (name, figure) in &model.figures {
                let (all, Some(fixed)) = (model.walk(figure), &figure.fixed) else {
                    let all = model.walk(figure);
                    assert!(loses(&all), "{stage} {name}: what is fixed?");
                    continue;
                };
                assert!(!loses(&all), "{stage} {name}");
                let mut here = 0;
                let mut opening = Vec::new();
                for thread in fixed.opens.bytes().map(|it| usize::from(it - b'1')) {
                    let Ok(next) = all.moves[here][thread] else {
                        panic!("{stage} {name}: thread {thread} waits")
                    };
                    here = next.to;
                    opening.push(next);
                }
                let opening = threads(&opening);
                // The next step is the one that loses the wake there, or one for which the thread has to wait here.
                let other = model.walk(&model.figures[&fixed.of]);
                let mut is_fatal = false;
                other.ways(0, &mut Vec::new(), &mut |way, is_done| {
                    let Some(rest) = way.get(opening.len()..).filter(|it| !it.is_empty()) else {
                        return;
                    };
                    let waits = all.moves[here][rest[0].thread].is_err();
                    is_fatal |= !is_done
                        && threads(&way[..opening.len()]) == opening
                        && (waits || other.is_lost(rest[0].to));
                });
                assert!(
                    is_fatal,
                    "{stage} {name}: no lost wake begins with {opening}"
                );
            }
        }
    }

    #[test]
    fn each_order_to_play_can_be_played_and_the_first_from_the_opening() {
        for (stage, model) in models().unwrap() {
            for (name, figure) in &model.figures {
                let (all, Some(fixed)) = (model.walk(figure), &figure.fixed) else {
                    continue;
                };
                let mut played = vec![Vec::new(); fixed.orders.len()];
                all.ways(0, &mut Vec::new(), &mut |way, _| {
                    let threads: String =
                        way.iter().map(|it| (it.thread + 1).to_string()).collect();
                    let mut met: Vec<usize> = iter::once(0)
                        .chain(way.iter().map(|it| it.to))
                        .flat_map(|at| fixed.played(&all.situations[at]))
                        .collect();
                    met.sort_unstable();
                    met.dedup();
                    // One order is not two of them.
                    assert!(met.len() <= 1, "{stage} {name}: {threads} is {met:?}");
                    for order in met {
                        played[order].push(threads.clone());
                    }
                });
                assert!(
                    played.iter().all(|it| !it.is_empty()),
                    "{stage} {name}: {played:?}"
                );
                let opens = |it: &String| it.starts_with(&fixed.opens);
                assert!(played[0].iter().any(opens), "{stage} {name}: {played:?}");
            }
        }
    }

    #[test]
    fn each_reason_why_all_is_well_is_said_of_some_order() {
        for (stage, model) in models().unwrap() {
            for (name, figure) in &model.figures {
                let (all, mut said) = (model.walk(figure), vec![0; figure.ends.len() + 1]);
                all.ways(0, &mut Vec::new(), &mut |way, is_done| {
                    let held = |when: &str| {
                        let mut here = iter::once(0).chain(way.iter().map(|it| it.to));
                        here.any(|at| holds(&all.situations[at], 0, when))
                    };
                    let why = figure.ends.iter().position(|end| held(&end.when));
                    said[why.unwrap_or(figure.ends.len())] += usize::from(is_done);
                });
                let ends = &mut said[..figure.ends.len()];
                assert!(ends.iter().all(|it| *it > 0), "{stage} {name}: {said:?}");
            }
        }
    }

    #[test]
    fn the_step_that_loses_a_wake_is_made_in_the_gap_by_another_thread() {
        for (stage, model) in models().unwrap() {
            for (name, figure) in &model.figures {
                let (all, mut lost) = (model.walk(figure), 0);
                all.ways(0, &mut Vec::new(), &mut |way, is_done| {
                    if is_done {
                        return;
                    }
                    lost += 1;
                    let fatal = way.iter().position(|it| all.is_lost(it.to)).unwrap();
                    let gap = figure
                        .gap
                        .as_ref()
                        .expect("a figure that loses a wake has a gap");
                    let is_in = |at: usize| holds(&all.situations[at], 0, &gap.when);
                    let before = fatal.checked_sub(1).map_or(0, |it| way[it].to);
                    assert!(way[fatal].thread > 0 && is_in(before), "{stage} {name}");
                });
                assert_eq!(lost > 0, !figure.cure.is_empty(), "{stage} {name}");
            }
        }
    }

    #[test]
    fn each_order_whose_report_follows_clear_is_one_to_play() {
        let model = &models().unwrap()["09"];
        let figure = &model.figures["tick"];
        let (all, fixed) = (model.walk(figure), figure.fixed.as_ref().unwrap());
        let mut count = 0;
        all.ways(0, &mut Vec::new(), &mut |way, _| {
            let nth = |act| way.iter().position(|it| it.step.act == act);
            let (clear, report) = (nth(Act::Clear), nth(Act::Report));
            let follows = clear.is_some() && report > clear;
            let mut here = way.iter().map(|it| &all.situations[it.to]);
            assert_eq!(here.any(|it| fixed.played(it).contains(&1)), follows);
            count += usize::from(follows);
        });
        assert!(count > 1, "{count}");
    }

    #[test]
    fn in_every_order_the_bits_of_the_task_are_those_of_stage_08() {
        let model = &models().unwrap()["08"];
        for all in model.figures.values().map(|it| model.walk(it)) {
            all.ways(0, &mut Vec::new(), &mut |way, _| {
                let (state, mut before) = (State::spawned(), &all.situations[0]);
                for Move { thread, step, to } in way {
                    let (does, now) = (&step.does, &all.situations[*to]);
                    let is_to_push = now[&own("at", *thread)] == "push";
                    match step.act {
                        Act::Wake => assert_eq!(state.wake(), is_to_push, "{does}"),
                        Act::Start => assert!(state.start()),
                        Act::Idle => {
                            assert_eq!(state.idle() == Idle::Schedule, is_to_push, "{does}");
                        }
                        // It may see what the two steps do not.
                        Act::Clear => _ = state.idle(),
                        Act::Finish => assert!(state.finish().handle),
                        Act::Push => {
                            assert_eq!(before["queue"], "empty", "it is in the queue twice");
                        }
                        // The sender's data, and what only reads.
                        Act::Store | Act::Check | Act::Read => {}
                        other => panic!("what does {other:?} do to the bits?"),
                    }
                    for bit in ["SCHEDULED", "RUNNING", "FINISHED"] {
                        let is_set = format!("{state:?}").contains(bit);
                        assert_eq!(is_set, now[bit] == "on", "{bit} after: {does}");
                    }
                    before = now;
                }
            });
        }
    }

    /// The two locks of an exhibit, each by the steps that take it.
    type Locks = [&'static [Act]; 2];

    const FLAG_AND_WAKER: Locks = [&[Act::Check, Act::Raise], &[Act::Store, Act::Look]];
    const BYTES_AND_READINESS: Locks = [
        &[Act::Send, Act::Read],
        &[Act::Check, Act::Clear, Act::Report],
    ];
    const QUEUE_AND_SLEEPERS: Locks = [&[Act::Look, Act::Push], &[Act::Announce, Act::FindSleeper]];

    /// Whether the wake arrives in each order of a game.
    fn ends(stage: &str, figure: &str, locks: Locks, before: &Order) -> BTreeMap<Order, bool> {
        let model = &models().unwrap()[stage];
        let all = model.walk(&model.figures[figure]);
        let mut ends = BTreeMap::new();
        all.ways(0, &mut Vec::new(), &mut |way, is_done| {
            let (mut order, mut has_returned) = (before.clone(), false);
            for Move { thread, step, to } in way {
                let takes = |acts: &&[Act]| acts.contains(&step.act);
                // In an exhibit, the peer and the reactor are one thread, and a task that is woken is not polled again.
                let (thread, lock) = (*thread.min(&1), locks.iter().position(takes));
                if let Some(lock) = lock.filter(|_| thread == 1 || !has_returned) {
                    order.take(thread, lock);
                }
                has_returned |= all.situations[*to]["at0"] == "sleep";
            }
            let before = ends.insert(order, is_done);
            assert!(before.is_none_or(|before| before == is_done), "two ends");
        });
        ends
    }

    #[test]
    fn in_every_order_a_game_ends_as_the_exhibit_whose_code_it_shows() {
        let [two_locks, event, last_look] = [
            "two-locks",
            "newer-event-cleared",
            "sleeps-without-a-last-look",
        ]
        .map(|name| museum::exhibit(name).unwrap());
        let (none, mut reported) = (Order::default(), Order::default());
        // An earlier event, before the game begins.
        reported.take(0, 1);
        for (stage, figure, locks, before, program) in [
            ("03", "two-locks", FLAG_AND_WAKER, &none, two_locks.broken),
            ("09", "edge", BYTES_AND_READINESS, &reported, event.broken),
            ("09", "tick", BYTES_AND_READINESS, &reported, event.repaired),
            (
                "10",
                "looks-once",
                QUEUE_AND_SLEEPERS,
                &none,
                last_look.broken,
            ),
            (
                "10",
                "looks-again",
                QUEUE_AND_SLEEPERS,
                &none,
                last_look.repaired,
            ),
        ] {
            let ends = ends(stage, figure, locks, before);
            assert_eq!(ends, orders::ends(program), "{stage} {figure}");
        }
    }

    /// What is between taking the lock and releasing it is one call of the signal, made where it changes something.
    #[test]
    fn in_every_order_the_one_lock_of_03_does_what_the_signal_of_stage_03_does() {
        let model = &models().unwrap()["03"];
        let all = model.walk(&model.figures["one-lock"]);
        let mut orders = 0;
        all.ways(0, &mut Vec::new(), &mut |way, _| {
            orders += 1;
            let (signal, counting) = (Signal::default(), CountingWaker::new());
            let waker = counting.waker();
            let mut cx = Context::from_waker(&waker);
            for Move { step, to, .. } in way {
                let now = &all.situations[*to];
                match step.act {
                    Act::Store => assert!(signal.poll_fired(&mut cx).is_pending()),
                    Act::Check if now["flag"] == "up" => {
                        assert!(signal.poll_fired(&mut cx).is_ready());
                    }
                    Act::Look => signal.fire(),
                    _ => continue,
                }
                // Without the one from which the task polls.
                let is_stored = counting.live() == 2;
                assert_eq!(is_stored, now["waker"] == "stored", "after: {}", step.does);
            }
            let is_woken = way.iter().any(|next| next.step.act == Act::Wake);
            assert_eq!(counting.wakes(), usize::from(is_woken));
        });
        assert_eq!(orders, 2);
    }
}
