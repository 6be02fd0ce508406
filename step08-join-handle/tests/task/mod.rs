//! A task and its handle, moved on by hand, step by step, without threads: who polls, who drops, who wakes, and how often.

mod bench;
mod destructors;
mod join;
mod table;
mod threads;
