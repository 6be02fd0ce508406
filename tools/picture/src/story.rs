//! A recording as sentences.

use probe::{Event, Named, Recording, What};

use crate::run::Words;

/// Tells what happened, event by event.
#[derive(Debug)]
pub struct Story<'a> {
    recording: &'a Recording,
    words: Words,
}

impl<'a> Story<'a> {
    /// Tells of this recording, in these words.
    pub fn new(recording: &'a Recording, words: Words) -> Self {
        Story { recording, words }
    }

    /// An event as a sentence, with marks for style. `by` is the future or thread that polls.
    pub fn sentence(&self, event: &Event, by: &str) -> String {
        let thread = name(&self.recording.threads, event.thread);
        let task = event
            .task
            .map(|task| name(&self.recording.tasks, task))
            .unwrap_or_default();
        match (&event.what, self.words) {
            (What::Spawn, _) => format!("`{task}` is made"),
            (What::Poll { .. }, Words::Looks) => format!("{thread} looks"),
            (What::Pending, Words::Looks) => "nothing yet".to_owned(),
            (What::Ready, Words::Looks) => "*data*".to_owned(),
            (What::Poll { .. }, _) => format!("{by} polls `{task}`"),
            (What::Pending, _) => format!("`{task}`: pending"),
            (What::Ready, _) => format!("`{task}`: *ready*"),
            (What::Panic, _) => format!("`{task}` panics"),
            (What::PollAfterReady, _) => format!("{by} polls `{task}`, which was ready"),
            (What::Drop, _) => format!("`{task}` is dropped"),
            (What::Keep { .. }, _) => format!("`{task}`'s waker is kept"),
            (What::Release { .. }, _) => format!("`{task}`'s waker is given back"),
            (What::Wake { .. }, Words::PlainWakes) => format!("{by} *calls* `wake`"),
            (What::Wake { .. }, _) => format!("{by} *wakes* `{task}`"),
            (What::Park, _) => format!("{thread} is asleep"),
            (What::Unpark, _) => format!("{thread} goes on"),
        }
    }
}

/// The name of a thread or a task.
pub fn name(list: &[Named], id: u32) -> &str {
    let named = list.iter().find(|named| named.id == id);
    named.map_or("somebody", |named| named.name.as_str())
}
