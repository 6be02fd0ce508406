//! `step09-epoll-reactor stdin` as a program, with each kind of standard input that a shell can give it.

mod children;
mod inputs;
mod program;
#[cfg(target_os = "linux")]
mod signals;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(unix)]
mod transcripts;
#[cfg(unix)]
mod unix;
