//! For what a task waits, in words.

use std::sync::Arc;

use crate::{
    judge::{
        looks::{self, Looks},
        waits::{Doubt, First, Known, Message, NAMED, WaitsFor, keys},
    },
    say::{
        layout::times,
        names::{called, closure_is_doing, closure_is_over, line},
    },
    see::{
        facts::{Actor, Has, State, Use},
        holders::Wait,
        panics::{self, Panic},
        resource::ResourceKind,
        task::Task,
    },
};

/// Goes on after the name of the task. `all`: those that have a number in the message.
pub(crate) fn text(waits: &WaitsFor, all: &[Looks]) -> String {
    let (asks, is_end) = (waits.wait.many, waits.what.kind == ResourceKind::Tasks);
    let mut what = waits.what.name();
    if waits.is_in_vain() {
        let (asks, at) = (times(asks), line(waits.wait.at));
        return format!("asked {asks} at {at}, although {what} is gone");
    }
    let mut list: Vec<_> = waits.known.iter().map(|it| known(it, all)).collect();
    let mut users: Vec<(String, usize)> = Vec::new();
    for user in waits.those().take(NAMED) {
        let who = if is_end {
            who(user, all)
        } else {
            use_of(user, all)
        };
        let doing = user.task().and_then(|task| {
            let end = closure_is_over(task).map(|end| format!("it has {end} by now"));
            end.or_else(|| closure_is_doing(task))
        });
        let doing = doing.map_or(String::new(), |doing| format!("; {doing}"));
        let moved = match &waits.message {
            None => moved_into(user, all),
            Some(_) => String::new(),
        };
        let text = who + &doing + &moved;
        match users.iter_mut().find(|(same, _)| *same == text) {
            Some((_, number)) => *number += 1,
            None => users.push((text, 1)),
        }
    }
    list.extend(users.into_iter().map(|(text, number)| match number {
        1 => text,
        some => format!("{text}, {}", times(some)),
    }));
    list.extend(waits.message.iter().map(|message| went_with(message, all)));
    if waits.holders.len() > NAMED {
        list.push(format!("{} more", waits.holders.len() - NAMED));
    }
    if is_end {
        let list = list.join(if asks == 1 { " or " } else { " and " });
        return format!("waits for the end of {list}");
    }
    if asks > 1 {
        what = format!("{asks} of {what}");
    }
    if waits.wait.at != waits.what.made {
        what += &format!(" at {}", line(waits.wait.at));
        if waits.what.kind == ResourceKind::Sender && waits.holders.len() == 1 {
            list.push("no other is known".to_owned());
        }
    }
    format!("waits for {what}; {}", list.join("; "))
}

/// From more than [`NAMED`] waits of one line on, so many of them are told.
const FEW: usize = 3;

/// What is told of these waits, one by one: of thousands of the same line, the first few. The others follow with their number.
pub(crate) fn of_all(
    waits: &[WaitsFor],
    verb: &str,
    one: impl Fn(&WaitsFor) -> String,
) -> Vec<String> {
    let mut groups: Vec<(_, Vec<&WaitsFor>)> = Vec::new();
    for (key, wait) in keys(waits).zip(waits) {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, alike)) => alike.push(wait),
            None => groups.push((key, vec![wait])),
        }
    }
    let (mut lines, mut left_out) = (Vec::new(), 0);
    for (place, (_, alike)) in groups.iter().enumerate() {
        if place == NAMED {
            left_out = groups[NAMED..].iter().map(|(_, alike)| alike.len()).sum();
            break;
        }
        let few = if alike.len() > NAMED { FEW } else { NAMED };
        lines.extend(alike.iter().take(few).map(|wait| one(wait)));
        if let [next, ..] = alike.get(few..).unwrap_or_default() {
            let more = alike.len() - few;
            lines.push(match next.what.kind {
                ResourceKind::Tasks => {
                    let at = line(next.what.made);
                    format!("{verb} for the end of {more} more tasks of {at}")
                }
                _ => format!("{verb} for {more} more, each {}", next.what.name()),
            });
        }
    }
    if left_out > 0 {
        lines.push(format!("{verb} for {left_out} more"));
    }
    lines
}

