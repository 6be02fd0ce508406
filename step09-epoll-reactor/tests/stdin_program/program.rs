//! The program as a child process.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

/// Longer than any of the tests takes, even on a busy machine.
pub const TOO_LONG: Duration = Duration::from_secs(30);

/// Longer than the time between two ticks of the program, which is 100 ms.
pub const A_TICK: Duration = Duration::from_millis(120);

/// A child process, and the ends of its pipes.
pub struct Program {
    child: Child,
    output: Option<BufReader<ChildStdout>>,
    errors: ChildStderr,
}

impl Program {
    /// Starts `step09-epoll-reactor stdin`.
    pub fn start(stdin: impl Into<Stdio>) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_step09-epoll-reactor"));
        Program::start_command(command.arg("stdin"), stdin)
    }

    /// Starts another program.
    pub fn start_command(command: &mut Command, stdin: impl Into<Stdio>) -> Program {
        let mut child = command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Program {
            output: child.stdout.take().map(BufReader::new),
            errors: child.stderr.take().unwrap(),
            child,
        }
    }

    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Where to write its standard input, if that is `Stdio::piped()`.
    pub fn input(&mut self) -> ChildStdin {
        self.child.stdin.take().unwrap()
    }

    /// The next line of its standard output.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        let output = self.output.as_mut().unwrap();
        let read = output.read_line(&mut line).unwrap();
        assert_ne!(read, 0, "its output has ended");
        line.trim_end().to_owned()
    }

    /// Closes the pipe that it writes its standard output to, at our end.
    pub fn close_output(&mut self) {
        self.output = None;
    }

    /// Reads what it writes until it ends: its status, its standard output, and its standard error.
    pub fn end(mut self) -> (Option<i32>, String, Errors) {
        drop(self.child.stdin.take());
        let (mut output, mut errors) = (String::new(), String::new());
        if let Some(mut from) = self.output {
            from.read_to_string(&mut output).unwrap();
        }
        self.errors.read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap().code(), output, Errors(errors))
    }
}

/// What a program wrote to its standard error. The last line says how often the other task ticked.
#[derive(Debug)]
pub struct Errors(String);

impl Errors {
    /// Everything before the last line.
    pub fn text(&self) -> &str {
        self.split().0
    }

    /// How often the other task ticked, or 2 if it was more often.
    pub fn ticks(&self) -> u64 {
        self.split().1
    }

    fn split(&self) -> (&str, u64) {
        let note = "note: ticks of another task meanwhile: ";
        let at = self.0.find(note).unwrap_or_else(|| panic!("{self:?}"));
        let ticks = self.0[at + note.len()..].strip_suffix('\n');
        let ticks = match ticks {
            Some("more than 1") => Some(2),
            ticks => ticks.and_then(|ticks| ticks.parse().ok()),
        };
        (&self.0[..at], ticks.unwrap_or_else(|| panic!("{self:?}")))
    }
}
