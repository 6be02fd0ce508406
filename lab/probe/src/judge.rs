//! What is wrong, judged from what was seen: two looks at each task, one poll more, what that means for each, and who needs whom.
//! Nothing here has words.

pub(crate) mod again;
pub(crate) mod cycle;
pub(crate) mod diagnosis;
pub(crate) mod looks;
mod rank;
mod reach;
pub(crate) mod waits;

/// From so many polls on, a task that moves is called busy; and from so many times on, one asks for what is gone.
pub(crate) const MANY: usize = 20;
