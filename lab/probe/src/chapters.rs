//! Which chapter explains what. The only place that knows their titles.

const TITLES: [&str; 10] = [
    "A future by hand",
    "Two futures at once",
    "A timer as a future",
    "An executor on a channel",
    "Park, unpark and block_on",
    "One thread for all timers",
    "A small tokio",
    "Join handles and worker threads",
    "Epoll and the reactor",
    "Work stealing",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chapter {
    Join = 2,
    TimerFuture = 3,
    ChannelExecutor = 4,
    ParkerBlockOn = 5,
    Reactor = 6,
    MiniTokio = 7,
    JoinHandle = 8,
}

impl std::fmt::Display for Chapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = *self as usize;
        write!(f, "chapter {number:02}, {:?}", TITLES[number - 1])
    }
}
