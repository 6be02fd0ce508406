//! What needs a standard input of its own, and is not the program itself: tests that this program starts in a child.

use std::{
    env, io,
    process::{Command, Stdio},
    time::Duration,
};

use step09_epoll_reactor::{block_on, stdin::Stdin, timeout};

use super::program::{Program, TOO_LONG};

/// Starts an ignored test of this file.
pub fn start(name: &str, stdin: impl Into<Stdio>) -> Program {
    let name = format!("stdin_program::children::{name}");
    let mut command = Command::new(env::current_exe().unwrap());
    let arguments = [
        "--ignored",
        "--exact",
        &name,
        "--nocapture",
        "--test-threads=1",
    ];
    let mut program = Program::start_command(command.args(arguments), stdin);
    while program.line() != "started" {}
    program
}

/// To be called first. libtest has written half a line by then.
fn started() {
    println!("\nstarted");
}

#[test]
#[ignore = "is started by another test, with a standard input"]
fn takes_turns() {
    started();
    block_on(async {
        for _ in 0..3 {
            let mut stdin = Stdin::new().unwrap();
            assert_eq!(
                Stdin::new().unwrap_err().kind(),
                io::ErrorKind::AlreadyExists
            );
            let _ = timeout(Duration::from_millis(2), stdin.read_line()).await;
        }
    });
    println!("took turns");
}

#[test]
fn two_at_once_are_refused_and_one_after_the_other_are_not() {
    probe::within(TOO_LONG, || {
        let file = std::fs::File::open(env!("CARGO_MANIFEST_PATH")).unwrap();
        for stdin in [Stdio::piped(), Stdio::null(), Stdio::from(file)] {
            assert_eq!(start("takes_turns", stdin).line(), "took turns");
        }
    });
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::Write;

    use step09_epoll_reactor::{Runtime, sleep, v1_by_hand, v2_epoll::Epoll};

    use super::*;

    #[test]
    #[ignore = "is started by another test, with a standard input"]
    fn version_1_echoes() {
        started();
        let stdin = rustix::stdio::stdin().try_clone_to_owned().unwrap();
        let (epoll, mut input) = v1_by_hand::open(stdin).unwrap();
        let mut runtime = Runtime::with_park(epoll);
        ticks(&runtime);
        runtime.block_on(async {
            let mut buffer = [0; 64];
            loop {
                match input.read(&mut buffer).await.unwrap() {
                    0 => return,
                    read => io::stdout().write_all(&buffer[..read]).unwrap(),
                }
            }
        });
    }

    #[test]
    #[ignore = "is started by another test, with a standard input"]
    fn version_2_echoes() {
        started();
        let mut runtime = Epoll::runtime().unwrap();
        ticks(&runtime);
        runtime.block_on(async {
            let mut stdin = Stdin::new().unwrap();
            while let Some(line) = stdin.read_line().await.unwrap() {
                println!("{line}");
            }
        });
    }

    /// Spawns a task that has the runtime sleep again and again.
    fn ticks(runtime: &Runtime) {
        runtime.spawn(async {
            loop {
                sleep(Duration::from_millis(10)).await;
            }
        });
    }
}
