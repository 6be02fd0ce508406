//! A thousand connections on one thread, what an echo asks of the kernel by each selector, and what a dropped read loses.

mod demo {
    pub mod cancelled;
    pub mod connections;
    pub mod counted;
    pub mod limit;
    pub mod selectors;
}

use std::io;

fn main() -> io::Result<()> {
    demo::connections::show()?;
    demo::selectors::show()?;
    demo::cancelled::show()
}
