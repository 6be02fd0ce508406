//! What `book/players.toml` says of a player that is not so.

use crate::{
    beside::{Kind, Lane},
    listing::Listing,
    player::Player,
    run::{frame::Frame, queue::Queue},
};

impl Player {
    /// Each in a line, with what to do.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut found = self.of_lines();
        found.extend(self.of_steps());
        found.extend(self.of_lanes());
        let name = &self.name;
        let shown = |fault| format!("book/players.toml: {name}: {fault}");
        found.into_iter().map(shown).collect()
    }

    fn all_frames(&self) -> impl Iterator<Item = &Frame> {
        self.parts.iter().flat_map(|part| &part.frames)
    }

    /// The places in the listing, and the steps that are at them.
    fn of_lines(&self) -> Vec<String> {
        let (mut found, lines) = (Vec::new(), &self.beside.lines);
        let listing = Listing::read(&self.beside.listing);
        for (key, place) in lines {
            if let Err(why) = listing.find(place) {
                found.push(format!("`{key}`: {why}: correct the words of its place"));
            }
            if !self
                .all_frames()
                .any(|frame| frame.of(lines) == Some(place))
            {
                found.push(format!("`{key}`: no step is at this line: remove it"));
            }
        }
        let decides = &self.beside.decides.step;
        let mut frames = self.all_frames();
        let decisive = frames.find(|frame| frame.keys.contains(decides));
        if decisive.is_some_and(|frame| self.line(&listing, frame).is_none()) {
            found.push(format!(
                "`{decides}`: no line of the listing is at work in the step that decides: name it in `lines`"
            ));
        }
        found
    }

    /// The steps that are named otherwise.
    fn of_steps(&self) -> Vec<String> {
        let mut found = Vec::new();
        let beside = &self.beside;
        let mut keys: Vec<&String> = beside.omits.keys().chain(beside.room.keys()).collect();
        // A step of which nothing is said is left out on purpose.
        let says = beside.says.iter().filter(|(_, text)| !text.is_empty());
        keys.extend(says.map(|(key, _)| key));
        keys.push(&beside.decides.step);
        keys.extend(Some(&beside.instead.step).filter(|step| !step.is_empty()));
        for name in beside
            .matters
            .iter()
            .filter(|task| self.number(task).is_none())
        {
            found.push(format!("`matters`: no future is `{name}`: name one"));
        }
        for key in keys {
            if !self.all_frames().any(|frame| frame.keys.contains(key)) {
                found.push(format!(
                    "no step is `{key}`: name one that is in the recording"
                ));
            }
        }
        found
    }

    /// The lines in which words are written, and the queues from which tasks are stolen.
    fn of_lanes(&self) -> Vec<String> {
        let mut found = Vec::new();
        let lanes = &self.parts[0].run.beside.lanes;
        for lane in lanes {
            let mut events = self.parts.iter().flat_map(|part| &part.run.events);
            let is_line = matches!(lane.is, Kind::Line | Kind::Steals);
            if is_line && !events.any(|event| lane.is_of(&event.place)) {
                let at = &lane.at;
                found.push(format!(
                    "`{at}`: nothing is recorded in such a line: correct its words"
                ));
            }
        }
        for lane in lanes.iter().filter(|lane| lane.is == Kind::Steals) {
            let from = Queue::Own(lane.whose.clone());
            let is_it = |queue: &Lane| Queue::of(queue).as_ref() == Some(&from);
            if !self.beside.lanes.iter().any(is_it) {
                found.push(format!(
                    "`Steals`: no `OwnQueue` is {from}: correct its `whose`"
                ));
            }
        }
        found
    }
}
