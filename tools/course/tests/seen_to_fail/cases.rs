//! The changes: in this file, this text becomes that one; and parts of what is said about it.

/// The file, the text, the other text, and the complaints.
pub type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const ONE: &str = "book/src/01-one.md";
const FIRST: &str = "step01-one/Cargo.toml";
const SECOND: &str = "step02-two/Cargo.toml";

pub const STAGES: &[Case] = &[
    (
        FIRST,
        "idea = ",
        "motto = ",
        &[
            "step01-one/Cargo.toml: metadata: unknown field `motto`",
            "step01-one: title",
            "README.md:7: stale",
            "SUMMARY.md:7: stale",
            "no earlier stage lends it",
        ],
    ),
    (
        "step01-one/src/lib.rs",
        "document 000",
        "documents",
        &["step01-one: crate doc: begin src/lib.rs"],
    ),
    (
        "step01-one/tests/transcript.txt",
        "$ cargo",
        "cargo",
        &[
            "step01-one: transcript: write",
            "must begin with its command",
        ],
    ),
    (
        ONE,
        "{{#include ../../exercises/class/chapter-01.md}}\n",
        "",
        &["step01-one: exercises: write them"],
    ),
    (
        ONE,
        "{{#include pictures/run-01-one.svg}}\n",
        "",
        &["step01-one: picture", "no page includes it"],
    ),
    (
        "step01-one/tests/transcript.rs",
        "//! Comp",
        "#![cfg(not(miri))]\n//! Comp",
        &["step01-one: Miri"],
    ),
    (
        "lab/probe/src/chapters.rs",
        "One",
        "Once",
        &["step01-one: title: add"],
    ),
    (
        SECOND,
        "loom = \"it is small\"\n",
        "",
        &["step02-two: loom: write"],
    ),
    (
        SECOND,
        "loom = \"it is small\"\n",
        "loom = \" \"\n",
        &["`without.loom` has no reason"],
    ),
    (
        SECOND,
        "loom =",
        "alias = \"it is small\"\nloom =",
        &["`alias` is there by now: take it out"],
    ),
    (
        SECOND,
        "loom =",
        "spindle = \"it is small\"\nloom =",
        &["nothing is called `spindle`"],
    ),
];

pub const CHAPTERS: &[Case] = &[
    (ONE, "# One", "# Once", &["begin with `# One`"]),
    (
        ONE,
        "Minutes: ",
        "Time: ",
        &["add a line `Minutes:", "there is no `read 01`"],
    ),
    (ONE, "## See\n", "", &["add the section `## See`"]),
    (
        ONE,
        "## See\n",
        "## See\n\n## Run\n",
        &["bring the sections into their order"],
    ),
    (ONE, "1. Why?", "Why?", &["give each of the questions"]),
    (
        ONE,
        "1. Why?",
        "1. Why?\n\n2. And?",
        &["give each of the questions"],
    ),
];

pub const DERIVED: &[Case] = &[
    (
        "README.md",
        "seven",
        "eight",
        &["README.md:7: stale: run `cargo run -p course -- --write`"],
    ),
    (
        "README.md",
        "BEGIN stages",
        "BEGIN",
        &["README.md: no line `BEGIN stages`"],
    ),
    (
        ".cargo/config.toml",
        "--quiet",
        "",
        &["step01-one: alias", "config.toml:3: stale"],
    ),
    (
        "book/book.toml",
        "../step02-two/src",
        "../step02",
        &["book.toml:4: stale"],
    ),
    (
        "book/src/SUMMARY.md",
        "[One]",
        "[Once]",
        &["SUMMARY.md:7: stale"],
    ),
    (
        "exercises/class/chapter-01.md",
        "Count",
        "Counts",
        &["chapter-01.md:5: stale"],
    ),
    (
        "exercises/class/catalogue.toml",
        "12",
        "15",
        &[
            "chapter-01.md:5: stale",
            "01-one.md:3: stale",
            "course.md:6: stale",
        ],
    ),
    (ONE, "12 for", "9 for", &["01-one.md:3: stale"]),
    (
        ONE,
        "| `sleeps` | no |",
        "| `sleeps` | yes |",
        &["01-one.md:10: stale"],
    ),
    (
        ONE,
        "| `sleeps`",
        "| `dreams`",
        &["01-one.md: line 10: tools/matrix/matrix.md has no `dreams`"],
    ),
    (
        ONE,
        "`step01 looks`",
        "`step01 asks`",
        &["has no `finishes` of `step01 asks`"],
    ),
    (
        "book/src/course.md",
        "| 30 |",
        "| 31 |",
        &["course.md:5: stale"],
    ),
    (
        "book/src/course.md",
        "| 60 |",
        "| 61 |",
        &["course.md:8: stale"],
    ),
    (
        "book/src/course.md",
        "read 01",
        "read 09",
        &["course.md: line 5: there is no `read 09`"],
    ),
    (
        "book/src/course.md",
        "| 6 |",
        "| six |",
        &["`six` is no number of minutes"],
    ),
];

