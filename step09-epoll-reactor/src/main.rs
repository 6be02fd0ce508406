//! A thousand connections on one thread, what an echo asks of the kernel in each version, and what a dropped read loses.

mod demo {
    pub mod cancelled;
    pub mod connections;
    pub mod counted;
    pub mod limit;
    pub mod places;
}

use std::io;

fn main() -> io::Result<()> {
    demo::connections::show()?;
    demo::places::show()?;
    demo::cancelled::show()
}
