//! A program with a limit of time.

use std::{
    io::{self, Read},
    process::{Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// The time between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(3);
/// A program that it has started may keep its standard error open.
const TO_READ: Duration = Duration::from_secs(1);
/// No test prints so much, even if each of many tasks panics.
const MOST: u64 = 64 << 20;

/// Runs it without input to its end, or kills it when its time is over. Returns its status, unless it was killed, and what
/// it has printed on standard error.
pub(crate) fn run(
    program: &mut Command,
    limit: Duration,
) -> io::Result<(Option<ExitStatus>, String)> {
    let start = Instant::now();
    program
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = program.spawn()?;
    let stderr = child.stderr.take().expect("it is piped");
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.take(MOST).read_to_end(&mut said);
        let _ = tell.send(said);
    });
    let status = loop {
        match child.try_wait()? {
            None if start.elapsed() > limit => {
                child.kill()?;
                child.wait()?;
                break None;
            }
            None => thread::sleep(LOOK),
            ended => break ended,
        }
    };
    let said = told.recv_timeout(TO_READ).unwrap_or_default();
    Ok((status, String::from_utf8_lossy(&said).into_owned()))
}
