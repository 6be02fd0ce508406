//! Waits in async code for an answer that a library gives by calling a function.

fn main() {}
