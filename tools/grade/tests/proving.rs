//! What `prove` sees in the runs, each seen to be found.

mod common;

use common::{Fixture, TESTS, above, have, stderr, stdout};

const PROVE: &str = env!("CARGO_BIN_EXE_prove");
const NAMES: [&str; 4] = ["one", "two", "three", "four"];

fn starter(name: &str) -> String {
    format!("set/exercises/01_one/{name}.rs")
}

fn solution(name: &str) -> String {
    format!("set/solutions/01_one/{name}.rs")
}

#[test]
fn a_set_without_faults_is_proved_and_its_pages_are_written() {
    if !have("clippy") || !have("fmt") {
        return;
    }
    let fixture = Fixture::new(&NAMES);
    let run = fixture.run(PROVE, &["--no-run"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("class/table.md: not there: run `cargo run -p grade"));

    let run = fixture.run(PROVE, &["--no-run", "--write"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("class/wrong-answers.md: it was not written"));
    assert!(!fixture.path("set/class/wrong-answers.md").exists());

    let run = fixture.run(PROVE, &["--write"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let table = stdout(&run);
    assert_eq!(table.matches("| 2 of 2 ").count(), 4, "{table}");
    let page = fixture.read("set/class/wrong-answers.md");
    for part in [
        "*Compared with the solution:*\n\n```diff\n- 42\n+ 41\n```",
        "*The screen shows:*\n\n```text\n left: 41\n```",
        "*You say:* Count again.",
    ] {
        let part = part.replace("\n left", "\nleft");
        assert!(page.contains(&part), "{page}");
    }
    assert!(
        fixture
            .read("set/class/table.md")
            .contains("4 exercises, 40 minutes, 8 points, 8 wrong")
    );

    assert!(fixture.run(PROVE, &["--no-run"]).status.success());
    fixture.replace("set/class/wrong-answers.md", "left: 41", "right: 42");
    let run = fixture.run(PROVE, &["--no-run"]);
    assert_eq!(stderr(&run).lines().count(), 1, "{}", stderr(&run));
    assert!(stderr(&run).contains("class/wrong-answers.md:21: stale: run `cargo run -p grade"));
    fixture.replace("set/class/table.md", "40 minutes", "41 minutes");
    let run = fixture.run(PROVE, &["--no-run"]);
    assert!(stderr(&run).contains("class/table.md:10: stale: run `cargo run -p grade"));
}

#[test]
fn each_broken_promise_is_one_line() {
    if !have("clippy") || !have("fmt") {
        return;
    }
    let fixture = Fixture::new(&[
        "red", "solved", "hard", "wrong", "loose", "hangs", "lint", "shabby", "dumb",
    ]);
    let names: Vec<_> = fixture.names.iter().map(String::as_str).collect();
    let [red, solved, hard, wrong, loose, hangs, lint, shabby, dumb] = names[..] else {
        panic!("nine names");
    };
    fixture.replace(&starter(red), "write the answer", "not yet");
    fixture.replace(&starter(solved), "todo!(\"write the answer\")", "42");
    fixture.replace(&solution(hard), "    42\n", "    42 - 35\n");
    fixture.edit(&format!("set/class/held-out/{wrong}.rs"), |text| {
        text.replace("43", "44")
    });
    fixture.edit("set/class/catalogue.toml", |text| {
        let (before, after) = text.split_once(loose).unwrap();
        let after = after.replacen("\"    41\"", "\"    42\"", 1);
        let after = after.replacen("\"    43\"", "\"    44\"", 1);
        format!("{before}{loose}{after}")
    });
    fixture.replace(
        &starter(hangs),
        "todo!",
        "std::thread::sleep(std::time::Duration::MAX); todo!",
    );
    fixture.replace(&solution(lint), "    42\n", "    42 + 0\n");
    fixture.replace(&solution(shabby), "    42\n", "     42\n");
    fixture.write(
        &format!("set/class/held-out/{dumb}.rs"),
        &TESTS.replace("answer(), 42", "42, 42"),
    );

    let run = fixture.run(PROVE, &[]);
    let findings = stderr(&run);
    assert_eq!(run.status.code(), Some(1), "{findings}");
    for finding in [
        format!(
            "{red}: the starter: the screen does not show `write the answer`, but: not yet implemented: not yet"
        ),
        format!("{solved}: the starter: it passes"),
        format!(
            "{hard}: the solution: it does not pass: the answer is asked for (left: 7, right: 42)"
        ),
        format!("{hard}: the solution with the held-out tests: it does not pass"),
        format!("{wrong}: the solution with the held-out tests: it does not pass"),
        format!("{loose}: wrong answer too_small: it passes"),
        format!("{loose}: wrong answer too_large: the screen does not show `left: 43`"),
        format!("{hangs}: the starter: it had not ended after 5s"),
        format!("{hangs}: the starter with the held-out tests: it had not ended after 5s"),
        format!(
            "{lint}: clippy: error: this operation has no effect --> solutions/01_one/{lint}.rs"
        ),
        format!("solutions/01_one/{shabby}.rs: it is not formatted"),
        format!("{shabby}: wrong answer too_large: it is not formatted"),
        format!("{dumb}: the starter with the held-out tests: it passes"),
        format!("{dumb}: wrong answer too_large with the held-out tests: it passes"),
    ] {
        assert!(findings.contains(&finding), "no {finding}\n{findings}");
    }
    assert!(
        stdout(&run).contains("| s01e_loose  | 0.0"),
        "{}",
        stdout(&run)
    );
    assert!(stdout(&run).contains("| 0 of 2 "), "{}", stdout(&run));
}

#[cfg(unix)]
#[test]
fn a_rustfmt_that_fails_without_a_word_is_a_finding() {
    use std::{env, fs, os::unix::fs::PermissionsExt};

    if !have("clippy") {
        return;
    }
    let fixture = Fixture::new(&["one"]);
    fixture.write("bin/rustfmt", "#!/bin/sh\nexit 3\n");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(fixture.path("bin/rustfmt"), executable).unwrap();
    let others = env::var_os("PATH").unwrap();
    let folders = [fixture.path("bin")].into_iter();
    let path = env::join_paths(folders.chain(env::split_paths(&others))).unwrap();
    let mut prove = fixture.command(PROVE);
    let run = prove.arg("s01a_one").env("PATH", path).output().unwrap();
    let finding = "the set: rustfmt: ended with exit status: 3: run rustfmt --check";
    assert!(stderr(&run).starts_with(finding), "{}", stderr(&run));
}

#[test]
fn one_exercise_can_be_proved_and_one_that_does_not_compile_too() {
    if !have("clippy") || !have("fmt") {
        return;
    }
    let fixture = Fixture::new(&["one", "refused"]);
    let name = "s01b_refused";
    fixture.edit(&starter(name), |text| {
        text.replace("todo!(\"write the answer\")", "\"42\"")
    });
    fixture.edit("set/class/catalogue.toml", |text| {
        let at = text.rfind("write the answer").unwrap();
        format!(
            "{}expected `u32`, found `&str`{}",
            &text[..at],
            &text[at + 16..]
        )
    });
    fixture.write(&starter("s01a_one"), &above("42"));
    let run = fixture.run(PROVE, &[name]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert_eq!(stdout(&run).lines().count(), 3, "{}", stdout(&run));

    let run = fixture.run(PROVE, &["nonsense"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(stderr(&run).contains("there is no exercise `nonsense`"));
}
