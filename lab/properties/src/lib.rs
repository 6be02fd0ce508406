//! # Properties
//!
//! What more than one stage promises, written once, for the tests of each of them.
//!
//! - [`walk`]: every order of the steps of a task's state.
//! - [`ends`]: every end of a task and of its handle, with code that panics wherever it can.
//! - [`foreign`]: every call of code that the runtime does not control, of which one panics.

pub mod ends;
pub mod foreign;
mod runtime;
pub mod walk;

pub use runtime::Runtime;
