//! A test in a process of its own: it is another process, and its failure is the test's.

// Miri starts no programs.
#![cfg(not(miri))]

use std::{env, panic::catch_unwind, process};

use why_pending::{alone, alone_with};

mod inner {
    #[test]
    fn it_is_another_process_with_these_variables() {
        let parent = super::process::id().to_string();
        super::alone_with(&[("PARENT", &parent)], || {
            let parent = super::env::var("PARENT").unwrap();
            assert_ne!(parent, super::process::id().to_string());
        });
    }
}

#[test]
fn it_fails_as_the_process_fails() {
    let failed = catch_unwind(|| {
        alone(|| {
            eprintln!("this failure belongs to the test");
            process::exit(3)
        })
    });
    let message = failed.unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("in a process of its own:"), "{message}");
}

/// The harness knows no test of this name.
fn elsewhere() {
    alone(|| ());
}

#[test]
fn called_from_elsewhere_it_fails() {
    let failed = catch_unwind(elsewhere).unwrap_err();
    let message = failed.downcast::<String>().unwrap();
    assert!(message.contains("0 passed"), "{message}");
}
