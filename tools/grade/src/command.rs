//! Programs that help to make a handout, such as git and cargo: what they print, or why they failed.

use std::process::{Command, Stdio};

use crate::Error;

/// What a program prints, if it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<String, Error> {
    Ok(String::from_utf8_lossy(&run_for_bytes(command)?).into_owned())
}

pub(crate) fn run_for_bytes(command: &mut Command) -> Result<Vec<u8>, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = command.stdin(Stdio::null()).output();
    let ran = ran.map_err(|error| format!("{name}: {error}"))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(format!("{name} ended with {}: {}", ran.status, said.trim()).into());
    }
    Ok(ran.stdout)
}
