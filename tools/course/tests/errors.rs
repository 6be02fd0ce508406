//! What the compiler says to each program in `errors/` is what the book shows. `SNAPSHOTS=overwrite` in the environment writes it.

use std::{fs, path::Path, process::Command};

use snapbox::{
    Data, IntoData,
    assert::{Action, DEFAULT_ACTION_ENV},
    assert_data_eq,
};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/errors");

/// The error's code and its place are compared, because another version of rustc may say the same in other words. Only if they differ,
/// or are to be written, the whole text is.
#[test]
fn the_compiler_says_what_the_pages_show() {
    let action = Action::with_env_var(DEFAULT_ACTION_ENV);
    let writes = matches!(action, Some(Action::Overwrite));
    for entry in fs::read_dir(FOLDER).expect("the folder") {
        let program = entry.expect("an entry").path();
        if program.extension().is_some_and(|it| it == "rs") {
            let (said, file) = (said(&program), program.with_extension("stderr"));
            let shown = Data::read_from(&file, None);
            let text = shown.to_string();
            if writes || code_and_place(&said) != code_and_place(&text) {
                assert_data_eq!(said.into_data().raw(), shown.raw());
            }
        }
    }
}

fn code_and_place(message: &str) -> [Option<&str>; 2] {
    [("error[", ']'), ("--> ", '\n')].map(|(before, after)| {
        let (_, rest) = message.split_once(before)?;
        rest.split(after).next()
    })
}

/// What rustc says to this program, without the count of errors at its end. A note on the standard library is left out
/// too, because where its source is installed the note shows it.
fn said(program: &Path) -> String {
    // What compiles by mistake is printed, and lies nowhere.
    let options = "--edition=2024 --crate-type=lib --emit=metadata=- --color=never";
    let mut rustc = Command::new("rustc");
    rustc
        .args(options.split(' '))
        .arg(program.file_name().expect("a file"));
    let output = rustc.current_dir(FOLDER).output();
    let said = output.expect("rustc runs").stderr;
    let said = String::from_utf8_lossy(&said).replace("\r\n", "\n");
    let (said, _) = said.split_once("\nerror: aborting").unwrap_or_default();
    let is_ours = |note: &&str| !note.contains("/library/");
    let notes: Vec<_> = said.split("\nnote: ").filter(is_ours).collect();
    notes.join("\nnote: ").trim_end().to_owned() + "\n"
}
