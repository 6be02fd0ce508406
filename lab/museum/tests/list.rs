//! What the exhibits declare, and what their files look like.

use std::{collections::BTreeSet, path::PathBuf};

use kit::{files, written};
use museum::{ALL, Breaks, Fails, list, page};

fn folder() -> PathBuf {
    files::root().join("lab/museum")
}

fn source(name: &str) -> String {
    let file = format!("src/exhibits/{}.rs", name.replace('-', "_"));
    files::read(&folder().join(file)).unwrap()
}

/// The lines between the two marks.
fn anchored(source: &str, anchor: &str) -> Option<usize> {
    let lines: Vec<_> = source.lines().map(str::trim).collect();
    let find = |mark: String| {
        let mut at = lines.iter().enumerate().filter(|(_, line)| **line == mark);
        let first = at.next()?.0;
        at.next().is_none().then_some(first)
    };
    let begin = find(format!("// ANCHOR: {anchor}"))?;
    let end = find(format!("// ANCHOR_END: {anchor}"))?;
    end.checked_sub(begin + 1)
}

#[test]
fn names_are_unique_and_stand_in_the_order_of_the_chapters() {
    let names: BTreeSet<_> = ALL.iter().map(|exhibit| exhibit.name).collect();
    assert_eq!(names.len(), ALL.len());
    assert!(ALL.is_sorted_by_key(|exhibit| exhibit.chapter));
}

#[test]
fn each_clause_that_is_broken_stands_in_the_contract() {
    for exhibit in ALL {
        if let Breaks::Clause(name) = exhibit.breaks {
            assert!(contract::clause(name).is_some(), "{}: {name}", exhibit.name);
        }
    }
}

#[test]
fn each_file_has_both_anchors_once_round_what_fits_on_a_page() {
    for exhibit in ALL {
        let source = source(exhibit.name);
        for anchor in ["broken", "repaired"] {
            let lines = anchored(&source, anchor);
            let lines = lines.unwrap_or_else(|| panic!("{}: anchor {anchor}", exhibit.name));
            assert!(
                (1..=40).contains(&lines),
                "{}: {anchor} has {lines} lines",
                exhibit.name
            );
        }
    }
}

#[test]
fn each_head_tells_what_it_is_in_a_few_lines() {
    for exhibit in ALL {
        let source = source(exhibit.name);
        let head = source.lines().take_while(|line| line.starts_with("//!"));
        let head = head.count();
        assert!((3..=6).contains(&head), "{}: {head} lines", exhibit.name);
    }
}

#[test]
fn each_file_in_the_folder_is_an_exhibit() {
    for part in ["src/exhibits", "seen"] {
        let names: BTreeSet<_> = files::below(&folder().join(part))
            .unwrap()
            .iter()
            .map(|file| {
                file.file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .replace('_', "-")
            })
            .collect();
        let here = ALL.iter().map(|exhibit| exhibit.name.to_owned());
        let expected: BTreeSet<_> = here.chain(museum::elsewhere()).collect();
        assert_eq!(names, expected, "{part}");
    }
}

#[test]
fn what_the_visitor_sees_fits_on_a_page() {
    for exhibit in ALL {
        let seen = files::read(&exhibit.seen_file()).unwrap();
        let command = format!("$ cargo run -p museum -- {}\n", exhibit.name);
        assert!(seen.starts_with(&command), "{}", exhibit.name);
        assert!(seen.lines().count() <= 25, "{}", exhibit.name);
        for line in seen.lines() {
            assert!(
                line.chars().count() <= page::WIDTH,
                "{}: {line}",
                exhibit.name
            );
            assert_eq!(line, line.trim_end(), "{}", exhibit.name);
        }
    }
}

/// Also those that only Miri can show: it need not be here to compare what is declared with what was written.
#[test]
fn what_the_visitor_sees_has_the_declared_failure_and_the_twins_line() {
    for exhibit in ALL {
        let seen = files::read(&exhibit.seen_file()).unwrap();
        let words = |text: &str| {
            let words = text.split_whitespace().filter(|word| *word != "|");
            words.collect::<Vec<_>>().join(" ")
        };
        let seen = words(&seen);
        let (Fails::Hangs(text)
        | Fails::Prints(text)
        | Fails::Panics(text)
        | Fails::Miri(text)
        | Fails::Loom(text)) = exhibit.fails;
        assert!(seen.contains(&words(text)), "{}: {text}", exhibit.name);
        let passes = exhibit.passes;
        assert!(seen.contains(&words(passes)), "{}: {passes}", exhibit.name);
        assert!(seen.contains(&words(exhibit.why)), "{}", exhibit.name);
    }
}

#[test]
fn the_committed_list_is_the_one_that_is_written_now() {
    if museum::elsewhere().next().is_some() {
        // Then the list is without those.
        return;
    }
    let list = folder().join("LIST.md");
    assert_eq!(
        written::check(&list, &list::markdown(), false, list::HOW),
        Ok(())
    );
}
