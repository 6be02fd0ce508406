//! A guard must be dropped on the thread that locked the mutex.

use std::{
    sync::{Arc, Mutex},
    thread,
};

fn spawn(future: impl Future<Output = ()> + Send + 'static) {
    thread::spawn(move || drop(future));
}

async fn nap() {}

pub fn count(total: Arc<Mutex<u32>>) {
    spawn(async move {
        let mut total = total.lock().unwrap();
        nap().await;
        *total += 1;
    });
}
