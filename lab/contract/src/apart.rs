//! This program once more, in a process of its own: it may hang, abort or end the process without harm to the others. That its work is done, it
//! proves by a number, which it is told before any code under test runs. So code that ends the process early gains nothing.

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher, Hasher},
    io::{self, BufRead, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// Before the number, once the work is done.
const PROOF: &str = "done: ";

/// Each process ends itself before that, unless something keeps it from doing so.
const AT_MOST: Duration = Duration::from_secs(200);
/// Once it is killed, what it has printed is there to be read.
const TO_READ: Duration = Duration::from_secs(1);
/// No test prints so much, even if each of many tasks panics.
const MOST: u64 = 64 << 20;

/// What came of a process.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// It hung, and was killed.
    pub was_killed: bool,
    /// Its work was done.
    pub is_proved: bool,
    /// What it wrote to standard error.
    pub said: String,
}

/// A command that starts this program.
pub fn again() -> io::Result<Command> {
    Ok(Command::new(env::current_exe()?))
}

/// Runs such a command to its end. The process has to call [`Proof::begin`].
pub fn run(program: &mut Command) -> io::Result<Ended> {
    program.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = program.stderr(Stdio::piped()).spawn()?;
    let number = RandomState::new().build_hasher().finish();
    // One that has ended already reads nothing, and its status says so.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| writeln!(stdin, "{number}"));
    let (said, was_killed) = read(&mut child)?;
    let said = String::from_utf8_lossy(&said).into_owned();
    let proof = format!("{PROOF}{number}");
    Ok(Ended {
        status: child.wait()?,
        was_killed,
        is_proved: said.lines().any(|line| line == proof),
        said,
    })
}

/// What a process says until it ends, and whether it had to be killed.
///
/// It is not the `kit::process` of this repository, because an author who tests a runtime would build what that depends on.
fn read(child: &mut Child) -> io::Result<(Vec<u8>, bool)> {
    let stderr = child.stderr.take().expect("it is piped");
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.take(MOST).read_to_end(&mut said);
        let _ = tell.send(said);
    });
    // Its standard error is closed when it has ended, unless another program that it has started keeps that open.
    let said = told.recv_timeout(AT_MOST);
    let hangs = said.is_err() && child.try_wait()?.is_none();
    if hangs {
        child.kill()?;
    }
    let said = said.or_else(|_| told.recv_timeout(TO_READ));
    Ok((said.unwrap_or_default(), hangs))
}

/// Held by a process that was started by [`run`].
#[derive(Debug)]
pub struct Proof(String);

impl Proof {
    /// Takes the number. Any code under test, which could read it too, runs after that.
    pub fn begin() -> Proof {
        let mut number = String::new();
        let read = io::stdin().lock().read_line(&mut number);
        read.expect("a line, from `run`");
        Proof(number)
    }

    /// Proves that the work is done.
    pub fn give(self) {
        eprintln!("\n{PROOF}{}", self.0.trim());
    }
}
