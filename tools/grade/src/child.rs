//! A process that may hang or print without end.

use std::{
    io::{self, Read},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use wait_timeout::ChildExt;

/// More than this no exercise has to say.
pub(crate) const TOO_MUCH: usize = 1 << 20;
/// How often it is looked whether a process has said too much.
const LOOK: Duration = Duration::from_millis(10);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It was stopped at the time limit.
    TimedOut,
    /// It was stopped since it printed too much.
    Flooded,
}

/// What a process did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
}

/// Runs a process to its end, or to one of the two limits.
pub(crate) fn run(mut command: Command, limit: Duration) -> io::Result<Outcome> {
    let start = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let printed = Arc::new(AtomicUsize::new(0));
    let stdout = keep(child.stdout.take(), printed.clone());
    let stderr = keep(child.stderr.take(), printed.clone());
    let end = wait(&mut child, limit, &printed)?;
    let text = |kept: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&kept.join().unwrap_or_default()).replace("\r\n", "\n")
    };
    Ok(Outcome {
        end,
        time: start.elapsed(),
        stdout: text(stdout),
        stderr: text(stderr),
    })
}

/// Waits for a process whose output somebody else counts.
pub(crate) fn wait(child: &mut Child, limit: Duration, printed: &AtomicUsize) -> io::Result<End> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.wait_timeout(LOOK)? {
            return Ok(End::Exited(status));
        }
        let end = if printed.load(Ordering::Relaxed) > TOO_MUCH {
            End::Flooded
        } else if start.elapsed() > limit {
            End::TimedOut
        } else {
            continue;
        };
        child.kill()?;
        child.wait()?;
        return Ok(end);
    }
}

fn keep(
    from: Option<impl Read + Send + 'static>,
    printed: Arc<AtomicUsize>,
) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        each_chunk(from, |chunk| {
            if printed.fetch_add(chunk.len(), Ordering::Relaxed) <= TOO_MUCH {
                kept.extend_from_slice(chunk);
            }
        });
        kept
    })
}

/// Reads to the end.
pub(crate) fn each_chunk(from: Option<impl Read>, mut take: impl FnMut(&[u8])) {
    let Some(mut from) = from else { return };
    let mut buffer = [0; 8192];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => take(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Lets a process be killed together with those that it starts, where the system can do that.
pub(crate) fn lead_a_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills a process that leads a group, and the group.
pub(crate) fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::{sys::signal, unistd::Pid};
        if let Ok(id) = i32::try_from(child.id()) {
            let _ = signal::killpg(Pid::from_raw(id), signal::Signal::SIGKILL);
        }
    }
    let _ = child.kill();
}
