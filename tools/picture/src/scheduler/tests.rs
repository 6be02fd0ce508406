//! What a game must have, and that it is what the code beside it does.

use std::{collections::BTreeMap, iter, task::Context};

use museum::orders::{self, Order};
use probe::CountingWaker;
use step03_timer_future::Signal;
use step08_join_handle::v2_state_bits::state::{Idle, State};

use super::*;
use crate::scheduler::{
    act::Act,
    orders::Orders,
    words::{Bit, Fact, Flag, Place, Queue, Waker, When},
};

#[test]
fn a_place_that_is_not_in_the_listing_is_told_with_its_line() {
    let text = read::text(FILE).unwrap();
    assert_eq!(faults_in(&text), Ok(Vec::new()));
    let right = "guarded_poll: if fired";
    let line = files::line(&text, text.find(right).unwrap());
    let found = faults_in(&text.replacen(right, "guarded_poll: if fierd", 1)).unwrap();
    let told = format!(
        "book/{FILE}:{line}: scheduler-03-one-lock: `guarded_poll: if fierd`: in `guarded_poll`, no line has"
    );
    assert!(found.len() == 1 && found[0].starts_with(&told), "{found:?}");
}

#[test]
fn all_goals_of_a_game_are_met_exactly_where_its_run_is_lost() {
    let mut wrong = Vec::new();
    for (stage, game) in games().unwrap() {
        for (name, figure) in &game.figures {
            let all = game.orders(figure);
            for (at, here) in all.situations.iter().enumerate() {
                let are_met = game.goals.iter().all(|(when, _)| here.holds(when, 0));
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
    let steps = way.iter().filter(|next| next.step.act != Act::Take);
    steps.map(|next| (next.thread + 1).to_string()).collect()
}

/// Whether some order loses the wake.
fn loses(all: &Orders<'_>) -> bool {
    (0..all.situations.len()).any(|at| all.is_lost(at))
}

#[test]
fn a_fixed_figure_opens_where_the_other_one_loses_the_wake() {
    for (stage, game) in games().unwrap() {
        for (name, figure) in &game.figures {
            let (all, Some(fixed)) = (game.orders(figure), &figure.fixed) else {
                let all = game.orders(figure);
                assert!(loses(&all), "{stage} {name}: what is fixed?");
                continue;
            };
            assert!(!loses(&all), "{stage} {name}");
            let mut here = 0;
            let mut opening = Vec::new();
            for thread in fixed.opens.bytes().map(|digit| usize::from(digit - b'1')) {
                let Ok(next) = all.moves[here][thread] else {
                    panic!("{stage} {name}: thread {thread} waits")
                };
                here = next.to;
                opening.push(next);
            }
            let opening = threads(&opening);
            // The next step is the one that loses the wake there, or one for which the thread has to wait here.
            let other = game.orders(&game.figures[fixed.of.get_ref()]);
            let mut is_fatal = false;
            other.each(0, &mut Vec::new(), &mut |way, is_done| {
                let Some(rest) = way.get(opening.len()..).filter(|rest| !rest.is_empty()) else {
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
    for (stage, game) in games().unwrap() {
        for (name, figure) in &game.figures {
            let (all, Some(fixed)) = (game.orders(figure), &figure.fixed) else {
                continue;
            };
            let mut played = vec![Vec::new(); fixed.orders.len()];
            all.each(0, &mut Vec::new(), &mut |way, _| {
                let threads: String = way
                    .iter()
                    .map(|next| (next.thread + 1).to_string())
                    .collect();
                let mut met: Vec<usize> = iter::once(0)
                    .chain(way.iter().map(|next| next.to))
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
                played.iter().all(|orders| !orders.is_empty()),
                "{stage} {name}: {played:?}"
            );
            let opens = |order: &String| order.starts_with(&fixed.opens);
            assert!(played[0].iter().any(opens), "{stage} {name}: {played:?}");
        }
    }
}

/// It shows what the cure does, so it is one that needs the cure.
#[test]
fn the_first_order_to_play_loses_the_wake_where_the_mistake_is() {
    for (stage, game) in games().unwrap() {
        for (name, figure) in &game.figures {
            let (all, Some(fixed)) = (game.orders(figure), &figure.fixed) else {
                continue;
            };
            let other = game.orders(&game.figures[fixed.of.get_ref()]);
            let mut played = 0;
            all.each(0, &mut Vec::new(), &mut |way, _| {
                let mut here = way.iter().map(|next| &all.situations[next.to]);
                if !here.any(|situation| fixed.played(situation).contains(&0)) {
                    return;
                }
                // A thread that has to wait there is passed over, and a cure by a lock is seen by that: the other thread waits here.
                let there = threads(way).bytes().fold(0, |at, digit| {
                    let next = &other.moves[at][usize::from(digit - b'1')];
                    next.as_ref().map_or(at, |next| next.to)
                });
                let waits = |next: &Move<'_>| {
                    let moves = &all.moves[next.to];
                    next.thread == 0
                        && moves[1]
                            .as_ref()
                            .is_err_and(|wait| wait.label.contains("lock"))
                };
                assert!(
                    other.is_lost(there) || way.iter().any(waits),
                    "{stage} {name}: {}",
                    threads(way)
                );
                played += 1;
            });
            assert!(played > 0, "{stage} {name}");
        }
    }
}

#[test]
fn each_reason_why_all_is_well_is_said_of_some_order() {
    for (stage, game) in games().unwrap() {
        for (name, figure) in &game.figures {
            let (all, mut said) = (game.orders(figure), vec![0; figure.ends.len() + 1]);
            all.each(0, &mut Vec::new(), &mut |way, is_done| {
                let held = |when: &When| {
                    let mut here = iter::once(0).chain(way.iter().map(|next| next.to));
                    here.any(|at| all.situations[at].holds(when, 0))
                };
                let why = figure.ends.iter().position(|end| held(&end.when));
                said[why.unwrap_or(figure.ends.len())] += usize::from(is_done);
            });
            let ends = &mut said[..figure.ends.len()];
            assert!(
                ends.iter().all(|count| *count > 0),
                "{stage} {name}: {said:?}"
            );
        }
    }
}

#[test]
fn the_step_that_loses_a_wake_is_made_in_the_gap_by_another_thread() {
    for (stage, game) in games().unwrap() {
        for (name, figure) in &game.figures {
            let (all, mut lost) = (game.orders(figure), 0);
            all.each(0, &mut Vec::new(), &mut |way, is_done| {
                if is_done {
                    return;
                }
                lost += 1;
                let fatal = way.iter().position(|next| all.is_lost(next.to)).unwrap();
                let gap = figure
                    .gap
                    .as_ref()
                    .expect("a figure that loses a wake has a gap");
                let is_in = |at: usize| all.situations[at].holds(&gap.when, 0);
                let before = fatal.checked_sub(1).map_or(0, |earlier| way[earlier].to);
                assert!(way[fatal].thread > 0 && is_in(before), "{stage} {name}");
            });
            assert_eq!(lost > 0, !figure.cure.is_empty(), "{stage} {name}");
        }
    }
}

#[test]
fn each_order_whose_report_follows_clear_is_one_to_play() {
    let game = &games().unwrap()["09"];
    let figure = &game.figures["tick"];
    let (all, fixed) = (game.orders(figure), figure.fixed.as_ref().unwrap());
    let mut count = 0;
    all.each(0, &mut Vec::new(), &mut |way, _| {
        let nth = |act| way.iter().position(|next| next.step.act == act);
        let (clear, report) = (nth(Act::Clear), nth(Act::Report));
        let follows = clear.is_some() && report > clear;
        let mut here = way.iter().map(|next| &all.situations[next.to]);
        assert_eq!(
            here.any(|situation| fixed.played(situation).contains(&1)),
            follows
        );
        count += usize::from(follows);
    });
    assert!(count > 1, "{count}");
}

#[test]
fn in_every_order_the_bits_of_the_task_are_those_of_stage_08() {
    let game = &games().unwrap()["08"];
    for all in game.figures.values().map(|figure| game.orders(figure)) {
        all.each(0, &mut Vec::new(), &mut |way, _| {
            let (state, mut before) = (State::spawned(), &all.situations[0]);
            for Move { thread, step, to } in way {
                let (does, now) = (&step.does, &all.situations[*to]);
                let is_to_push = [Place::Push, Place::Schedule]
                    .iter()
                    .any(|place| now.has([Fact::At0, Fact::At1][*thread](*place)));
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
                        let is_empty = before.has(Fact::Queue(Queue::Empty));
                        assert!(is_empty, "it is in the queue twice");
                    }
                    // The sender's data, and what only reads.
                    Act::Store | Act::Check | Act::Read => {}
                    other => panic!("what does {other:?} do to the bits?"),
                }
                for (bit, is_on) in [
                    ("SCHEDULED", Fact::Scheduled(Bit::On)),
                    ("RUNNING", Fact::Running(Bit::On)),
                    ("FINISHED", Fact::Finished(Bit::On)),
                ] {
                    let is_set = format!("{state:?}").contains(bit);
                    assert_eq!(is_set, now.has(is_on), "{bit} after: {does}");
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
    &[Act::Arrive, Act::Read],
    &[Act::Check, Act::Clear, Act::Report],
];
const QUEUE_AND_SLEEPERS: Locks = [&[Act::Look, Act::Push], &[Act::Announce, Act::FindSleeper]];

/// Whether the wake arrives in each order of a game.
fn ends(stage: &str, figure: &str, locks: Locks, before: &Order) -> BTreeMap<Order, bool> {
    let game = &games().unwrap()[stage];
    let all = game.orders(&game.figures[figure]);
    let mut ends = BTreeMap::new();
    all.each(0, &mut Vec::new(), &mut |way, is_done| {
        let (mut order, mut has_returned) = (before.clone(), false);
        for Move { thread, step, to } in way {
            let takes = |acts: &&[Act]| acts.contains(&step.act);
            // In an exhibit, a task that is woken is not polled again.
            let lock = locks.iter().position(takes);
            if let Some(lock) = lock.filter(|_| *thread == 1 || !has_returned) {
                order.take(*thread, lock);
            }
            has_returned |= all.situations[*to].has(Fact::At0(Place::Sleep));
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
    let game = &games().unwrap()["03"];
    let all = game.orders(&game.figures["one-lock"]);
    let mut orders = 0;
    all.each(0, &mut Vec::new(), &mut |way, _| {
        orders += 1;
        let (signal, counting) = (Signal::default(), CountingWaker::new());
        let waker = counting.waker();
        let mut cx = Context::from_waker(&waker);
        for Move { step, to, .. } in way {
            let now = &all.situations[*to];
            match step.act {
                Act::Store => assert!(signal.poll_fired(&mut cx).is_pending()),
                Act::Check if now.has(Fact::Flag(Flag::Up)) => {
                    assert!(signal.poll_fired(&mut cx).is_ready());
                }
                Act::Look => signal.fire(),
                _ => continue,
            }
            // Without the one from which the task polls.
            let is_stored = counting.live() == 2;
            let is_said = now.has(Fact::Waker(Waker::Stored));
            assert_eq!(is_stored, is_said, "after: {}", step.does);
        }
        let is_woken = way.iter().any(|next| next.step.act == Act::Wake);
        assert_eq!(counting.wakes(), usize::from(is_woken));
    });
    assert_eq!(orders, 2);
}
