//! The limit of descriptors, which is the limit of connections.

/// How many descriptors other uses may need, such as the runtime.
#[cfg(unix)]
const RESERVE: u64 = 16;

/// How many of the `wanted` connections this process may have, with both ends of each in it. Raises the limit if that is
/// needed and allowed.
#[cfg(unix)]
pub fn connections(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let open = std::fs::read_dir("/dev/fd").map_or(3, |entries| entries.count() as u64);
    let others = open + RESERVE;
    let needed = 2 * wanted as u64 + others;
    let limit = getrlimit(Resource::Nofile);
    let Some(soft) = limit.current.filter(|soft| *soft < needed) else {
        return wanted;
    };
    let raised = limit.maximum.map_or(needed, |hard| hard.min(needed));
    let new = Rlimit {
        current: Some(raised),
        ..limit
    };
    let now = match setrlimit(Resource::Nofile, new) {
        Ok(()) if raised == soft => soft,
        Ok(()) => {
            eprintln!("note: the limit of descriptors was {soft}, and is {raised} now");
            raised
        }
        Err(error) => {
            eprintln!("note: the limit of descriptors stays {soft}: {error}");
            soft
        }
    };
    let possible = now.saturating_sub(others) / 2;
    wanted.min(possible as usize)
}

/// All that are `wanted`, because Windows has no such limit.
#[cfg(not(unix))]
pub fn connections(wanted: usize) -> usize {
    wanted
}
