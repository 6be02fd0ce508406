//! Which chapter explains what. A chapter's title is in the metadata of its stage.

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

impl Chapter {
    fn manifest(self) -> &'static str {
        match self {
            Chapter::Join => include_str!("../../../step02-join/Cargo.toml"),
            Chapter::TimerFuture => include_str!("../../../step03-timer-future/Cargo.toml"),
            Chapter::ChannelExecutor => include_str!("../../../step04-channel-executor/Cargo.toml"),
            Chapter::ParkerBlockOn => include_str!("../../../step05-parker-block-on/Cargo.toml"),
            Chapter::Reactor => include_str!("../../../step06-reactor/Cargo.toml"),
            Chapter::MiniTokio => include_str!("../../../step07-mini-tokio/Cargo.toml"),
            Chapter::JoinHandle => include_str!("../../../step08-join-handle/Cargo.toml"),
        }
    }
}

impl std::fmt::Display for Chapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut lines = self.manifest().lines();
        let title = lines.find_map(|line| line.strip_prefix("title = "));
        let title = title.unwrap_or_default();
        write!(f, "chapter {:02}, {title}", *self as usize)
    }
}
