//! The experiment: what is stuck is polled once more, with a fresh waker. Where does it wait, and has what it waits for happened?

use std::{collections::BTreeMap, sync::mpsc, thread, time::Duration};

use crate::{
    judge::looks::Looks,
    see::{
        place::{self, own_thread},
        poke::Ask,
    },
};

/// Of the futures that were made in one line, so many are polled once more. A server has thousands.
const OF_A_LINE: usize = 100;
/// So often, and so long each time, the polls of those are waited for. Some never come.
const STEPS: usize = 100;
const STEP: Duration = Duration::from_millis(5);

/// Wakes what is stuck, except in another `within`, and waits until it has been polled.
pub(crate) fn poll_all(all: &[Looks], ask: Ask) {
    let is_mine = |looks: &&Looks| looks.is_stuck() && !looks.is_shared && !looks.task.is_closure;
    let mut stuck: Vec<_> = all.iter().filter(is_mine).collect();
    stuck.sort_by_key(|looks| looks.far);
    let mut of_line = BTreeMap::new();
    stuck.retain(|looks| {
        let number: &mut usize = of_line.entry(looks.task.made).or_default();
        *number += 1;
        *number <= OF_A_LINE
    });
    stuck.iter().for_each(|looks| looks.task.poke.ask(ask));
    // With those that no watched future polls, most others are polled. Of what makes wakers of its own, such as a `Shared`, only
    // what is left calls one: in a future that awaits itself, that waits for a lock that it holds, and whoever polls it waits too.
    let (inner, outer): (Vec<_>, Vec<_>) = stuck
        .into_iter()
        .partition(|looks| looks.now.parent.is_some());
    wake(&outer, ask);
    wake(&inner, ask);
    for looks in all.iter().filter(|looks| !looks.is_shared) {
        looks.task.poke.close();
    }
}

/// Finds out where the threads sleep that are inside of a poll or a closure. The run is over: what a signal interrupts there may see it.
pub(crate) fn look_inside(all: &[Looks]) {
    for looks in all.iter().filter(|looks| !looks.is_shared) {
        if let Some(stack) = looks.stack() {
            looks.task.poke.sleeps_at(stack);
        }
    }
}

/// Finds the lines, also of what moves. That takes a while, at most as long as the `limit`, in which others go on.
pub(crate) fn read_lines(all: &[Looks], limit: Duration) {
    let mine = all.iter().filter(|looks| !looks.is_shared);
    let tasks: Vec<_> = mine.map(|looks| looks.task.clone()).collect();
    let (done, is_done) = mpsc::channel::<()>();
    let theirs = tasks.clone();
    let read = move || {
        theirs.iter().for_each(|task| task.poke.read(task.made));
        drop(done);
    };
    if own_thread().spawn(read).is_ok() {
        let _ = is_done.recv_timeout(limit);
    }
    tasks.iter().for_each(|task| task.poke.gives_up(limit));
}

/// Wakes those that were not polled yet, and waits until all of them are.
fn wake(stuck: &[&Looks], ask: Ask) {
    let is_polled = |looks: &&Looks| looks.task.poke.answer().is_some();
    let unpolled = stuck.iter().filter(|looks| !is_polled(looks));
    let wakers: Vec<_> = unpolled
        .filter_map(|looks| looks.task.latest_waker())
        .collect();
    if wakers.is_empty() {
        return;
    }
    // Waking runs code that we do not control, which may wait for a lock forever.
    let wake = move || {
        for waker in wakers {
            waker.poke();
            if ask == Ask::OnceAndStay {
                // It may be all that keeps a task, whose place to be dropped is not here.
                std::mem::forget(waker);
            }
        }
    };
    let begun = place::used();
    let mut left = own_thread().spawn(wake).map_or(0, |_| 20 * STEPS);
    // On a busy machine they may come later.
    let may_come = |left| left % STEPS > 0 || left == 20 * STEPS || place::is_starved(begun);
    while left > 0 && !stuck.iter().all(is_polled) && may_come(left) {
        thread::sleep(STEP);
        left -= 1;
    }
}
