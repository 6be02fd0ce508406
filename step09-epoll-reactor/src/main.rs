//! Numbers from a pipe while a task ticks, and a thousand connections on one thread.

fn main() {}