pub const HOUSE: &[Case] = &[
    (
        FIRST,
        "[dev-dependencies]",
        "[dependencies]",
        &["step01-one/Cargo.toml: depends on probe: a stage knows the lab alone"],
    ),
    (
        FIRST,
        "probe.workspace",
        "step02-two.workspace",
        &["depends on step02-two: a stage knows"],
    ),
    (
        FIRST,
        "[dev-dependencies]",
        "[target.'cfg(loom)'.dependencies]\nmatrix.workspace = true\n[dev-dependencies]",
        &["depends on matrix"],
    ),
    (
        "lab/probe/Cargo.toml",
        "[package]",
        "[dependencies]\nmatrix.workspace = true\n[package]",
        &["the lab knows no stage and no tool"],
    ),
    (
        "step02-two/src/carried/counted.rs",
        "7;",
        "8;",
        &[
            "carried/counted.rs: differs from step01-one/src/counted.rs",
            "lends \"counted.rs\", and no stage carries it",
            "carried/counted.rs:1: no page includes `polls`",
        ],
    ),
    (
        FIRST,
        "lends = [\"counted.rs\"]",
        "",
        &["carried/counted.rs: no earlier stage lends it"],
    ),
    (
        "step02-two/src/copy.rs",
        "",
        "pub const NOBODY: usize = 1;\n",
        &["step02-two/src/copy.rs: equals step01-one/src/stray.rs: move it"],
    ),
    (
        "step01-one/src/main.rs",
        "{}",
        "{\n    if let Some(_) = None::<u8> && true {}\n}",
        &["main.rs:2: `let` and `&&` in one condition"],
    ),
];

pub const CODE: &[Case] = &[
    (
        ONE,
        "src/counted.rs:polls",
        "src/gone.rs:polls",
        &[
            "there is no step01-one/src/gone.rs",
            "no page includes `polls`",
            "no page includes `polls`",
        ],
    ),
    (
        ONE,
        "counted.rs:polls",
        "counted.rs:looks",
        &[
            "must have `ANCHOR: looks` once",
            "no page includes",
            "no page includes",
        ],
    ),
    (
        "step01-one/src/counted.rs",
        "// ANCHOR_END: polls\n",
        "",
        &[
            "differs",
            "no stage carries it",
            "its end after it",
            "carried/counted.rs:1: no page",
        ],
    ),
    (
        ONE,
        "{{#include ../../step01-one/src/counted.rs:polls}}",
        "let x = 1;",
        &["no page", "no page", "01-one.md:24: this is pasted"],
    ),
    (
        ONE,
        "{{#include ../../step01-one/tests/transcript.txt}}",
        "$ cargo run -p step01-one",
        &["transcript", "this is pasted"],
    ),
    (
        ONE,
        "src/counted.rs:polls",
        "src/stray.rs",
        &[
            "no page",
            "no page",
            "nothing compiles step01-one/src/stray.rs",
        ],
    ),
    (
        ONE,
        "```rust\n",
        "```rust,ignore\n",
        &["`rust,ignore` is no form of code"],
    ),
    (
        ONE,
        "```rust,compile_fail,E0382",
        "```rust",
        &["this does not compile: write"],
    ),
    (
        ONE,
        "E0382",
        "E0001",
        &["the error in tools/course/errors/moved.stderr is E0382"],
    ),
    (
        ONE,
        "```text\n{{#include ../../tools/course/errors/moved.stderr}}\n```\n",
        "",
        &["show the program and its message whole"],
    ),
    (
        ONE,
        "lab/museum/seen/hang.txt",
        "step01-one/tests/forgotten.txt",
        &["no test in step01-one/tests compares"],
    ),
];

