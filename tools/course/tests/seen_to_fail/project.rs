//! A small course in which everything is right.

use std::{fs, path::Path};

use tempfile::TempDir;

/// Writes it into a folder that goes with it.
pub fn small() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in FILES.split("\n=== ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap_or((file, ""));
        write(root.path(), path, &format!("{}\n", text.trim_end()));
    }
    root
}

/// Writes a file.
pub fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

const FILES: &str = r##"
=== README.md
# Small

<!-- BEGIN stages -->

| stage | the idea | run it | what you see |
|---|---|---|---|
| [01](step01-one/src/lib.rs) | Count. | `cargo run -p step01-one` | seven |
| [02](step02-two/src/lib.rs) | Carry. | `cargo run -p step02-two` | nothing |

<!-- END stages -->
=== .cargo/config.toml
[alias]
# BEGIN stages
step01 = "run --quiet -p step01-one --"
step02 = "run --quiet -p step02-two --"
# END stages
=== Cargo.lock
[[package]]
name = "parking"
version = "2.2.1"
=== step01-one/Cargo.toml
[package]
name = "step01-one"

[package.metadata.stage]
title = "One"
idea = "Count."
shows = "seven"
documents = ["000"]
lends = ["counted.rs"]

[dev-dependencies]
probe.workspace = true
=== step01-one/src/lib.rs
//! # Stage 01: one
//!
//! After the document 000.
mod counted;
=== step01-one/src/counted.rs
// ANCHOR: polls
pub const POLLS: usize = 7;
// ANCHOR_END: polls
=== step01-one/src/stray.rs
pub const NOBODY: usize = 1;
=== step01-one/src/main.rs
fn main() {}
=== step01-one/tests/transcript.rs
//! Compares transcript.txt.
#[test]
fn prints_seven_polls() {
    assert_eq!(3 + 4, 7);
}
=== step01-one/tests/transcript.txt
$ cargo run -p step01-one
polls: 7
=== step01-one/tests/forgotten.txt
$ cargo run -p step01-one
=== step01-one/tests/contract.rs
=== step01-one/tests/loom.rs
=== step02-two/Cargo.toml
[package]
name = "step02-two"

[package.metadata.stage]
title = "Two"
idea = "Carry."
shows = "nothing"
documents = []

[package.metadata.stage.without]
demo = "it is small"
transcript = "it is small"
contract = "it is small"
loom = "it is small"
Miri = "it is small"
chapter = "it is small"
exercises = "it is small"
recording = "it is small"
picture = "it is small"
title = "it is small"
=== step02-two/src/lib.rs
//! # Stage 02: two
=== step02-two/src/carried/counted.rs
// ANCHOR: polls
pub const POLLS: usize = 7;
// ANCHOR_END: polls
=== lab/probe/Cargo.toml
[package]
name = "probe"
=== lab/probe/src/chapters.rs
const TITLES: [&str; 1] = ["One"];
=== lab/museum/seen/hang.txt
$ cargo run -p museum -- hang
It hangs.
=== tools/matrix/matrix.md
| clause | step01<br>looks |
|---|:-:|
| `finishes` | yes |
| `sleeps` | **no** (1) |
=== tools/matrix/Cargo.toml
[package]
name = "matrix"

[[bin]]
name = "other"

[dependencies]
step01-one.workspace = true
=== tools/mutants/defects.toml
id = "D01"
=== tools/course/errors/VERSION
rustc 0.0.0
=== tools/course/errors/moved.rs
pub fn twice(text: String) -> (String, String) {
    (text, text)
}
=== tools/course/errors/moved.stderr
error[E0382]: use of moved value: `text`
=== exercises/class/catalogue.toml
[[exercise]]
name = "s01a_count"
title = "Count"
kind = "complete"
stage = 1
minutes = 12
=== exercises/class/chapter-01.md
<!-- Written by `cargo run -p course -- --write`. -->

| exercise | title | kind | minutes |
|---|---|---|--:|
| `s01a_count` | Count | complete | 12 |
=== exercises/exercises/01_one/s01a_count.rs
=== book/book.toml
# BEGIN stages
    "../step01-one/src",
    "../step01-one/tests",
    "../step02-two/src",
    "../step02-two/tests",
# END stages
=== book/numbers.toml
[[number]]
page = "01-one.md"
text = "Always 7 polls"
source = "step01-one/src/counted.rs"
says = "POLLS: usize = 7"
=== book/recordings/run-01-one.json
=== book/src/pictures/run-01-one.svg
<figure><svg role="img" viewBox="0 0 9 9">
<title>A run</title>
</svg></figure>
=== book/src/SUMMARY.md
# Summary

[Introduction](introduction.md)

<!-- BEGIN stages -->

- [One](01-one.md)
- [Two](02-two.md)

<!-- END stages -->

[Glossary](glossary.md)
[Plans](course.md)
=== book/src/introduction.md
# Introduction

See `step01-one/src/main.rs`. A **waker** calls. D01 is here, and parking 2.2.1.

```sh
cargo step01
cargo test -p step01-one --test transcript seven
cargo run -p matrix --bin other -- --clause sleeps
cargo run -p matrix -- finishes
```
=== book/src/01-one.md
# One

Minutes: 20 to read, 10 to run, 12 for the exercises.

## Before and after

| clause | `step01 looks` |
|---|---|
| `finishes` | yes |
| `sleeps` | no |

## Predict

<details><summary>Answer</summary>

It takes 7 polls.

*Test:* `prints_seven_polls` in `step01-one/tests/transcript.rs`

</details>

## Build

```rust
{{#include ../../step01-one/src/counted.rs:polls}}
```

```rust,compile_fail,E0382
{{#include ../../tools/course/errors/moved.rs}}
```

```text
{{#include ../../tools/course/errors/moved.stderr}}
```

## Run

```console
{{#include ../../step01-one/tests/transcript.txt}}
```

## See

{{#include pictures/run-01-one.svg}}

## Bugs in the wild

```console
{{#include ../../lab/museum/seen/hang.txt}}
```

## What it costs

Always 7 polls.

## Exercises and questions

### Exercises

{{#include ../../exercises/class/chapter-01.md}}

### Questions

1. Why?

<details><summary>Answer</summary>

Because.

</details>

## In the real world

See `unpark_all` there.

## From the documents

See `prints_seven_polls`.
=== book/src/glossary.md
# Glossary

waker
: Who is called.
=== book/src/course.md
# Plans

| part | minutes |
|---|---|
| read 01, run 01 | 30 |
| `s01a_count`, exercises 01 | 24 |
| talk | 6 |
| total | 60 |"##;
