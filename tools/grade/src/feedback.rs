//! What a learner gets: a file with the reason of each exercise that isn't solved, and what to think about next.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use climb::Tried;

use crate::{
    Error,
    checks::Mark,
    class::NOT_HANDED_IN,
    decisions::Decisions,
    grading::{Graded, Row},
    project::{self, Rubric, State},
    wrong::{self, Wrong},
};

/// So many lines of a message.
const LINES: usize = 16;
/// So many of the things that a rung asks and that aren't kept. More may well have the same cause.
const EXPLAINED: usize = 2;

/// A line of a file.
macro_rules! say {
    ($out:expr, $($line:tt)*) => {
        writeln!($out, $($line)*).expect("a string takes every line")
    };
}

/// Writes a file for each learner.
pub(crate) fn write(
    folder: &Path,
    files: impl Iterator<Item = (String, String)>,
) -> Result<(), Error> {
    fs::create_dir_all(folder)?;
    for (learner, text) in files {
        fs::write(folder.join(format!("{learner}.md")), text)?;
    }
    Ok(())
}

/// The exercises of a learner. What the teacher's pages say about a message like this one, or else the second step of the hint: the first
/// one is what rustlings shows.
pub(crate) fn of_exercises(
    row: &Row,
    decisions: &Decisions,
    wrong: &BTreeMap<String, Vec<Wrong>>,
) -> String {
    let mut out = String::new();
    let Row { learner, answers } = row;
    let decision = decisions.of(learner);
    let (got, possible) = decisions.total(row);
    say!(out, "# {learner}\n\n{got} of {possible} points.");
    if decision.add != 0 {
        say!(out, "\nThat includes {:+}.", decision.add);
    }
    for row in answers {
        if let Some(given) = row.given {
            let (name, of) = (&row.exercise.name, row.exercise.points);
            say!(
                out,
                "\nFor `{name}` your teacher gives {given} of {of} points."
            );
        }
    }
    if !decision.note.is_empty() {
        say!(out, "\n{}", decision.note);
    }
    // With full points from the teacher, what the grader says of an answer is no fault of the learner's.
    let rows: Vec<_> = answers.iter().filter(|row| !is_given(row)).collect();
    for title in ["Solved", "Not started", "Not handed in"] {
        let rows = rows.iter().filter(|row| listed(row) == Some(title));
        let names: Vec<_> = rows.map(|row| format!("`{}`", row.exercise.name)).collect();
        if !names.is_empty() {
            say!(out, "\n{title}: {}.", names.join(", "));
        }
    }
    for row in rows.into_iter().filter(|row| listed(row).is_none()) {
        let exercise = &row.exercise;
        let (name, title, mark) = (&exercise.name, &exercise.title, row.mark);
        say!(out, "\n## `{name}`: {title}\n\nIt {}.", verb(mark));
        match mark {
            Mark::DoesNotCompile if !row.screen.is_empty() => quote(&mut out, &row.screen),
            _ => quote(&mut out, &message(row)),
        }
        let wrong = wrong.get(name).map_or(&[][..], Vec::as_slice);
        match wrong::says(wrong, &row.screen) {
            Some(says) => say!(out, "\n{says}"),
            None if matches!(mark, Mark::Failed | Mark::TimedOut) => {
                say!(out, "\nWhere to look: {}", exercise.place.trim());
            }
            None => {}
        }
    }
    out
}

/// Whether the teacher has given all points for an answer that the grader gives none.
fn is_given(row: &Graded) -> bool {
    row.mark != Mark::Solved && row.given == Some(row.exercise.points)
}

/// The list in which an exercise is only named, because there is nothing to say of it.
fn listed(row: &Graded) -> Option<&'static str> {
    match row.mark {
        Mark::Solved => Some("Solved"),
        Mark::NotStarted => Some("Not started"),
        Mark::Missing if row.why == NOT_HANDED_IN => Some("Not handed in"),
        _ => None,
    }
}

/// The message of which the line that says why is the first.
fn message(row: &Graded) -> String {
    let is_first = |line: &&str| line.trim() == row.why;
    let is_message = |line: &&str| {
        !["note: run with", "thread '"]
            .iter()
            .any(|noise| line.starts_with(noise))
    };
    let lines = row.screen.lines().skip_while(|line| !is_first(line));
    let lines: Vec<_> = lines.take_while(is_message).collect();
    if lines.is_empty() {
        row.why.clone()
    } else {
        lines.join("\n")
    }
}

