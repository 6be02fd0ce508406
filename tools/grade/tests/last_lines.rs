//! What `exercises/build.rs` says of a file whose tests would not run.

#[allow(dead_code, reason = "its `main` is for cargo")]
#[path = "../../../exercises/build.rs"]
mod build;

mod common;

use build::why_no_test_runs;
use common::foot;

const NAME: &str = "s01a_countdown";

/// What a file is, its text, and what is said of it. `{foot}` are its last lines.
const FILES: &str = r##"
as handed out ; fn main() {} {foot} ;
lines below ; fn main() {} {foot} impl Answer { fn more() {} } ;
lints ; #![allow(unsafe_code)] fn main() {} {foot} ;
on one line ; fn main() {} #[path = "../../checks/s01a_countdown.rs"] #[cfg(test)] mod tests; ;
a comment above ; fn main() {} /// The tests. {foot} ;
an error of the compiler's ; fn main( {} {foot} ;
an open comment ; fn main() {} /* {foot} ;
a comment ; fn main() {} /* {foot} */ ; it has lost its tests: write this
deleted ; fn main() {} ; it has lost its tests: write this at its end, by itself: #[cfg(test)] #[path = "../../checks/s01a_countdown.rs"] mod tests;
in a module ; fn main() {} mod inner { {foot} } ; it has lost its tests
in a module that is out ; fn main() {} #[cfg(any())] mod out { {foot} } ; it has lost its tests
in a function ; fn main() { {foot} } ; it has lost its tests
in a macro ; fn main() {} macro_rules! out { () => { {foot} } } ; it has lost its tests
in a string ; fn main() {} const OUT: &str = r#" {foot} "#; ; it has lost its tests
under an attribute ; fn main() {} #[cfg(any())] {foot} ; it has lost its tests
under another ; fn main() {} #[cfg_attr(test, cfg(any()))] {foot} ; it has lost its tests
for another system ; fn main() {} #[cfg(all(test, windows))] #[path = "../../checks/s01a_countdown.rs"] mod tests; ; it has lost its tests
for all systems ; fn main() {} #[path = "../../checks/s01a_countdown.rs"] mod tests; ; it has lost its tests
of another exercise ; fn main() {} #[cfg(test)] #[path = "../../checks/s01b_other.rs"] mod tests; ; it has lost its tests
own ; fn main() {} #[cfg(test)] #[path = "../../checks/s01a_countdown.rs"] mod tests {} ; it has lost its tests
not in a test ; #![cfg(not(test))] fn main() {} {foot} ; the line `#![cfg ...]` can take away its tests: delete that line
own main ; #![cfg_attr(test, no_main)] fn main() {} {foot} ; the line `#![cfg_attr ...]` can
no main ; #![no_main] {foot} ; the line `#![no_main ...]` can
"##;

#[test]
fn a_file_without_its_tests_is_told_so() {
    for row in FILES.trim().lines() {
        let row: Vec<_> = row.split(" ;").map(str::trim).collect();
        let text = row[1].replace("{foot}", &format!("\n{}", foot(NAME)));
        let said = why_no_test_runs(NAME, &text).unwrap_or_default();
        assert!(said.starts_with(row[2]), "{}: {said}", row[0]);
        assert_eq!(said.is_empty(), row[2].is_empty(), "{}: {said}", row[0]);
        assert!(!said.contains('\n'), "{said}");
    }
}
