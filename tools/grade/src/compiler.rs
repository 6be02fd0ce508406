//! What stands between cargo and the compiler of a learner's program: this program again, as cargo's *workspace
//! wrapper*.
//!
//! A compiler computes constants, and need not come to an end. Cargo would wait for it, and with it all others that it
//! has not begun yet. So each compiler is stopped alone, and cargo is told in the form in which it is told of errors.

use std::{
    env,
    ffi::OsString,
    io,
    process::{Command, ExitCode},
    time::Duration,
};

use wait_timeout::ChildExt;

/// How long one compiler may take, unless the caller says otherwise. Such programs take about a second.
pub const USUAL_LIMIT: Duration = Duration::from_secs(60);
/// The variable of the environment with the limit, in seconds. It is there when cargo calls.
const LIMIT: &str = "GRADE_COMPILER_SECONDS";

/// Has the compilers of this package's programs stopped after so long.
pub(crate) fn limit(cargo: &mut Command, limit: Duration) -> io::Result<()> {
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", env::current_exe()?)
        .env(LIMIT, limit.as_secs().to_string());
    Ok(())
}

/// The limit, if this program was called in place of a compiler.
pub fn asked() -> Option<Duration> {
    let seconds = env::var(LIMIT).ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Runs a compiler with its arguments. Returns its status.
pub fn run(mut arguments: impl Iterator<Item = OsString>, limit: Duration) -> ExitCode {
    let Some(compiler) = arguments.next() else {
        return ExitCode::from(2);
    };
    let mut command = Command::new(compiler);
    match watch(command.args(arguments), limit) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("the compiler cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}

fn watch(command: &mut Command, limit: Duration) -> io::Result<ExitCode> {
    let mut child = command.spawn()?;
    if let Some(status) = child.wait_timeout(limit)? {
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        return Ok(code.map_or(ExitCode::FAILURE, ExitCode::from));
    }
    child.kill()?;
    child.wait()?;
    let text = format!("the compiler was stopped after {limit:?}");
    eprintln!(
        r#"{{"$message_type":"diagnostic","message":"{text}","code":null,"level":"error","spans":[],"children":[],"rendered":"error: {text}\n"}}"#
    );
    Ok(ExitCode::FAILURE)
}
