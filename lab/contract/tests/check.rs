//! `suite::check` inside the ordinary harness: what it lets pass, what it says, and that it cannot be fooled.

use std::{panic::catch_unwind, thread};

use runtime_contract::{
    Subject, clause,
    faulty::{caught_by, passed_by},
    suite::{self, Promise},
};

runtime_contract::count_allocations!();

const NAMES: &[&str] = &["finishes", "woken_twice", "nothing_to_do"];

#[test]
fn what_is_sound_passes() {
    let sound = passed_by(clause("woken_twice").unwrap()).remove(0).1;
    assert_eq!(suite::check("what_is_sound_passes", sound, NAMES), Ok(()));
}

#[test]
fn what_is_broken_is_said_with_its_rule() {
    let clause = clause("woken_twice").unwrap();
    let said = suite::check(
        "what_is_broken_is_said_with_its_rule",
        caught_by(clause).remove(0).1,
        NAMES,
    );
    let said = said.unwrap_err();
    assert!(said.starts_with("1 of 3 clauses"), "{said}");
    for part in ["woken_twice", clause.rule, "it hangs", clause.why] {
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
}

#[test]
fn nothing_to_test_is_no_success_nor_is_one_name_for_two() {
    fn told<T>(what: fn() -> T) -> String {
        runtime_contract::message(&*catch_unwind(what).err().expect("it panics"))
    }
    fn sound() -> Subject {
        passed_by(clause("finishes").unwrap()).remove(0).1
    }
    let empty = told(|| suite::main(&[]));
    assert_eq!(empty, "nothing to test: promise something");
    let empty = told(|| suite::check("", sound(), &[]));
    assert_eq!(empty, "nothing to test: name a clause");
    let twice = told(|| suite::main(&[Promise::all(sound()), Promise::all(sound())]));
    assert_eq!(twice, "two subjects are called faulty: rename one");
}

#[test]
fn a_process_that_ends_by_itself_does_not_hang() {
    struct Ends;
    impl runtime_contract::Runtime for Ends {
        fn run(&self, _: Vec<runtime_contract::BoxFuture>) -> runtime_contract::Answer {
            std::process::exit(1);
        }
    }
    let ends = runtime_contract::Subject::runtime("ends", &Ends);
    let test = "a_process_that_ends_by_itself_does_not_hang";
    let said = suite::check(test, ends, &["finishes"]).unwrap_err();
    assert!(said.contains("the process ended"), "{said}");
}

#[test]
fn a_test_that_does_not_exist_keeps_nothing() {
    let sound = passed_by(clause("finishes").unwrap()).remove(0).1;
    let said = suite::check("there_is_no_such_test", sound, &["finishes"]);
    assert!(said.unwrap_err().contains("the process ended"));
}

#[test]
fn of_many_that_are_broken_some_are_only_named() {
    // It never ends, so every clause hangs.
    struct Never;
    impl runtime_contract::Runtime for Never {
        fn run(&self, _: Vec<runtime_contract::BoxFuture>) -> runtime_contract::Answer {
            loop {
                thread::park();
            }
        }
    }
    let never = runtime_contract::Subject::runtime("never", &Never);
    let names = [
        "finishes",
        "woken_twice",
        "woken_in_poll",
        "woken_asleep",
        "takes_turns",
    ];
    let said = suite::check("of_many_that_are_broken_some_are_only_named", never, &names);
    let said = said.unwrap_err();
    assert!(said.starts_with("5 of 5"), "{said}");
    assert!(said.ends_with("also not kept: takes_turns\n"), "{said}");
}

#[test]
fn a_panic_that_is_let_through_is_called_that() {
    let faulty = caught_by(clause("a_panic_is_contained").unwrap())
        .remove(0)
        .1;
    let test = "a_panic_that_is_let_through_is_called_that";
    let said = suite::check(test, faulty, &["a_panic_is_contained"]).unwrap_err();
    assert!(
        said.contains("seen: the panic of a task came out"),
        "{said}"
    );
}