/// The same of one that was woken since: who has it now says nothing.
pub(crate) fn waited(waits: &WaitsFor) -> String {
    let (what, at) = (waits.what.name(), line(waits.wait.at));
    format!("waited for {what} at {at} when it was woken")
}

/// So many tasks are named into which an end may have been moved.
const MOVED: usize = 3;

/// What nobody has used yet may be in a task that its maker has made since. Those that are over are left out.
fn moved_into(user: &Use, all: &[Looks]) -> String {
    if user.has != Has::NotUsedYet {
        return String::new();
    }
    let is_since = |looks: &&Looks| {
        let is_over =
            looks.now.dropped || matches!(looks.now.state, State::Ready | State::Panicked);
        !is_over && looks.task.maker.is(user) && looks.task.age >= user.tasks
    };
    let since: Vec<_> = all.iter().filter(is_since).collect();
    if since.is_empty() {
        return String::new();
    }
    let named = since.iter().take(MOVED);
    let mut named: Vec<_> = named.map(|looks| called(&looks.task, all)).collect();
    if since.len() > MOVED {
        named.push(format!("{} more", since.len() - MOVED));
    }
    let (maker, named) = (who(user, all), named.join(" or "));
    format!("; it may have been moved into a task that {maker} has made since: {named}")
}

/// The reply has no user yet, because it is in a message, or with who took that.
fn went_with(message: &Message, all: &[Looks]) -> String {
    let (by, at, channel) = (
        called(&message.by, all),
        line(message.at),
        line(message.channel()),
    );
    let mut text = format!(
        "perhaps it went with the message that {by} sent into the channel of {channel} at {at}"
    );
    for receiver in message.receivers.iter().take(NAMED) {
        let (who, at, fate) = (who(receiver, all), line(receiver.at), fate(receiver, all));
        text += &match receiver.has {
            Has::NotUsedYet => {
                format!("; {who} made its receiver at {at}, and nothing was received by it yet")
            }
            _ => format!("; {who} used its receiver last at {at}{fate}"),
        };
    }
    text
}

/// What has become of the task that used something last.
fn fate(user: &Use, all: &[Looks]) -> String {
    let Some(task) = user.task() else {
        return String::new();
    };
    let facts = looks::at(task, all).map_or_else(|| task.facts(), |known| known.now.clone());
    match facts.state {
        State::Ready => ", and has ended".to_owned(),
        State::Panicked => ", and has panicked".to_owned() + &panic_of(task),
        _ if facts.dropped => ", and was dropped".to_owned(),
        _ => String::new(),
    }
}

/// Goes on after `panicked`.
pub(crate) fn panic_of(task: &Arc<Task>) -> String {
    let panic = panics::of(task);
    let text = |panic: Panic| format!(" at {}: {:?}", panic.at, panic.first_line());
    panic.map_or_else(String::new, text)
}

fn known(known: &Known, all: &[Looks]) -> String {
    match known {
        Known::NonePermitted => "it was made with none, and none was added".to_owned(),
        Known::Permits {
            all,
            free,
            kept_for: Some(first),
        } if *free > 0 => format!("0 of {all} free, {free} kept for {}", before(first)),
        Known::Permits { all, free, .. } => format!("{free} of {all} free"),
        Known::Barrier {
            total, alone: true, ..
        } => format!("1 of {total} have come: this very task"),
        Known::Barrier {
            total,
            come,
            dropped: 0,
            ..
        } => format!("{come} of {total} have come"),
        Known::Barrier {
            total,
            come,
            dropped,
            ..
        } => format!("{come} of {total} have come, counting {dropped} whose wait was dropped"),
        Known::TaskNotWatched => "a task that is not watched".to_owned(),
        Known::Gone(last) => {
            let (who, at, fate) = (who(last, all), line(last.at), fate(last, all));
            format!("{who} used one last at {at}{fate}; that one is gone")
        }
        Known::Over { messages, all_gone } => {
            let mut text = match messages {
                0 => String::new(),
                1 => "1 message is in the channel, and ".to_owned(),
                some => format!("{some} messages are in the channel, and "),
            };
            if *all_gone {
                text += "all who had it are gone; ";
            }
            text + "nothing has polled this wait since"
        }
        Known::Notified(last) => {
            let (who, at) = (who(last, all), line(last.at));
            format!("{who} was notified last, at {at}")
        }
        Known::NeverNotified => "nobody has notified it so far".to_owned(),
        Known::WhoNotifies => "who notifies is not known".to_owned(),
        Known::KeptFor(first) => format!("kept for {}", before(first)),
        Known::Behind(first) => format!("the next is for {}", before(first)),
        Known::Nobody => "nobody is known to have it".to_owned(),
    }
}

