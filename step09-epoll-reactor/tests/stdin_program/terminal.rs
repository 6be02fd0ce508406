//! A terminal as standard input: a pair of which we hold the end where a person types.

use std::{fs::File, io::Write, os::fd::OwnedFd};

use probe::within;
use rustix::{
    fs::{Mode, OFlags, fcntl_getfl, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::tcgetattr,
};

use super::program::{Program, TOO_LONG};

const CTRL_D: &[u8] = b"\x04";

/// The end where a person types, and the terminal itself.
fn terminal() -> (File, OwnedFd) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let name = ptsname(&keyboard, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let terminal = open(name, flags, Mode::empty()).unwrap();
    (File::from(keyboard), terminal)
}

/// The settings that this terminal shares with all who have it, such as the shell.
fn settings(terminal: &OwnedFd) -> String {
    let modes = tcgetattr(terminal).unwrap();
    format!("{:?}, {modes:?}", fcntl_getfl(terminal).unwrap())
}

#[test]
fn ctrl_d_ends_it_and_nothing_is_set_while_it_runs_or_after_it() {
    within(TOO_LONG, || {
        let (mut keyboard, terminal) = terminal();
        let before = settings(&terminal);
        assert!(!fcntl_getfl(&terminal).unwrap().contains(OFlags::NONBLOCK));
        let mut program = Program::start(terminal.try_clone().unwrap());
        keyboard.write_all(b"39\n").unwrap();
        assert_eq!(program.line(), "49");
        assert_eq!(settings(&terminal), before);
        keyboard.write_all(b"1\n2\n").unwrap();
        assert_eq!(program.line(), "11");
        assert_eq!(program.line(), "12");
        keyboard.write_all(CTRL_D).unwrap();
        let (status, rest, errors) = program.end();
        assert_eq!((status, rest.as_str(), errors.text()), (Some(0), "", ""));
        assert_eq!(settings(&terminal), before);
    });
}

#[test]
fn ctrl_d_twice_ends_a_line_that_has_no_newline() {
    within(TOO_LONG, || {
        let (mut keyboard, terminal) = terminal();
        let program = Program::start(terminal);
        keyboard.write_all(b"39").unwrap();
        keyboard.write_all(&CTRL_D.repeat(2)).unwrap();
        let (status, output, errors) = program.end();
        assert_eq!(
            (status, output.as_str(), errors.text()),
            (Some(0), "49\n", "")
        );
    });
}

#[test]
fn a_terminal_that_hangs_up_has_ended() {
    within(TOO_LONG, || {
        let (mut keyboard, terminal) = terminal();
        let mut program = Program::start(terminal);
        keyboard.write_all(b"39\n").unwrap();
        assert_eq!(program.line(), "49");
        drop(keyboard);
        let (status, rest, errors) = program.end();
        assert_eq!((status, rest.as_str(), errors.text()), (Some(0), "", ""));
    });
}
