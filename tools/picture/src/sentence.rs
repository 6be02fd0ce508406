//! An event in words.

use probe::{Event, Named, Recording, What};

use crate::run::Wording;

/// An event as a sentence, with marks for style. `by` is the future or thread that polls.
pub(crate) fn sentence(recording: &Recording, wording: Wording, event: &Event, by: &str) -> String {
    let thread = name(&recording.threads, event.thread);
    let task = event
        .task
        .map(|task| name(&recording.tasks, task))
        .unwrap_or_default();
    match (&event.what, wording) {
        // The peer of a socket is a thread and no future.
        (What::Spawn, _) if task == thread => format!("{thread} sends the data"),
        (What::Spawn, _) => format!("`{task}` is made"),
        (What::Poll { .. }, Wording::Checks) => format!("{thread} checks"),
        (What::Pending, Wording::Checks) => "nothing yet".to_owned(),
        (What::Ready, Wording::Checks) => "*data*".to_owned(),
        (What::Poll { .. }, _) => format!("{by} polls `{task}`"),
        (What::Pending, _) => format!("`{task}`: pending"),
        (What::Ready, _) => format!("`{task}`: *ready*"),
        (What::Panic, _) => format!("`{task}` panics"),
        (What::PollAfterReady, _) => format!("{by} polls `{task}`, which was ready"),
        (What::Drop, _) => format!("`{task}` is dropped"),
        (What::Keep { .. }, _) => format!("`{task}`'s waker is stored"),
        (What::Release { .. }, _) => format!("`{task}`'s waker is dropped"),
        (What::Wake { .. }, Wording::PlainWakes) => format!("{by} *calls* `wake`"),
        (What::Wake { .. }, _) => format!("{by} *wakes* `{task}`"),
        (What::Park, _) => format!("{thread} sleeps"),
        (What::Unpark, _) => format!("{thread} goes on"),
    }
}

/// The name of a thread or a task.
pub(crate) fn name(list: &[Named], id: u32) -> &str {
    let named = list.iter().find(|named| named.id == id);
    named.map_or("a thread", |named| named.name.as_str())
}
