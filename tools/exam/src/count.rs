//! *Predict the count*: a program, and a test of what it counts.

mod c01_mail;
mod c02_three_leaves;
mod c03_calls_and_polls;
mod c04_out_of_the_channel;
mod c05_who_owns_the_bell;
mod c06_forgotten_deadlines;
mod c07_three_hundred_messages;
mod c08_aborted_in_the_queue;
mod c09_looks_into_the_kernel;
mod c10_two_thieves;