/// What an exercise does, after "it".
fn verb(mark: Mark) -> &'static str {
    match mark {
        Mark::Solved => "is solved",
        Mark::Failed => "fails",
        Mark::NotStarted => "is as it was handed out",
        Mark::DoesNotCompile => "does not compile",
        Mark::TimedOut => "hangs",
        Mark::Missing => "can't be graded",
        Mark::PrintedTooMuch => "prints too much",
    }
}

/// The runtime of a learner: what the next rung asks that isn't kept, and the mark.
pub(crate) fn of_project(graded: &project::Graded, rubric: &Rubric) -> String {
    let mut out = String::new();
    let (mark, decided) = (
        rubric.mark(&graded.learner, graded.passed()),
        rubric.decided(&graded.learner),
    );
    let rungs = match graded.passed() {
        1 => "1 rung".to_owned(),
        count => format!("{count} rungs"),
    };
    let mut parts = vec![format!("{} for {rungs}", mark.rungs)];
    parts.extend(
        decided
            .review
            .map(|points| format!("{points} for the review")),
    );
    parts.extend((decided.add != 0).then(|| format!("{:+}", decided.add)));
    let note = match &*decided.note {
        "" => String::new(),
        note => format!(" ({note})"),
    };
    say!(out, "# {}\n", graded.learner);
    let (total, of, parts) = (mark.total, mark.of, parts.join(", "));
    say!(out, "{total} of {of} points: {parts}{note}.");
    match &graded.state {
        State::Climbed(climb) => match climb.rungs.get(climb.passed) {
            Some(stops) => rung(&mut out, stops, climb.reached, graded.unbegun().is_some()),
            None => say!(out, "\nAll rungs are passed."),
        },
        State::DoesNotCompile(said) => {
            say!(out, "\nIt does not compile.");
            quote(&mut out, said);
        }
        State::Stopped(why) => {
            say!(
                out,
                "\nIt was stopped: {why}. Does `cargo run` come to its end with it?"
            );
        }
        State::NotStarted | State::Empty | State::Missing(_) => {
            quote(&mut out, &graded.why());
        }
    }
    let not_mine = graded.not_mine();
    for (name, _, listed) in not_mine.iter().filter(|(_, _, listed)| listed.kept) {
        say!(
            out,
            "\n`NOT_MINE` names `{name}` (\"{}\"), which your runtime keeps. Take it off the list.",
            listed.reason
        );
    }
    for name in graded.unknown() {
        say!(
            out,
            "\n`NOT_MINE` names `{name}`, and no rung asks that. Is it misspelt?"
        );
    }
    out
}

/// The rung at which a runtime stops.
fn rung(out: &mut String, stops: &Tried, reached: usize, is_unbegun: bool) {
    let Tried { number, title, .. } = stops;
    say!(out, "\n## Rung {number}: {title}");
    if *number <= reached {
        say!(
            out,
            "\n`REACHED` is {reached} in your file, so your last change may have broken it."
        );
    }
    if is_unbegun {
        say!(
            out,
            "\nThis is the next one. The section *Your runtime: rung {number}* of the book says how to begin."
        );
        return;
    }
    for broken in stops.broken.iter().take(EXPLAINED) {
        say!(out, "\n`{}`:", broken.name);
        quote(out, &broken.not_kept.what);
    }
    let more = stops.broken.len().saturating_sub(EXPLAINED);
    if more > 0 {
        say!(
            out,
            "\n{more} more are not kept. Several may have the same cause, so begin with the first."
        );
    }
    say!(
        out,
        "\nThe section *Your runtime: rung {number}* of the book has two traps."
    );
}

/// The first lines of a message. A fence longer than any in it can't end early.
fn quote(out: &mut String, text: &str) {
    let lines: Vec<_> = text.trim().lines().take(LINES).collect();
    let text = lines.join("\n");
    let longest = text.split(|c| c != '`').map(str::len).max();
    let fence = "`".repeat(5.max(longest.unwrap_or_default() + 1));
    say!(out, "\n{fence}text\n{text}\n{fence}");
}

#[cfg(test)]
#[test]
fn no_fence_in_a_message_ends_it() {
    for (text, fence) in [("a ```` b", "`````"), ("a\n``````\n# b", "```````")] {
        let mut out = String::new();
        quote(&mut out, text);
        assert_eq!(out, format!("\n{fence}text\n{text}\n{fence}\n"));
    }
}
