//! What code that names tokio's types cannot call with `use why_pending::tokio;`. The README lists all of it.
//!
//! What borrows is tokio's own wherever it is not ours, because each type derefs to tokio's. So what may be missing are the functions of
//! tokio's types that take them by value, or take none: of these, each that `names.rs` does not call.

// A backtrace is no thing for Miri.
#![cfg(not(miri))]

use std::{
    backtrace::Backtrace,
    collections::BTreeSet,
    fs,
    future::poll_fn,
    path::PathBuf,
    pin::pin,
    task::{Poll, Waker},
};

/// Each of `why_pending::tokio` that is not tokio's own.
const TYPES: &[&str] = &[
    "Barrier",
    "JoinHandle",
    "JoinSet",
    "LocalSet",
    "MappedMutexGuard",
    "Mutex",
    "MutexGuard",
    "Notified",
    "Notify",
    "OwnedMappedMutexGuard",
    "OwnedMutexGuard",
    "OwnedNotified",
    "OwnedPermit",
    "OwnedRwLockMappedWriteGuard",
    "OwnedRwLockReadGuard",
    "OwnedRwLockWriteGuard",
    "OwnedSemaphorePermit",
    "Permit",
    "Receiver",
    "RwLock",
    "RwLockMappedWriteGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Semaphore",
    "SemaphorePermit",
    "Sender",
    "UnboundedReceiver",
    "UnboundedSender",
    "WeakSender",
    "WeakUnboundedSender",
];

/// The source of the tokio that these tests are compiled with, by a backtrace that goes through it.
fn source_of_tokio() -> PathBuf {
    let inside = tokio::task::unconstrained(poll_fn(|_| Poll::Ready(Backtrace::force_capture())));
    let Poll::Ready(trace) = why_pending::poll(&mut pin!(inside), Waker::noop()) else {
        unreachable!("it is ready");
    };
    let trace = trace.to_string().replace('\\', "/");
    let mut lines = trace.lines().map(str::trim);
    let of_line = |line: &str| {
        let (folder, _) = line.strip_prefix("at ")?.split_once("/task/coop/")?;
        Some(PathBuf::from(folder))
    };
    lines.find_map(of_line).expect("the backtrace has lines")
}

/// `Mutex` of `impl<T: ?Sized> Mutex<T> {`. Of the impl of a trait, it is the trait.
fn implements(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generics) => generics.split_once("> ")?.1,
        None => rest.trim_start(),
    };
    rest.split(|it: char| !it.is_alphanumeric()).next()
}

/// `into_inner` of `    pub fn into_inner(self) -> T`, and what comes after the parenthesis.
fn function(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("    pub ")?;
    let rest = rest
        .trim_start_matches("const ")
        .trim_start_matches("async ");
    let (name, rest) = rest.strip_prefix("fn ")?.split_once('(')?;
    Some((name.split('<').next()?, rest))
}

/// The functions of these types that do not borrow them.
fn functions_that_take_values() -> BTreeSet<String> {
    let source = source_of_tokio();
    let (mut folders, mut found) = (vec![source.join("sync")], BTreeSet::new());
    let mut files = vec![
        source.join("task/join_set.rs"),
        source.join("task/local.rs"),
        source.join("runtime/task/join.rs"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        let (mut of, mut lines) = (None, text.lines().peekable());
        while let Some(line) = lines.next() {
            if line.starts_with("impl") {
                of = implements(line).filter(|name| TYPES.contains(name));
            }
            let (Some(of), Some((name, rest))) = (of, function(line)) else {
                continue;
            };
            let first = if rest.is_empty() {
                lines.peek().map_or("", |next| next.trim())
            } else {
                rest
            };
            let borrows = ["&", "self: &", "self: Pin<&"];
            if !borrows.iter().any(|it| first.starts_with(it)) {
                found.insert(format!("{of}::{name}"));
            }
        }
    }
    found
}

#[test]
fn the_readme_has_the_version_of_tokio_that_is_mirrored() {
    let source = source_of_tokio();
    let folder = source.parent().unwrap().file_name().unwrap();
    // `tokio-1.54.1`, of which the last number may change at any time.
    let version = folder.to_str().unwrap().replace("tokio-", "tokio ");
    let minor = version.rsplit_once('.').unwrap().0;
    let said = format!("These names mirror {minor}.");
    assert!(include_str!("../README.md").contains(&said), "{said}");
}

#[test]
fn the_readme_lists_what_names_does_not_call() {
    let names = include_str!("names.rs");
    let all = functions_that_take_values();
    assert!(all.len() > 50, "{all:?}");
    let is_called = |function: &String| names.contains(&format!("{function}("));
    let missing = all.iter().filter(|function| !is_called(function));
    let missing: Vec<_> = missing.map(|function| format!("`{function}`")).collect();
    let readme = include_str!("../README.md").split_whitespace();
    let readme = readme.collect::<Vec<_>>().join(" ");
    let listed = format!("- Not there: {}.", missing.join(", "));
    assert!(readme.contains(&listed), "{listed}");
}
