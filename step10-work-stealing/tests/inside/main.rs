//! What a user of the runtime cannot see, on a schedule that the test decides: one thread makes the steps of all.

mod idle_word;
mod state;
