//! The demo of stage 08.

fn main() {}
