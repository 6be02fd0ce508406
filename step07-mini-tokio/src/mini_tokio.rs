//! The runtime in two versions: the first polls every task in turn without pause, the second polls the tasks that
//! have been woken.

pub mod v1_queue;
pub mod v2_channel;
