//! The built book, a server for it, and a browser that is driven.

mod driver;
mod files;
mod shots;

pub use driver::{Driver, Missing};
pub use files::{Built, Server};
pub use shots::shots;
