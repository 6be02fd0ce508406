//! Ctrl-Z and `fg`: a program is stopped and goes on, which interrupts the wait in the kernel.

#![cfg(target_os = "linux")]
// Miri starts no programs.
#![cfg(not(miri))]

use std::{
    env, fs,
    future::poll_fn,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use probe::within;
use rustix::{
    io::read,
    process::{Pid, Signal, kill_process},
    stdio::stdin,
};
use step09_epoll_reactor::{
    Direction, Reactor, Registered, Runtime, v1_by_hand, v2_epoll::Epoll, v3_polling::Polling,
};

/// The version, in the process that is stopped.
const READ: &str = "READ_WITH_VERSION";
const NAME: &str = "signals::a_program_that_was_stopped_goes_on";

#[test]
fn a_program_that_was_stopped_goes_on() {
    if let Ok(version) = env::var(READ) {
        return wait_for_a_byte(&version);
    }
    for version in ["1", "2", "3"] {
        within(Duration::from_secs(30), || stop_and_continue(version));
    }
}

fn wait_for_a_byte(version: &str) {
    println!("\nstarted");
    let reactor = match version {
        "1" => {
            let stdin = stdin().try_clone_to_owned().unwrap();
            let (epoll, mut input) = v1_by_hand::open(stdin).unwrap();
            let mut runtime = Runtime::with_park(epoll);
            let read = runtime.block_on(async { input.read(&mut [0; 8]).await });
            return assert_eq!(read.unwrap(), 1);
        }
        "2" => Reactor::new(Epoll::new().unwrap()),
        _ => Reactor::new(Polling::new().unwrap()),
    };
    Runtime::with_reactor(reactor).block_on(async {
        let input = Registered::blocking(stdin()).unwrap();
        let read = |_: &_| Ok(read(stdin(), &mut [0; 8])?);
        let read = poll_fn(|cx| input.poll_io(Direction::Read, cx, read));
        assert_eq!(read.await.unwrap(), 1);
    });
}

fn stop_and_continue(version: &str) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(READ, version)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "started"));
    let id = Pid::from_child(&child);
    // Five times, because it may not be in the kernel yet when it is stopped for the first time.
    for _ in 0..5 {
        thread::sleep(Duration::from_millis(1));
        kill_process(id, Signal::STOP).unwrap();
        until(child.id(), |state| state == 'T');
        kill_process(id, Signal::CONT).unwrap();
        until(child.id(), |state| state != 'T');
    }
    child.stdin.take().unwrap().write_all(b"1").unwrap();
    let rest: Vec<_> = lines.map(Result::unwrap).collect();
    assert!(
        child.wait().unwrap().success(),
        "version {version}: {rest:?}"
    );
}

/// Waits until the first thread of the program is in such a state, as the kernel abbreviates it.
fn until(id: u32, is_so: impl Fn(char) -> bool) {
    loop {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let state = status.lines().find_map(|line| line.strip_prefix("State:"));
        if is_so(state.unwrap().trim_start().chars().next().unwrap()) {
            return;
        }
        thread::yield_now();
    }
}
