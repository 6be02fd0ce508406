//! A thousand connections on one thread.

/// Serves as many connections as the limit of descriptors allows, and prints what that took.
pub fn show() {}
