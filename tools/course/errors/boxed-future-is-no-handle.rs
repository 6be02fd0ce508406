//! The queue gets the future, and then there is nothing left to return.

use std::{pin::Pin, sync::mpsc::Sender};

pub type JoinHandle = Pin<Box<dyn Future<Output = ()> + Send>>;

pub fn spawn(queue: &Sender<JoinHandle>, future: JoinHandle) -> JoinHandle {
    queue.send(future).unwrap();
    future
}
