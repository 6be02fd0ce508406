//! The example `http` as a program, with clients that behave and clients that do not.

// Miri starts no programs, and loom has no sockets.
#![cfg(all(unix, not(miri), not(loom)))]

mod client;
mod clients;
mod limits;
mod server;
mod stop;

#[allow(dead_code, reason = "`main` is of use to the example alone")]
#[path = "../../examples/http/main.rs"]
mod example;
