//! The course as it is here, and a small one with every fault.

use course::{Project, complaints, stale};

fn project() -> Project {
    Project::read().expect("every file can be read")
}

#[test]
fn the_course_is_whole_and_agrees_with_itself() {
    let found = stale(&project());
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn the_readme_quotes_what_the_watchdog_says() {
    let course = project();
    let [short, long] =
        ["README.md", "lab/probe/README.md"].map(|it| course.text(it).expect("it is there"));
    let (_, cycle) = long.split_once("```text\n").expect("it shows a message");
    let (cycle, _) = cycle.split_once("\n\n").expect("it has two paragraphs");
    assert!(short.contains(cycle), "README.md lacks this:\n{cycle}");
}

#[test]
fn the_glossary_has_each_word_in_chinese_and_japanese() {
    let course = project();
    let page = course.text("book/src/glossary.md").expect("it is there");
    let words = page.lines().filter_map(|line| line.strip_prefix("### "));
    for word in words.map(|heading| heading.split(" {#").next().unwrap_or_default()) {
        let row = format!("\n| [{word}](#");
        assert!(
            page.contains(&row),
            "{word}: add it to the table at the end of the glossary"
        );
    }
}

const PAGE: &str = "
```rust
{{#include ../../step01-x/src/x.rs:gone}}
```
*step01-x/src/x.rs*
```text
{{#include ../../step01-x/src/x.rs:x}}
```
```rust
let x = {{#include nowhere.rs}};
```
*Test:* `no_test` in `step01-x/src/x.rs`
*Test:* the clauses `a_clause` and `no_clause` of [the contract](contract.md)
Here `a_clause` and `Old::gone_name()` are named.
*Test:* `a_test` in `step01-x/tests/it.rs`
## A heading {#an-id}
## Another heading
[a step](#see:run:1), [here](#an-id) and [there](page.md#an-id), [here](#another-heading) and [there](page.md#gone)
";

const PARTS: &str = "
    // ANCHOR: carried-x
a
c
    // ANCHOR_END: carried-x
    // ANCHOR: carried-z
    // ANCHOR_END: carried-z
";

#[test]
fn every_fault_is_told() {
    let files = [
        ("book/src/introduction.md", "BEGIN stages"),
        ("book/src/page.md", PAGE),
        ("exercises/info.toml", "exercises = []"),
        ("lab/contract/src/a.rs", "name: \"a_clause\""),
        ("step01-x/Cargo.toml", "[package.metadata.stage]\n"),
        (
            "step01-x/src/x.rs",
            "// ANCHOR: x\na\nb\n// ANCHOR_END: x\n// ANCHOR: misspelt\n// ANCHOR_END: misspellt\nfn no_test() {}\n",
        ),
        (
            "step01-x/tests/it.rs",
            "#[tokio::test(start_paused = true)]\n#[should_panic]\nasync fn a_test() {}\n",
        ),
        ("step02-y/Cargo.toml", ""),
        ("step02-y/src/carried/x.rs", ""),
        ("step02-y/src/y/x.rs", PARTS),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let project = Project::of(files.into()).expect("it can be parsed");
    let found = complaints(&project).join("\n");
    let lacks = "crate doc, demo, transcript, contract, loom, chapter, machine, picture, exercises";
    for part in lacks.split(", ") {
        let part = format!("step02-y: {part}: missing");
        assert!(found.contains(&part), "{part} is not told:\n{found}");
    }
    let more = [
        "step01-x: metadata: missing field `title`",
        "book/src/introduction.md: put back the lines `BEGIN stages`",
        "step02-y/src/carried/x.rs: is no copy of step01-x/src/x.rs",
        "step02-y/src/y/x.rs:4: is no copy of step01-x/src/x.rs:3",
        "step02-y/src/y/x.rs:7: no earlier stage has a x.rs with `ANCHOR: z`",
        "step01-x/src/x.rs:5: the file must have `ANCHOR: misspelt` once",
        "step01-x/src/x.rs:6: the file must have `ANCHOR: misspellt` once",
        "page.md:2: no file is named: write `*step01-x/src/x.rs*`",
        "page.md:3: step01-x/src/x.rs must have `ANCHOR: gone` once",
        "page.md:6: step01-x/src/x.rs is no `text`: write `rust`",
        "page.md:9: this is pasted",
        "page.md:10: there is no book/src/nowhere.rs",
        "page.md:12: no such test: *Test:* `no_test`",
        "page.md:13: no such clause: `no_clause`",
        "page.md:14: no source has `gone_name`",
        "page.md:18: no heading of book/src/page.md has the id: write {#another-heading}",
        "page.md:18: no heading of book/src/page.md has the id: write {#gone}",
        "page.md:1: book/src/SUMMARY.md does not name it",
    ];
    for part in more {
        assert!(found.contains(part), "{part} is not told:\n{found}");
    }
    for there in ["`a_clause`", "`a_test`", "{#an-id}", "{#see:"] {
        assert!(!found.contains(there), "it is there:\n{found}");
    }
}
