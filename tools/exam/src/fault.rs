//! *Find the fault*: code with one mistake, and a test that shows what it does, there and once it is repaired.

mod f01_a_piece_at_a_time;
mod f02_side_by_side;
mod f03_out_and_in_again;
mod f04_the_queue_of_an_executor;
mod f05_a_parker;
mod f06_a_timer_starts;
mod f07_the_answer_of_a_neighbour;
mod f08_the_sum_of_the_workers;
mod f09_four_bytes_at_a_time;
mod f10_the_one_woken_last;
