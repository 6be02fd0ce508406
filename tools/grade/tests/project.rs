//! Learners hand in everything that can be handed in, and each of them is one row.

use std::{fs, path::Path, process::Command};

use kit::files;
use tempfile::TempDir;

/// What the starter's `block_on` does.
const TODO: &str =
    r#"todo!("rung 1: poll the root future, sleep until its waker is called, and poll it again")"#;
/// What would keep the ladder from being built, run or found: a link, a second program in a folder that cargo doesn't build in, and
/// settings for cargo around the copy.
const VANDAL: &str = r#"{
    use std::fs;
    let _ = fs::create_dir_all("target");
    let _ = fs::write("target/b.rs", "fn main() { panic!() }");
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink("../target/b.rs", "ladder/build.rs");
    let _ = fs::create_dir_all("ladder/src/bin/target");
    let _ = fs::write("ladder/src/bin/target/main.rs", "fn main() {}");
    let _ = fs::create_dir_all("../.cargo");
    let _ = fs::write("../.cargo/config.toml", "build.rustc = \"nowhere\"");
    todo!()
}"#;
const NOTHING: &str = "pub const NOT_MINE: &[(&str, &str)] = &[];";

fn course(file: &str) -> String {
    files::read(&files::root().join("exercises").join(file)).unwrap()
}

/// The starter, in which `block_on` does this.
fn block_on(does: &str) -> String {
    let starter = course("yours/src/runtime.rs");
    assert!(starter.contains(TODO));
    starter.replace(TODO, does)
}

fn write(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Its status, and what it prints on standard output and standard error.
fn project(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_project"));
    let ran = command.current_dir(folder).args(arguments).output();
    let ran = ran.unwrap();
    let [stdout, stderr] = [ran.stdout, ran.stderr].map(|it| String::from_utf8(it).unwrap());
    (ran.status.code(), stdout, stderr)
}

/// The cells of a learner's row.
fn row<'a>(table: &'a str, learner: &str) -> Vec<&'a str> {
    let start = format!("| {learner} ");
    let line = table.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("no {learner}\n{table}"));
    line.split('|').map(str::trim).collect()
}

#[test]
fn each_learner_of_a_class_is_a_row_whatever_was_handed_in() {
    let place = TempDir::new().unwrap();
    let write = |file: &str, text: &str| write(&place.path().join("class"), file, text);
    let two = course("teachers/yours/one-mutex/02.rs");
    let listed = r#"pub const NOT_MINE: &[(&str, &str)] =
        &[("takes_turns", "they | have\npriorities"), ("takes_turn", "misspelt")];"#;
    assert!(two.contains(NOTHING));
    write("anna maria/exercises/yours/src/runtime.rs", &two);
    write("bob.rs", &two.replace(NOTHING, listed));
    write("carl/runtime.rs", &block_on("std::process::exit(0)"));
    write(
        "dora/runtime.rs",
        &block_on("let answer: u32 = \"\"; todo!()"),
    );
    // In the folder in which the ladder runs. All others come after this one.
    write("abe/yours/src/runtime.rs", &block_on(VANDAL));
    let long = "#[allow(long_running_const_eval)]\npub const LONG: u32 = loop {};\n";
    write("fay/src/runtime.rs", &(block_on("todo!()") + long));
    write("gus/my_runtime.rs", &two);
    write("hal/runtime.rs", " \n");
    let starter = course("yours/src/runtime.rs");
    write(
        "ida/runtime.rs",
        &format!("\u{feff}{}", starter.replace('\n', "\r\n")),
    );
    write("jan/notes.txt", "");
    write(
        "kim/runtime.rs",
        &two.replace("pub fn spawn<", "pub fn spawn_it<"),
    );
    write("lia/new/runtime.rs", &two);
    write("lia/old/runtime.rs", &starter);
    write("max/runtime.zip", "");
    // A folder around the copy of the course, with files of the same name in it.
    write("noa/course/exercises/yours/src/runtime.rs", &starter);
    write("noa/course/lab/contract/src/runtime.rs", "");
    let update = "noa/course/update/now/exercises/yours/src/runtime.rs";
    write(update, &two);
    write("oli/week 5/runtime.rs", "");
    write("list.csv", "");
    write(".git/runtime.rs", &two);
    write("__MACOSX/runtime.rs", &two);
    let rubric = "rungs = [10, 20, 1, 1, 1, 1, 1, 1, 4]\nreview = 60\n\n\
        [learners.\"anna maria\"]\nreview = 50\nadd = -5\nnote = \"a day late\"\n";
    fs::write(place.path().join("rubric.toml"), rubric).unwrap();

    let arguments = ["class", "--rubric", "rubric.toml", "--compiler-limit", "20"];
    let (status, table, said) = project(place.path(), &arguments);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.starts_with("not a learner's file, and left out: list.csv\n"),
        "{said}"
    );
    for (learner, begins, why) in [
        ("abe", "0|0|||0/100|", "rung 1 is not begun"),
        (
            "anna maria",
            "2|30|50|-5 a day late|75/100|",
            "rung 3 is not begun",
        ),
        ("bob", "2|30|||30/100|1", ""),
        (
            "carl",
            "0|0|||0/100|",
            "woken_in_poll: the process ended: exit status: 0",
        ),
        (
            "dora",
            "0|0|||0/100|",
            "does not compile: error[E0308]: mismatched types",
        ),
        (
            "fay",
            "0|0|||0/100|",
            "does not compile: error: the compiler was stopped",
        ),
        (
            "gus",
            "0|0|||0/100|",
            "missing: my_runtime.rs has to be called runtime.rs",
        ),
        ("hal", "0|0|||0/100|", "the file is empty"),
        ("ida", "0|0|||0/100|", "not started"),
        ("jan", "0|0|||0/100|", "missing: there is no runtime.rs"),
        (
            "lia",
            "0|0|||0/100|",
            "missing: there are several: new/runtime.rs and old/runtime.rs",
        ),
        ("max", "0|0|||0/100|", "missing: unpack runtime.zip"),
        ("noa", "0|0|||0/100|", "not started"),
        ("oli", "0|0|||0/100|", "the file is empty"),
        ("kim", "0|0|||0/100|", "does not compile: error[E0432]"),
    ] {
        let cells = row(&table, learner);
        assert_eq!(cells[2..8].join("|"), begins, "{learner}\n{table}");
        assert!(cells[8].starts_with(why), "{learner}\n{table}");
    }
    assert_eq!(table.matches("/100").count(), 15, "{table}");
    assert!(
        table.contains(
            r"| bob     | 2     | takes_turns | they \| have priorities (and it is kept) |"
        ),
        "{table}"
    );

    let read = |file: &str| fs::read_to_string(place.path().join("report").join(file)).unwrap();
    assert!(table.starts_with(&read("project.md")));
    let csv = read("project.csv");
    assert!(
        csv.contains("\n\"anna maria\",2,30,50,-5,75,100,0,\"a day late\",\"rung 3 is"),
        "{csv}"
    );
    let anna = read("project-feedback/anna maria.md");
    let mark = "# anna maria\n\n75 of 100 points: 30 for 2 rungs, 50 for the review, -5 (a day late).\n\n## Rung 3: a timer\n";
    assert!(
        anna.starts_with(mark) && anna.ends_with(" says how to begin.\n"),
        "{anna}"
    );
    let carl = read("project-feedback/carl.md");
    assert!(
        carl.contains("\n`woken_in_poll`:\n\n`````text\nrule  "),
        "{carl}"
    );
    assert!(read("project-feedback/bob.md").contains("`NOT_MINE` names `takes_turns` ("));
    assert!(read("project-feedback/bob.md").contains("`NOT_MINE` names `takes_turn`, and no rung"));
    assert!(read("project-feedback/dora.md").contains("`````text\nerror[E0308]: mismatched types"));
}

