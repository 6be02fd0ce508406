//! The message: what was seen and judged, in words.

mod book;
mod calls;
mod layout;
mod names;
mod pages;
mod patient;
pub(crate) mod report;
pub(crate) mod trace;
mod waits;
mod words;
