//! *What would you change?* A program that works, what it costs, and what it costs after the change.

mod w01_a_hundred_callbacks;
mod w02_three_requests;
mod w03_a_large_future;
mod w04_a_long_computation;
mod w05_a_clone_for_each_poll;
mod w06_requests_in_time;
mod w07_twenty_in_one_task;
mod w08_a_slow_disk;
mod w09_byte_by_byte;
mod w10_a_thousand_from_outside;
