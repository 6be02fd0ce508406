//! The verdict on each of many programs that hang: what it has to say, and what it must not.

// Miri starts no programs.
#![cfg(not(miri))]

mod by_hand;
mod causes;
mod futures_alone;
mod later;
mod moved;
mod on_tokio;
mod props;
mod reported;
mod several;
mod trial;
mod with_names;

use std::{
    env,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// The environment variable with the name of a program.
const PROGRAM: &str = "WHY_PENDING_TEST_PROGRAM";
/// Many times what the programs take to come to their fault.
const LIMIT: Duration = Duration::from_millis(800);
/// So many programs run at a time. They do nothing but wait.
const AT_A_TIME: usize = 8;

pub(crate) struct Program {
    name: &'static str,
    /// What a right verdict says, and it begins with the first of these. `'` stands for `"`.
    says: &'static [&'static str],
    run: fn(),
    /// Where it is, and what is in there.
    file: &'static str,
    text: &'static str,
}

/// Those of which the verdict is right, but leaves something to be found: what it lacks is what their list has and it does not.
const VAGUE: &[&str] = &["place_is_kept_for_later"];

/// What accuses. None of these is said of a program that has it not in its list: a wrong verdict is worse than none.
const ACCUSATIONS: &[&str] = &[
    "no clone of its waker was kept",
    "has dropped each clone of its waker",
    "was dropped without a wake",
    "by an old waker rather",
    "keeps the waker of an earlier poll",
    "does not poll it any more",
    "the wake did not reach",
    "which had polled it, is over",
    "was never polled",
    "So the wake is missing",
    "again and again without a wake",
    "wakes itself in each poll",
    "again and again, and drops it",
    "poll does not return",
    "another executor polls",
    "a cycle of waits",
    "but the run does not end",
    "polled again after it was Ready",
    "panicked",
    "is panicking",
    "although the",
    "it has not begun",
    "perhaps it went with",
    "nobody has notified it",
    "have come: this very task",
];

fn all() -> impl Iterator<Item = &'static Program> {
    let all = [
        causes::ALL,
        on_tokio::ALL,
        with_names::ALL,
        futures_alone::ALL,
        by_hand::ALL,
        reported::ALL,
        later::ALL,
        several::ALL,
        moved::ALL,
        trial::ALL,
    ];
    all.into_iter().flatten()
}

/// Run by the test below, each time in a process of its own. Without its variable it does nothing.
#[test]
fn a_program() {
    if let Ok(name) = env::var(PROGRAM) {
        let program = all().find(|it| it.name == name);
        let program = program.expect("a program of this name");
        // Unless it has a limit of its own: then this one only ends what has failed.
        let of_its_own = name.ends_with("within_a_task");
        why_pending::within(if of_its_own { 100 * LIMIT } else { LIMIT }, program.run);
    }
}

#[test]
fn no_verdict_is_wrong_and_few_are_vague() {
    let programs: Vec<_> = all().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Relaxed)) {
                    let said = verdict(program);
                    found.lock().unwrap().push((program, said));
                }
            });
        }
    });
    let (mut wrong, mut vague) = (String::new(), Vec::new());
    for (program, said) in found.into_inner().unwrap() {
        let name = program.name;
        let false_ = ACCUSATIONS
            .iter()
            .find(|it| said.contains(*it) && !program.says.iter().any(|right| right.contains(*it)));
        let lines = program.lines_that_wait();
        let right = program.says.iter().map(ToString::to_string).chain(lines);
        let lacks = right.filter(|it| !says(&said, it)).collect::<Vec<_>>();
        let begins = said.starts_with(program.says[0]);
        if let Some(accusation) = false_ {
            wrong += &format!("{name}: it says {accusation:?}:\n{said}\n\n");
        } else if !VAGUE.contains(&name) && (!lacks.is_empty() || !begins) {
            wrong += &format!(
                "{name}: it lacks {lacks:?}, or does not begin with the first:\n{said}\n\n"
            );
        } else if !lacks.is_empty() || !begins {
            vague.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(vague.len(), VAGUE.len(), "vague are {vague:?} alone");
    assert!(vague.len() * 10 <= programs.len());
}

/// What the watchdog says, on one line.
fn verdict(program: &Program) -> String {
    let name = program.name;
    let this = env::current_exe().expect("the system knows where this program is");
    let mut test = Command::new(this);
    let output = test
        .args(["--exact", "a_program"])
        .env(PROGRAM, name)
        // A panic that reads a backtrace may last longer than a limit.
        .env("RUST_BACKTRACE", "0")
        .output();
    let output = output.expect("this program can be started");
    assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
    let said = String::from_utf8(output.stderr).expect("it writes UTF-8");
    // A line is broken where it may be.
    let words: Vec<_> = said.split_whitespace().collect();
    words.join(" ").replace('"', "'")
}

/// Line 10 is not said where line 101 is.
fn says(said: &str, right: &str) -> bool {
    let number = right.ends_with(char::is_numeric);
    let mut after = said.split(right).skip(1);
    after.any(|it| !(number && it.starts_with(char::is_numeric)))
}

impl Program {
    /// The lines with the comment `<- here`, which the verdict must name. Other words than `here` are the comment of a line
    /// in a function of several programs.
    fn lines_that_wait(&self) -> impl Iterator<Item = String> {
        let head = format!("    {}(", self.name);
        let lines = (1..).zip(self.text.lines());
        let body = lines.skip_while(move |(_, line)| !line.starts_with(&head));
        let body = body.take_while(|(_, line)| *line != "    }");
        let waits = body.filter_map(|(number, line)| match line.split_once("// <- ")?.1 {
            "here" => Some(number),
            words => {
                let comment = format!("; // {words}");
                let mut lines = self.text.lines();
                let before = lines.position(|it| it.ends_with(&comment));
                Some(1 + before.expect("a line with this comment"))
            }
        });
        waits.map(|number| format!("{}:{number}", self.file))
    }
}