/// What a check has started may keep the ladder waiting, because it has the other end of a pipe.
#[test]
#[cfg(unix)]
fn at_the_limit_all_that_a_file_has_started_is_killed() {
    let place = TempDir::new().unwrap();
    let ids = place.path().join("ids");
    let starts = format!(
        "{{ let child = std::process::Command::new(\"sleep\").arg(\"1000\").spawn().unwrap();\n\
         let mut file = std::fs::File::options().append(true).create(true).open({ids:?}).unwrap();\n\
         std::io::Write::write_all(&mut file, format!(\"{{}}\\n\", child.id()).as_bytes()).unwrap(); todo!() }}"
    );
    write(place.path(), "leo/runtime.rs", &block_on(&starts));
    let (status, table, said) = project(place.path(), &["leo", "--limit", "10"]);
    assert_eq!(status, Some(0), "{said}");
    let why = row(&table, "leo")[8];
    let stopped = "it has climbed for 10s, and wasn't at its end";
    assert_eq!(why, format!("stopped: {stopped}"));
    let leo = fs::read_to_string(place.path().join("report/project-feedback/leo.md")).unwrap();
    assert!(
        leo.contains(&format!("\nIt was stopped: {stopped}. Does")),
        "{leo}"
    );
    let ids = fs::read_to_string(ids).unwrap();
    assert!(ids.lines().count() > 0);
    let start = std::time::Instant::now();
    for id in ids.lines() {
        // A process that was killed is there until it has its turn.
        while is_alive(id) {
            assert!(start.elapsed().as_secs() < 60, "{id}");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

#[cfg(unix)]
fn is_alive(id: &str) -> bool {
    let mut state = Command::new("ps");
    let state = state.args(["-o", "stat=", "-p", id]).output().unwrap();
    let state = String::from_utf8(state.stdout).unwrap();
    // Nobody may have asked yet how it ended.
    !matches!(state.trim(), "" | "Z")
}

#[test]
fn what_is_no_class_is_a_line() {
    let place = TempDir::new().unwrap();
    let write = |file: &str, text: &str| write(place.path(), file, text);
    write("none/anna/my.rs", "fn main() {}");
    write("class/anna.rs", "fn main() {}");
    write("bad.toml", "rungs = []\nreview = 20\npoints = 3\n");
    for (arguments, says) in [
        (
            &["none"][..],
            "none holds no file of a learner. It has to hold a folder or a file for each",
        ),
        (&["nowhere"], "nowhere: "),
        (&["class", "--rubric", "bad.toml"], "bad.toml: "),
    ] {
        let (status, _, said) = project(place.path(), arguments);
        assert!(status == Some(2) && said.contains(says), "{said}");
    }
    assert!(!place.path().join("report").exists());
}
