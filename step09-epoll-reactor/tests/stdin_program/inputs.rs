//! Files, pipes, and outputs that cannot be written.

use std::{
    fs::{self, File},
    io::{Read, Write},
    process::Stdio,
    sync::mpsc::{self, TryRecvError},
    thread,
    time::Instant,
};

use probe::within;

use super::program::{A_TICK, Program, TOO_LONG};

#[test]
fn the_null_device_has_ended() {
    within(TOO_LONG, || {
        let (status, output, errors) = Program::start(Stdio::null()).end();
        assert_eq!((status, output.as_str(), errors.text()), (Some(0), "", ""));
    });
}

#[test]
fn a_file_is_read_from_where_it_stands_to_its_end() {
    within(TOO_LONG, || {
        let file = format!("{}/stdin-numbers", env!("CARGO_TARGET_TMPDIR"));
        fs::write(&file, "39\n40\n41").unwrap();
        let mut input = File::open(&file).unwrap();
        input.read_exact(&mut [0; 3]).unwrap();
        let (status, output, errors) = Program::start(input).end();
        assert_eq!((status, output.as_str()), (Some(0), "50\n51\n"));
        assert_eq!(errors.text(), "");
    });
}

#[test]
fn an_output_that_the_reader_has_closed_ends_it_without_a_word() {
    within(TOO_LONG, || {
        let mut program = Program::start(Stdio::piped());
        let mut output = program.input();
        output.write_all(b"39\n").unwrap();
        assert_eq!(program.line(), "49");
        program.close_output();
        // Not only once: a program that another test is about to start may still have this pipe, too.
        while output.write_all(b"40\n").is_ok() {}
        let (status, _, errors) = program.end();
        assert_eq!((status, errors.text()), (Some(1), ""));
    });
}

#[test]
fn an_endless_input_costs_no_memory_and_other_tasks_tick() {
    within(TOO_LONG, || {
        let mut program = Program::start(Stdio::piped());
        let mut output = program.input();
        let (stop, stopped) = mpsc::channel::<()>();
        let endless = thread::spawn(move || {
            let lines = "1\n".repeat(1_000);
            while stopped.try_recv() != Err(TryRecvError::Disconnected) {
                output.write_all(lines.as_bytes()).unwrap();
            }
        });
        let mut lines = |count: usize| (0..count).for_each(|_| assert_eq!(program.line(), "11"));
        lines(1_000);
        let start = Instant::now();
        lines(100_000);
        #[cfg(target_os = "linux")]
        let early = most_memory(program.id());
        while start.elapsed() < 2 * A_TICK {
            (0..1_000).for_each(|_| assert_eq!(program.line(), "11"));
        }
        (0..100_000).for_each(|_| assert_eq!(program.line(), "11"));
        #[cfg(target_os = "linux")]
        {
            let grown = most_memory(program.id()) - early;
            assert!(grown < 256, "{grown} KiB more");
        }
        drop(stop);
        let (status, rest, errors) = program.end();
        assert_eq!((status, errors.text()), (Some(0), ""));
        assert!(rest.lines().all(|line| line == "11"));
        assert!(errors.ticks() >= 1);
        endless.join().unwrap();
    });
}

/// In KiB.
#[cfg(target_os = "linux")]
fn most_memory(id: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let most = status.lines().find(|line| line.starts_with("VmHWM:"));
    let most = most.and_then(|line| line.split_whitespace().nth(1));
    most.unwrap().parse().unwrap()
}
