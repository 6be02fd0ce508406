//! What cargo calls in place of the compiler of a learner's program: this program again, as cargo's *workspace wrapper*.
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

use kit::process::{self, End, Limits};

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
    let ran = match process::run(command.args(arguments), Limits::time(limit)) {
        Ok(ran) => ran,
        Err(error) => {
            eprintln!("the compiler cannot be run: {error}");
            return ExitCode::FAILURE;
        }
    };
    print!("{}", ran.stdout);
    eprint!("{}", ran.stderr);
    let stopped = match ran.end {
        End::Exited(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            return code.map_or(ExitCode::FAILURE, ExitCode::from);
        }
        End::TimedOut => format!("the compiler was stopped after {limit:?}"),
        End::Flooded => "the compiler was stopped: it printed more than 1 MiB".to_owned(),
    };
    eprintln!(
        r#"
{{"$message_type":"diagnostic","message":"{stopped}","code":null,"level":"error","spans":[],"children":[],"rendered":"error: {stopped}\n"}}"#
    );
    ExitCode::FAILURE
}
