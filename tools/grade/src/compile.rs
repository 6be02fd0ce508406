//! Cargo builds a package, and what it says is sorted by program.

use std::{
    collections::BTreeMap,
    io::{BufReader, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use cargo_metadata::{Message, diagnostic::DiagnosticLevel};

use crate::{
    Trouble, child,
    scratch::{Built, Package},
};

/// If nothing was finished for so long, then cargo waits for something that is no program of a learner: their compilers
/// are stopped long before.
const SILENCE: Duration = Duration::from_secs(300);

impl Package {
    /// Compiles the tests of all programs.
    ///
    /// # Errors
    ///
    /// If cargo cannot be run, or cannot build what all of them depend on.
    pub fn build(&self) -> Result<BTreeMap<String, Built>, Trouble> {
        self.compile(self.cargo(&["build", "--tests", "--keep-going", "--message-format=json"])?)
    }

    /// Runs a command of cargo that compiles, and sorts what it says by program. A program of which it says nothing is
    /// left out.
    pub(crate) fn compile(&self, mut cargo: Command) -> Result<BTreeMap<String, Built>, Trouble> {
        cargo.stdout(Stdio::piped()).stderr(Stdio::piped());
        child::lead_a_group(&mut cargo);
        let mut cargo = cargo.spawn()?;
        let Some((built, said)) = listen(&mut cargo) else {
            child::kill_group(&mut cargo);
            cargo.wait()?;
            let text = format!("cargo was stopped: it had built nothing for {SILENCE:?}");
            return Err(Trouble::Cannot(text));
        };
        let status = cargo.wait()?;
        if built.is_empty() && !status.success() {
            return Err(Trouble::Cannot(said));
        }
        if let Some(name) = built.keys().find(|name| !self.names.contains(*name)) {
            let text = format!("`{name}`, on which the exercises depend, cannot be built: {said}");
            return Err(Trouble::Cannot(text));
        }
        Ok(built)
    }
}

/// What was built, and what cargo said beside. Nothing: cargo is silent.
fn listen(cargo: &mut Child) -> Option<(BTreeMap<String, Built>, String)> {
    let (tell, told) = mpsc::channel();
    let stdout = cargo.stdout.take().expect("it is piped");
    thread::spawn(move || {
        for message in Message::parse_stream(BufReader::new(stdout)).flatten() {
            let _ = tell.send(message);
        }
    });
    let mut stderr = cargo.stderr.take().expect("it is piped");
    let said = thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let (mut built, mut last) = (BTreeMap::new(), Instant::now());
    loop {
        match told.recv_timeout(SILENCE.saturating_sub(last.elapsed())) {
            Ok(message) => {
                // A warning is no sign of life: a compiler may warn for ever that it takes long.
                if note(message, &mut built) {
                    last = Instant::now();
                }
            }
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Some((built, said.join().unwrap_or_default()))
}

/// Whether the message is about something that has come to its end.
fn note(message: Message, built: &mut BTreeMap<String, Built>) -> bool {
    match message {
        Message::CompilerArtifact(artifact) => {
            if let Some(program) = artifact.executable {
                built.insert(artifact.target.name, Built::Program(program.into()));
            }
            true
        }
        Message::CompilerMessage(said) if said.message.level == DiagnosticLevel::Error => {
            let code = said.message.code.map(|code| format!("[{}]", code.code));
            let line = format!(
                "error{}: {}",
                code.unwrap_or_default(),
                said.message.message
            );
            let line = line.lines().next().unwrap_or_default().to_owned();
            let rendered = said.message.rendered.unwrap_or_default();
            let failed = built.entry(said.target.name).or_insert(Built::Failed {
                first: line,
                screen: String::new(),
            });
            if let Built::Failed { screen, .. } = failed {
                *screen += &rendered;
            }
            true
        }
        _ => false,
    }
}
