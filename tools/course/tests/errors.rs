//! What the compiler says to each program in `errors/` is what the book shows. `SNAPSHOTS=overwrite` in the environment writes it.

use std::{env, fs, path::Path, process::Command};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/errors");

/// Compared word by word if rustc is the one that `VERSION` names, otherwise by the error's code alone.
#[test]
fn the_compiler_says_what_the_pages_show() {
    let version = rustc(&["--version"]);
    let is_exact = compared("VERSION", &version) == version;
    for entry in fs::read_dir(FOLDER).expect("the folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        let Some(program) = name.strip_suffix(".rs") else {
            continue;
        };
        let message = message(&name);
        assert!(message.contains("error"), "{name} compiles");
        let shown = compared(&format!("{program}.stderr"), &message);
        assert_eq!(code(&message), code(&shown), "{name}");
        // Where the source of the library is installed, all line numbers are as wide as those in it.
        let is_same = message.split_whitespace().eq(shown.split_whitespace());
        assert!(is_same || !is_exact, "{name}: rustc says now:\n{message}");
    }
}

/// The text of a file, which is written first if that is wished.
fn compared(name: &str, text: &str) -> String {
    let file = Path::new(FOLDER).join(name);
    if env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite") {
        fs::write(&file, text).expect("it can be written");
    }
    let there = fs::read_to_string(&file).expect("it can be read");
    there.replace("\r\n", "\n")
}

fn code(message: &str) -> Option<&str> {
    message.split_once("error[")?.1.split(']').next()
}

/// What rustc says to this program, without the count of errors at its end. A note on the standard library is left out
/// too, because where its source is installed the note shows it.
fn message(name: &str) -> String {
    let options = "--edition=2024 --crate-type=lib --emit=metadata --color=never --out-dir";
    let mut options: Vec<&str> = options.split(' ').collect();
    options.extend([env!("CARGO_TARGET_TMPDIR"), name]);
    let message = rustc(&options);
    let (message, _) = message.split_once("\nerror: aborting").unwrap_or_default();
    let notes = message.split("\nnote: ");
    let notes: Vec<&str> = notes.filter(|it| !it.contains("/library/")).collect();
    notes.join("\nnote: ").trim_end().to_owned() + "\n"
}

fn rustc(arguments: &[&str]) -> String {
    let mut rustc = Command::new("rustc");
    let output = rustc.args(arguments).current_dir(FOLDER).output();
    let output = output.expect("rustc runs");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).replace("\r\n", "\n")
}
