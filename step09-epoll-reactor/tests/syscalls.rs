//! How many system calls an echo costs on each version, and on tokio: `tests/syscalls.txt`, which the book shows.
//!
//! The test runs itself again under `strace`, as the server. What it calls from the end of one echo to the end of the next
//! is what an echo costs.

#![cfg(target_os = "linux")]
// Miri starts no programs.
#![cfg(not(miri))]

#[path = "../examples/echoes/versions.rs"]
mod versions;

use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, Write},
    process::Command,
    time::Duration,
};

use kit::process::{Limits, run};

/// After the first one. An odd number, so that one of the counts is in the middle.
const ECHOES: usize = 11;
const LIMIT: Duration = Duration::from_secs(60);

/// The version and the number of echoes, in the process that serves.
const SERVE: &str = "SERVE_ECHOES";

/// The columns, in the order in which an echo calls them. `epoll_wait` is any of its kind: which one a library calls
/// depends on the processor.
const CALLS: [&str; 6] = [
    "epoll_wait",
    "read",
    "recvfrom",
    "sendto",
    "epoll_ctl",
    "timerfd_settime",
];

/// What a thread calls now and then for memory and for locks.
const OTHERS: [&str; 8] = [
    "brk",
    "futex",
    "madvise",
    "mmap",
    "mprotect",
    "mremap",
    "munmap",
    "sched_yield",
];

#[test]
fn each_version_asks_the_system_for_what_the_table_says() {
    if let Ok(serve) = env::var(SERVE) {
        let (version, echoes) = serve.split_once(' ').unwrap();
        return versions::serve(version, echoes.parse().unwrap()).unwrap();
    }
    if let Err(why) = strace_works() {
        let required = env::var("STRACE").is_ok_and(|it| it == "required");
        assert!(!required, "STRACE=required, and {why}");
        // Past the test's own capture, so that it is seen.
        let line = format!("left out: the system calls of an echo: {why}\n");
        let _ = io::stderr().write_all(line.as_bytes());
        return;
    }
    let mut table = format!("{:17}", "calls for an echo");
    for call in CALLS {
        table += &format!("  {call}");
    }
    table += "  all\n";
    for version in versions::VERSIONS {
        let calls = calls_for_an_echo(version);
        let all: usize = calls.values().sum();
        let name = match version {
            "tokio" => version.to_owned(),
            _ => format!("version {version}"),
        };
        table += &format!("{name:17}");
        for call in CALLS {
            let count = calls.get(call).copied().unwrap_or(0);
            table += &format!("  {count:>width$}", width = call.len());
        }
        table += &format!("  {all:>3}\n");
        let unknown: Vec<_> = calls
            .keys()
            .filter(|it| !CALLS.contains(&it.as_str()))
            .collect();
        assert!(
            unknown.is_empty(),
            "version {version} also calls {unknown:?}"
        );
    }
    kit::transcript::compare("tests/syscalls.txt", &table);
}

/// Whether strace is there, and may do its work.
fn strace_works() -> Result<(), String> {
    match Command::new("strace").args(["-f", "-qq", "true"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!(
                "strace may not: {}",
                said.lines().next().unwrap_or("it says nothing")
            ))
        }
        Err(error) => Err(format!("strace: {error}")),
    }
}

/// The calls of the thread that serves in one echo: of each, the median of all echoes after the first. A signal may interrupt
/// a call, which is then made again.
fn calls_for_an_echo(version: &str) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-o"])
        .arg(&file)
        .arg(env::current_exe().unwrap())
        .args([
            "--exact",
            "syscalls::each_version_asks_the_system_for_what_the_table_says",
        ])
        .env(SERVE, format!("{version} {}", 1 + ECHOES));
    let ran = run(&mut strace, Limits::time(LIMIT)).unwrap();
    let (stdout, stderr) = (ran.stdout, ran.stderr);
    assert!(
        ran.end.is_success(),
        "version {version}: {}\n{stdout}{stderr}",
        ran.end
    );
    let trace = fs::read_to_string(&file).unwrap();
    // Each line has the number of the thread. Where a call lasts, a second line says how it ends, and names it in brackets.
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let calls: Vec<_> = trace
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(thread, call)| Some((thread, call.trim_start().split_once('(')?.0)))
        .filter(|(_, name)| is_name(name))
        .collect();
    let server = calls.iter().find(|(_, name)| *name == "epoll_create1");
    let (server, _) = server.expect("the server uses epoll");
    let served = calls.iter().filter(|(thread, _)| thread == server);
    let names: Vec<_> = served.map(|(_, name)| *name).collect();
    let ends: Vec<_> = (0..names.len())
        .filter(|it| names[*it] == "sendto")
        .collect();
    assert_eq!(ends.len(), 1 + ECHOES, "version {version}: {names:?}");
    let mut counts: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (echo, end) in ends.windows(2).enumerate() {
        for name in &names[end[0] + 1..=end[1]] {
            let name = match *name {
                "epoll_pwait" | "epoll_pwait2" => "epoll_wait",
                name if OTHERS.contains(&name) => continue,
                name => name,
            };
            let counts = counts.entry(name.to_owned()).or_default();
            counts.resize(ECHOES, 0);
            counts[echo] += 1;
        }
    }
    let median = |mut counts: Vec<usize>| *counts.select_nth_unstable(ECHOES / 2).1;
    let medians = counts.into_iter().map(|(name, it)| (name, median(it)));
    medians.filter(|(_, count)| *count > 0).collect()
}
