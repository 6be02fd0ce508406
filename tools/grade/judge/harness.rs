//! Runs one test, and proves that it came to its end.
//!
//! `grade` names a file in the environment, and the file holds a word that was made for this run. The word is taken out of there
//! before the test begins, and once the test has returned it is put back, after the name of the test. A process that ends
//! earlier, with whatever status, leaves another text there.

use std::{env, fs, process, thread};

/// Runs the test that the arguments name.
pub fn main(tests: &[(&str, fn())]) {
    let file = env::var_os("GRADE_PROOF").expect("`grade` names a file");
    let word = fs::read_to_string(&file).expect("`grade` has written the file");
    fs::write(&file, "").expect("`grade` has written the file");
    // The suite of the contract starts this program again for each clause, with the same name and with options.
    let named = env::args().find_map(|name| tests.iter().find(|test| test.0 == name));
    let (name, test) = named.expect("the name of a test");
    let running = thread::Builder::new().name((*name).into()).spawn(*test);
    if running.expect("a thread").join().is_err() {
        process::exit(101);
    }
    fs::write(&file, format!("{name} {word}")).expect("`grade` has written the file");
}
