//! A place that no recording knows, such as a token: `book/players.toml` has a rule that says what is in it.

use serde::Deserialize;

use crate::{frame::Frame, run::Name};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The label of the run, if the player shows several.
    #[serde(default)]
    pub(crate) of: String,
    pub(crate) header: String,
    /// For how many there is room. 0: there is no bound.
    #[serde(default)]
    pub(crate) room: usize,
    /// What puts the future of this event there, or that inside whose poll it happens. As in `lines`.
    pub(crate) enter: Vec<String>,
    /// What takes it out, or the first if it is not there.
    pub(crate) leave: Vec<String>,
    /// What is said when it comes in, finds no room, or leaves, and when there is none to leave.
    #[serde(default)]
    pub(crate) says: [String; 4],
    /// How an entry is shown, if not by its name.
    pub(crate) shows: Option<String>,
}

impl Place {
    /// What the event does here, and what is said of that.
    pub(crate) fn apply(&self, there: &mut Vec<Name>, frame: &Frame) -> String {
        let (event, is_full) = (&frame.event, self.room > 0 && there.len() == self.room);
        let inside = frame.state.threads[event.thread].polls.last().copied();
        let who = event.task.or(inside).unwrap_or(event.thread);
        let is_one = |list: &[String]| frame.keys.iter().any(|key| list.contains(key));
        let mut gone = "";
        let said = if is_one(&self.enter) {
            there.extend((!is_full).then_some(who));
            usize::from(is_full)
        } else if !is_one(&self.leave) {
            return String::new();
        } else if there.is_empty() {
            3
        } else {
            gone = there.remove(there.iter().position(|it| *it == who).unwrap_or(0));
            2
        };
        self.says[said].replace("{}", &format!("`{gone}`"))
    }
}
