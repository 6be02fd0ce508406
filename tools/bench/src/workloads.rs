//! The rows. Each is a function, for any runtime that can do it.

mod messages;
mod sockets;
mod tasks;

use crate::{
    measure::Measure,
    runtime::{Net, Runtime},
};

/// The rows of a runtime that only runs tasks, in their order.
pub fn on<R: Runtime>() -> Vec<(&'static str, Measure)> {
    let rows: [(_, Measure); 9] = [
        ("spawn", tasks::spawn::<R>),
        ("spawn-await", tasks::spawn_await::<R>),
        ("yield", tasks::yields::<R>),
        ("chain", tasks::chain::<R>),
        ("two-tasks", messages::two_tasks::<R, 2>),
        ("two-tasks-one-worker", messages::two_tasks::<R, 1>),
        ("oneshot", messages::oneshots::<R>),
        ("mpsc", messages::pairs::<R>),
        ("memory", tasks::memory::<R>),
    ];
    rows.into()
}

/// The rows of a runtime that has timers and sockets too.
pub fn on_net<R: Net>() -> Vec<(&'static str, Measure)> {
    let mut rows = on::<R>();
    rows.push(("sleeps", tasks::sleeps::<R>));
    rows.push(("echo", sockets::echo::<R>));
    rows.push(("http", sockets::http::<R>));
    rows
}
