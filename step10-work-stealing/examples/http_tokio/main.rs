//! The server of the example `http`, on tokio.

// tokio cannot be compiled for loom with what this needs.
#[cfg(not(loom))]
mod on_tokio;

#[cfg(not(loom))]
#[path = "../http/shared/mod.rs"]
mod shared;

#[cfg(not(loom))]
fn main() -> std::process::ExitCode {
    shared::run(std::env::args().skip(1), on_tokio::serve_on_tokio).into()
}

#[cfg(loom)]
fn main() {}
