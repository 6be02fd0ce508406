//! Ctrl-Z and `fg`: the program is stopped, and goes on. The wait in the kernel is then interrupted, where nothing else is.

use std::{fs, io::Write, process::Stdio, thread, time::Duration};

use probe::within;
use rustix::process::{Pid, Signal, kill_process};

use super::{
    children,
    program::{Program, TOO_LONG},
};

#[test]
fn the_program_goes_on_after_it_was_stopped() {
    stopped_and_continued(Program::start, "49", "11");
}

#[test]
fn version_1_goes_on_after_it_was_stopped() {
    let start = |input| children::start("linux::version_1_echoes", input);
    stopped_and_continued(start, "39", "1");
}

#[test]
fn version_2_goes_on_after_it_was_stopped() {
    let start = |input| children::start("linux::version_2_echoes", input);
    stopped_and_continued(start, "39", "1");
}

fn stopped_and_continued(start: impl FnOnce(Stdio) -> Program, one: &str, two: &str) {
    within(TOO_LONG, || {
        let mut program = start(Stdio::piped());
        let mut output = program.input();
        let id = program.id();
        output.write_all(b"39\n").unwrap();
        assert_eq!(program.line(), one);
        for _ in 0..5 {
            sleeps_again(id);
            send(id, Signal::STOP);
            until(id, || is_stopped(id));
            send(id, Signal::CONT);
        }
        // Now it is stopped while a line comes.
        send(id, Signal::STOP);
        until(id, || is_stopped(id));
        output.write_all(b"1\n").unwrap();
        send(id, Signal::CONT);
        assert_eq!(program.line(), two);
        let before = cpu_time(id);
        sleeps_again(id);
        let used = cpu_time(id) - before;
        assert!(used < Duration::from_millis(50), "{used:?}");
        drop(output);
        assert_eq!(program.end().0, Some(0));
    });
}

/// Waits until the program has blocked once more. What spins does not block.
fn sleeps_again(id: u32) {
    let before = blocked(id);
    until(id, || blocked(id) > before);
}

fn send(id: u32, signal: Signal) {
    let id = Pid::from_raw(id.try_into().unwrap()).unwrap();
    kill_process(id, signal).unwrap();
}

fn until(id: u32, condition: impl Fn() -> bool) {
    while !condition() {
        assert_ne!(state(id), 'Z', "it has ended");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Whether its first thread is stopped, with which all others are.
fn is_stopped(id: u32) -> bool {
    state(id) == 'T'
}

fn state(id: u32) -> char {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    field(&status, "State:").chars().next().unwrap()
}

/// How often the threads of the program have blocked.
fn blocked(id: u32) -> u64 {
    let counts = threads(id, "status");
    let counts = counts
        .iter()
        .map(|it| field(it, "voluntary_ctxt_switches:"));
    counts.map(|count| count.parse::<u64>().unwrap()).sum()
}

/// How long the threads of the program have run.
fn cpu_time(id: u32) -> Duration {
    let times = threads(id, "schedstat");
    let times = times.iter().map(|it| it.split(' ').next().unwrap());
    Duration::from_nanos(times.map(|time| time.parse::<u64>().unwrap()).sum())
}

/// This file of each thread.
fn threads(id: u32, file: &str) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let read = |thread: fs::DirEntry| fs::read_to_string(thread.path().join(file)).unwrap();
    threads.map(|thread| read(thread.unwrap())).collect()
}

fn field<'a>(status: &'a str, name: &str) -> &'a str {
    let value = status.lines().find_map(|line| line.strip_prefix(name));
    value.unwrap().trim()
}
