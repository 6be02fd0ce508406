//! # The kit
//!
//! The museum and the tools start programs that may hang, and write files that must not fall out of date. Each of these is
//! done here, once. A stage's tests need one part of it, [`transcript`].
//!
//! - [`process`]: a program with a limit of time and a limit of output.
//! - [`files`]: the root of the project, text files, and the files in a folder.
//! - [`written`]: a file that a program writes, and the complaint if it is out of date.
//! - [`anchor`]: the parts of a file that pages include and later stages carry.
//! - [`source`]: a place in source code, by its words.
//! - [`change`]: a change of such a place, as a known mistake makes it.
//! - [`transcript`]: what a demo prints, in a file that a page includes.

pub mod anchor;
pub mod change;
pub mod files;
pub mod process;
pub mod source;
pub mod transcript;
pub mod written;
