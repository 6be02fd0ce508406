//! The message: what was seen and judged, in words.

mod calls;
mod chapters;
mod layout;
mod names;
mod patient;
pub(crate) mod report;
pub(crate) mod trace;
mod waits;
mod words;