fn before(first: &First) -> String {
    match first {
        First::Another => "one who came before".to_owned(),
        First::Itself { at, is_polled } => {
            let polled = if *is_polled {
                ""
            } else {
                ", which is not polled any more"
            };
            format!("its own wait at {}{polled}", line(at))
        }
    }
}

fn use_of(user: &Use, all: &[Looks]) -> String {
    let (who, at, many) = (who(user, all), line(user.at), user.many);
    match user.has {
        // Even a guard that borrows may have been given away since, if the lock lives forever.
        Has::Now | Has::Took if many > 1 => format!("{who} took {many} of it at {at}"),
        Has::Now | Has::Took => format!("{who} took it at {at}{}", since(user, all)),
        Has::Reserved => format!("{who} reserved a place at {at}"),
        Has::UsedLast => format!("{who} used it last at {at}"),
        Has::NotUsedYet => {
            format!("{who} made it at {at}, and nothing was sent or received by it yet")
        }
        Has::NotifiedOne if many > 1 => {
            format!("{who} notified one at {at}, {}", times(many))
        }
        Has::NotifiedOne => format!("{who} notified one at {at}"),
        Has::Unwatched => {
            format!("{who} made tokio's own of it at {at}, of which no more is known")
        }
        Has::Notified => format!("{who} notified all at {at}, before this wait"),
        Has::Forgot => format!("{many} forgotten at {at}, last by {who}"),
        _ => format!("{who} waits for it at {at}"),
    }
}

/// What has become of the task that took it.
fn since(user: &Use, all: &[Looks]) -> &'static str {
    let Some(task) = user.task() else {
        return "";
    };
    let state = match looks::at(task, all) {
        Some(known) => known.now.state.clone(),
        None => task.facts().state,
    };
    match state {
        State::Ready if (task.types.may_return_more)() => {
            ", and has ended: it returned it, gave it away or forgot it"
        }
        State::Ready => ", and has ended: it gave it away or forgot it",
        _ => "",
    }
}

fn who(user: &Use, all: &[Looks]) -> String {
    match &user.who {
        Actor::Thread(place) => place.name.to_string(),
        Actor::PollOf(task) => called(task, all),
        Actor::OwnPoll => unreachable!("it is in a poll of a task"),
    }
}

/// Goes on after `a cycle of waits`.
pub(crate) fn doubt(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::None => "",
        Doubt::Freed => ", unless another task can free one of these",
        Doubt::Given => {
            ", unless one of these waits for more than this, or has given away what it used last"
        }
    }
}

/// A lock for which a thread waits.
pub(crate) fn lock(wait: &Wait, all: &[Looks]) -> String {
    let (holder, wanted) = (&wait.holder, wait.wanted);
    let (taken, name) = (holder.taken, &holder.place.name);
    // If its own thread has it, the poll that goes on is the one of which this is said.
    let is_told = holder.place.id != wait.thread || holder.task_that_waits().is_some();
    let task = holder.task.as_ref().filter(|_| is_told);
    let poll = task.map_or(String::new(), |task| {
        format!(" in the poll of {}", called(task, all))
    });
    format!("taken at {taken} by {name}{poll}, wanted at {wanted}")
}
