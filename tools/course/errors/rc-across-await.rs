//! A task may be sent to another thread. An `Rc` may not.

use std::{rc::Rc, thread};

fn spawn(future: impl Future<Output = ()> + Send + 'static) {
    thread::spawn(move || drop(future));
}

async fn nap() {}

pub fn count() {
    spawn(async {
        let count = Rc::new(1);
        nap().await;
        println!("{count}");
    });
}
