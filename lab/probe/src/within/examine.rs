//! The second look, one poll more of what is stuck, and the message about both.

use std::{sync::Mutex, time::Duration};

use super::patience;
use crate::{
    judge::{
        again, cycle,
        looks::{Look, Looks, Subject},
    },
    say::report::{Occasion, Report},
    see::{lock::own, place::Place, poke::Ask, roll::Roll},
};

/// So long it may take to find the lines of a program, on a machine that is not busy.
const TO_READ: Duration = Duration::from_secs(60);

pub(super) fn examine(
    first: &Look,
    roll: &Roll,
    subject: Subject,
    occasion: Occasion,
    caller: &Place,
) -> String {
    // While one reads its backtraces, no other can take one.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = own(&ONE_AT_A_TIME);
    let second = roll.list();
    let mut tasks = first.compare(&second, subject);
    if subject == Subject::Future {
        // The nearest are polled once more before the others.
        Looks::ask_who(&mut tasks);
        cycle::measure(&mut tasks);
    }
    let ask = match occasion {
        Occasion::Asked => Ask::Once,
        _ => Ask::OnceAndStay,
    };
    again::poll_all(&tasks, ask);
    Looks::look_again(&mut tasks);
    Looks::ask_who(&mut tasks);
    if occasion != Occasion::Asked {
        again::look_inside(&tasks);
    }
    again::read_lines(&tasks, TO_READ * patience::crowd());
    let lists = [&first.list, &second];
    let tasks = &tasks;
    Report {
        occasion,
        caller,
        tasks,
        lists,
    }
    .text()
}
