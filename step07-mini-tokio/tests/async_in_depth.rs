//! What the document *Async in depth* (004) builds.

mod delay;
mod laziness;
mod no_thread;
mod threads;
