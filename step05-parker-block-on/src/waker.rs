//! A waker that unparks: twice, by hand and by the standard library's `Wake`.

pub mod s1_by_hand;
pub mod s2_by_wake;