pub const NAMES: &[Case] = &[
    (
        "book/src/introduction.md",
        "cargo step01",
        "cargo step09",
        &["introduction.md:6: `cargo step09`: there is no stage 09"],
    ),
    (
        "book/src/introduction.md",
        "-p step01-one",
        "-p step01-two",
        &["there is no package `step01-two`"],
    ),
    (
        "book/src/introduction.md",
        "--test transcript",
        "--test gone",
        &["there is no `--test gone` in step01-one"],
    ),
    (
        "book/src/introduction.md",
        "transcript seven",
        "transcript eight",
        &["there is no `eight` in step01-one"],
    ),
    (
        "book/src/introduction.md",
        "--bin other",
        "--bin gone",
        &["there is no `--bin gone` in matrix"],
    ),
    (
        "README.md",
        "# Small",
        "# Small\n\n`cargo run -p matrix -- gone`",
        &["README.md:3: `cargo run -p matrix -- gone`: there is no `gone`"],
    ),
    (
        "book/src/introduction.md",
        "src/main.rs",
        "src/gone.rs",
        &["there is no `step01-one/src/gone.rs`"],
    ),
    (
        ONE,
        "See `prints_seven_polls`",
        "See `prints_eight_polls`",
        &[],
    ),
    (
        ONE,
        "Always",
        "`prints_eight_polls`. Always",
        &["nothing here is called `prints_eight_polls`"],
    ),
    (
        "book/src/introduction.md",
        "D01",
        "D02",
        &["nothing here is called `D02`"],
    ),
    (
        "book/src/introduction.md",
        "2.2.1",
        "2.1",
        &["`parking 2.1`, and Cargo.lock has 2.2.1"],
    ),
];

pub const TEXT: &[Case] = &[
    (
        ONE,
        "*Test:* `prints_seven",
        "*Test:* `prints_eight",
        &["nothing here is called", "there is no such test"],
    ),
    (
        ONE,
        "*Test:* `prints_seven_polls` in",
        "`prints_seven_polls` in",
        &["01-one.md:14: this answer has a figure"],
    ),
    (
        ONE,
        "Always 7",
        "Never 7",
        &["book/src/01-one.md does not say `Always 7 polls` any more"],
    ),
    (
        "book/numbers.toml",
        "usize = 7",
        "usize = 8",
        &["step01-one/src/counted.rs does not say `POLLS: usize = 8`"],
    ),
    (
        ONE,
        "Because.",
        "Of course.",
        &["`Of course` is not the voice of this book"],
    ),
    (ONE, "Because.", "Because!", &["`!` is not the voice"]),
    (
        ONE,
        "Because.",
        "**Because**.",
        &["**Because** is not in the glossary"],
    ),
    (
        ONE,
        "Because.",
        "A **waker**.",
        &["**waker** was bold before"],
    ),
    (
        "book/src/introduction.md",
        "**waker**",
        "waker",
        &["no page has **waker** in bold"],
    ),
    (
        "book/src/glossary.md",
        "waker\n",
        "waker\n: One.\n\nvaker\n",
        &["no page has **vaker**", "`vaker` comes before `waker`"],
    ),
    (
        "book/src/pictures/run-01-one.svg",
        "role=\"img\" ",
        "",
        &["role=\"img\""],
    ),
    (
        "book/src/pictures/run-01-one.svg",
        "<title>A run",
        "<title>",
        &["begin the <svg> with its <title>"],
    ),
    (
        "book/src/pictures/run-01-one.svg",
        "<figure>",
        "",
        &["begin with <figure>"],
    ),
    (
        "book/src/pictures/run-01-one.svg",
        "</svg>",
        "\n</svg>",
        &["take the empty line out"],
    ),
    (
        "book/src/pictures/other.svg",
        "",
        "<figure><svg role=\"img\" viewBox=\"0\"><title>A</title></svg></figure>",
        &["no page includes it"],
    ),
];

pub const ERRORS: &[Case] = &[
    (
        "tools/course/errors/moved.stderr",
        "E0382",
        "E0001",
        &["moved.stderr:1: stale: run `cargo run -p course -- --errors`"],
    ),
    (
        "tools/course/errors/moved.rs",
        "(text, text)",
        "(text.clone(), text)",
        &["moved.stderr:1: stale"],
    ),
];
