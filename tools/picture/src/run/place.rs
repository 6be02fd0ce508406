//! What is in a place that no recording knows, by its rule in `book/players.toml`.

use crate::{
    beside::Place,
    run::{Name, frame::Frame},
};

/// Follows the rule of a place. Returns what is said of it.
pub(super) fn happens(place: &Place, there: &mut Vec<Name>, frame: &Frame) -> String {
    let event = &frame.event;
    let inside = frame.state.threads[event.thread].polls.last().copied();
    let who = event.task.or(inside).unwrap_or(event.thread);
    let is_one = |list: &[String]| frame.keys.iter().any(|key| list.contains(key));
    if is_one(&place.enter) {
        if place.room > 0 && there.len() == place.room {
            return place.says.finds_no_room.clone();
        }
        there.push(who);
        return place.says.enters.clone();
    }
    if !is_one(&place.leave) {
        return String::new();
    }
    if there.is_empty() {
        return place.says.finds_nothing.clone();
    }
    let its_place = there.iter().position(|name| *name == who).unwrap_or(0);
    let gone = there.remove(its_place);
    place.says.leaves.replace("{}", &format!("`{gone}`"))
}
