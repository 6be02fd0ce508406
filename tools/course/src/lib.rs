//! # The checks of the book
//!
//! A book about code goes wrong in silence: a listing is edited and its text is not, a file is renamed and mdBook logs
//! a line that nobody reads. Here is what fails instead. `README.md` beside this crate says how a page is written.
//!
//! To read on: [`Book`] is the book as it lies on the disk, [`Page`] one page of it, taken apart. Each file in
//! `checks/` is one rule; [`complaints`] asks all those that need no program to be run. [`programs`] and [`compiler`]
//! run what the pages show. [`browser`] opens the built book as a reader does.

mod anchors;
pub mod book;
pub mod browser;
pub mod built;
mod catalogue;
mod checks;
pub mod compiler;
mod complaint;
pub mod include;
mod literals;
mod matrix;
pub mod page;
pub mod programs;
pub mod report;
mod targets;
mod text;

pub use book::Book;
pub use checks::{complaints, skipped};
pub use complaint::Complaint;
pub use page::Page;
