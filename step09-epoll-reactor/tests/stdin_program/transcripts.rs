//! What a shell shows for each kind of input. The chapter includes these files.

use std::{env, fs, path::Path, process::Command, time::Duration};

use kit::{
    files,
    process::{self, Limits},
};

const PROGRAM: &str = "cargo run -p step09-epoll-reactor --";

/// Runs the command in the first line of each file, and compares what it writes with the rest of the file, except for the
/// number of ticks: on a busy machine, the other task may tick before the input has come. With `SNAPSHOTS=overwrite` in the environment, a file that differs is written.
#[test]
fn each_transcript_is_what_a_shell_shows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stdin_program/transcripts");
    let overwrite = env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let mut files = files::below(&folder).unwrap();
    files.retain(|file| file.extension().is_some_and(|end| end == "txt"));
    assert!(!files.is_empty());
    for file in files {
        let kept = files::read(&file).unwrap();
        let command = kept.lines().next().and_then(|line| line.strip_prefix("$ "));
        let command = command.unwrap_or_else(|| panic!("no command: {}", file.display()));
        let printed = format!("$ {command}\n{}", shown(command));
        if without_ticks(&printed) == without_ticks(&kept) {
            continue;
        }
        assert!(
            overwrite,
            "{}:\n{printed}\nbut it has\n{kept}",
            file.display()
        );
        fs::write(&file, printed).unwrap();
    }
}

fn without_ticks(text: &str) -> Vec<&str> {
    let note = "note: ticks of another task meanwhile: ";
    let lines = text.lines();
    lines
        .map(|line| if line.starts_with(note) { note } else { line })
        .collect()
}

/// What the shell writes, both outputs in the order in which they are written.
fn shown(command: &str) -> String {
    let program = format!("{} ", env!("CARGO_BIN_EXE_step09-epoll-reactor"));
    assert!(command.contains(PROGRAM), "{command}");
    let script = command.replace(&format!("{PROGRAM} "), &program);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {script}")]);
    shell.current_dir(files::root());
    let ran = process::run(&mut shell, Limits::time(Duration::from_secs(60))).unwrap();
    assert!(ran.end.is_success(), "{script}: {}", ran.end);
    ran.stdout
}
