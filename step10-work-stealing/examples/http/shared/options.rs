//! What can be chosen on the command line.

use std::{
    net::{Ipv4Addr, SocketAddr},
    str::FromStr,
    time::Duration,
};

pub const USAGE: &str =
    "[ADDRESS] [--patience MILLISECONDS] [--grace MILLISECONDS] [--connections NUMBER]";

/// Descriptors that are left for everything but connections.
const OTHERS: usize = 32;

#[derive(Debug)]
pub struct Options {
    pub address: SocketAddr,
    /// How long a client may take to send the head of a request, to send the next request, or to take the next part of an
    /// answer.
    pub patience: Duration,
    /// How long requests may go on after Ctrl-C.
    pub grace: Duration,
    /// How many connections there may be at a time. Further ones wait in the line of the system.
    pub connections: usize,
}

impl Options {
    /// # Errors
    ///
    /// What is wrong.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            patience: Duration::from_secs(5),
            grace: Duration::from_secs(10),
            connections: most_connections(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().unwrap_or_default();
            match argument.as_str() {
                "--patience" => options.patience = Duration::from_millis(number(&value())?),
                "--grace" => options.grace = Duration::from_millis(number(&value())?),
                "--connections" => options.connections = number(&value())?,
                address => {
                    let address = address.parse();
                    options.address = address.map_err(|_| format!("no address: {argument}"))?;
                }
            }
        }
        match options.connections {
            0 => Err("no connections".to_owned()),
            _ => Ok(options),
        }
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("no number: {text:?}"))
}

/// As many as the process may have descriptors for, but not without end, because each takes memory.
fn most_connections() -> usize {
    const MOST: usize = 10_000;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::Nofile)
            .current
            .and_then(|limit| usize::try_from(limit).ok());
        limit.map_or(MOST, |limit| limit.saturating_sub(OTHERS).clamp(1, MOST))
    }
    #[cfg(not(unix))]
    {
        MOST - OTHERS
    }
}
