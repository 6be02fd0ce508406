//! Mistakes, nearly all of published code, each as the smallest program that still makes it, beside a fixed version. It is
//! for readers of the book who want to see such a mistake fail, and for programmers who want to know whether their own code has it.
//!
//! `cargo run -p museum` lists the exhibits. `cargo run -p museum -- stale-waker` runs both programs of one, each in a
//! process of its own under the watchdog of `probe`.
//!
//! To read on: [`Exhibit`] is what each file in `exhibits/` begins with, and `props.rs` is what several of them need.
//! [`orders`] tells the games of the book how an exhibit can end.
//! [`visit`] runs the two programs of an exhibit and judges what was seen, [`page`] sets it for a reader.

mod exhibits;
pub mod orders;
pub mod page;
mod props;
pub mod visit;

pub use exhibits::ALL;

/// One mistake, and its fixed version.
#[derive(Debug)]
pub struct Exhibit {
    /// What it is called on the command line. Its file has underscores in place of the dashes.
    pub name: &'static str,
    /// What is wrong, in one line.
    pub title: &'static str,
    /// Where it was: a document and its defect, or a project and its release or issue.
    pub was_in: &'static str,
    /// The rule that it does not keep.
    pub breaks: &'static str,
    /// The chapter of the book that has what it takes to see the mistake.
    pub chapter: u8,
    /// How the broken program must fail.
    pub fails: Fails,
    /// Why it fails so, and what the fixed version does instead.
    pub why: &'static str,
    /// The line that the fixed version must print before it ends with status 0.
    pub passes: &'static str,
    /// The broken program.
    pub broken: fn(),
    /// Its fixed version.
    pub repaired: fn(),
}

/// How a broken program must fail.
#[derive(Debug, Clone, Copy)]
pub enum Fails {
    /// It does not end, and the watchdog says this of it.
    Hangs(&'static str),
    /// It ends with status 0, and this line shows what is wrong.
    Prints(&'static str),
    /// It panics, and the message holds this.
    Panics(&'static str),
    /// Natively anything may happen. Miri says this.
    Miri(&'static str),
    /// Hardly any run shows it. loom finds the run that panics with this.
    Loom(&'static str),
}

/// The exhibit of this name.
pub fn exhibit(name: &str) -> Option<&'static Exhibit> {
    ALL.iter().copied().find(|exhibit| exhibit.name == name)
}
