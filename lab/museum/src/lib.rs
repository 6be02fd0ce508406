//! A museum of mistakes that were published: in tutorials, in books, in released crates. It is for readers of the book who
//! want to see such a mistake fail, and for programmers who want to know whether their own code has it.
//!
//! Each exhibit is the smallest program that still has the mistake, beside a twin that differs only where it is
//! repaired. Both run, each in a process of its own under the watchdog of `probe`, so that none can harm the visitor.
//!
//! `cargo run -p museum` lists them. `cargo run -p museum -- stale-waker` shows one.
//!
//! To read on: [`Exhibit`] says what an exhibit declares, and `exhibits/` has one file for each; `props.rs` has what
//! several of them need. [`visit`] runs the two programs of an exhibit and judges what was seen, [`page`] sets it for a
//! reader, [`list`] makes the tables.

mod exhibit;
mod exhibits;
pub mod list;
pub mod page;
mod props;
pub mod visit;

pub use exhibit::{Breaks, Exhibit, Fails};
pub use exhibits::ALL;

/// The names of the exhibits that only another system can run. It is Linux, whose epoll they are about.
pub fn elsewhere() -> impl Iterator<Item = String> {
    let names = exhibits::FILES.iter().map(|file| file.replace('_', "-"));
    names.filter(|name| exhibit(name).is_none())
}

/// The exhibit of this name.
pub fn exhibit(name: &str) -> Option<&'static Exhibit> {
    ALL.iter().copied().find(|exhibit| exhibit.name == name)
}
