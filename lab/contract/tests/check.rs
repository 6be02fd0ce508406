//! `suite::check` inside the ordinary harness: what it lets pass, what it says, and that it cannot be fooled.

use std::{
    panic::catch_unwind,
    sync::{Arc, mpsc},
    task::{Context, Wake, Waker},
    thread::{self, Thread},
};

use futures::{
    executor::{LocalPool, block_on},
    task::LocalSpawnExt,
};
use runtime_contract::{
    Answer, BoxFuture, Preset, Runtime, Subject, clause,
    suite::{self, Promise},
};

runtime_contract::count_allocations!();

const NAMES: &[&str] = &["finishes", "parks_in_poll", "woken_in_poll"];

const SOUND: Subject = Subject::runtime("sound", &Preset::block_on(block_on));

#[test]
fn what_is_sound_passes() {
    assert_eq!(suite::check("what_is_sound_passes", SOUND, NAMES), Ok(()));
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The wake is the token of the thread, and nothing else.
fn by_token(mut future: BoxFuture) {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    while future
        .as_mut()
        .poll(&mut Context::from_waker(&waker))
        .is_pending()
    {
        thread::park();
    }
}

#[test]
fn what_is_broken_is_said_with_its_rule() {
    const FAULTY: Preset = Preset::block_on(by_token);
    let faulty = Subject::runtime("faulty", &FAULTY);
    let said = suite::check("what_is_broken_is_said_with_its_rule", faulty, NAMES);
    let said = said.unwrap_err();
    assert!(said.starts_with("1 of 3 clauses"), "{said}");
    let clause = clause("parks_in_poll").unwrap();
    for part in [
        clause.name,
        clause.rule,
        "it hangs after 1 poll",
        clause.why,
    ] {
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
}

/// The thread that polls panics, and the caller waits for it.
fn on_a_thread_that_panics(_future: BoxFuture) {
    let (tell, told) = mpsc::channel::<()>();
    let _kept = tell.clone();
    thread::spawn(move || {
        let _tell = tell;
        panic!("the runtime's own");
    });
    let _ = told.recv();
}

#[test]
fn a_panic_of_the_runtime_is_said_before_the_hang() {
    const PANICS: Preset = Preset::block_on(on_a_thread_that_panics);
    let faulty = Subject::runtime("panics", &PANICS);
    let name = "a_panic_of_the_runtime_is_said_before_the_hang";
    let said = suite::check(name, faulty, &["finishes"]).unwrap_err();
    assert!(said.contains("a thread panicked at check.rs:"), "{said}");
    assert!(
        said.contains(": \"the runtime's own\", and then it hangs"),
        "{said}"
    );
}

#[test]
fn nothing_to_test_is_no_success_nor_is_one_name_for_two() {
    fn told<T>(what: fn() -> T) -> String {
        runtime_contract::message(&*catch_unwind(what).err().expect("it panics"))
    }
    let empty = told(|| suite::main(&[]));
    assert_eq!(empty, "nothing to test: promise something");
    let empty = told(|| suite::check("", SOUND, &[]));
    assert_eq!(empty, "nothing to test: name a clause");
    let twice = told(|| suite::main(&[Promise::all(SOUND), Promise::all(SOUND)]));
    assert_eq!(twice, "two subjects are called sound: rename one");
}

#[test]
fn a_process_that_ends_by_itself_does_not_hang() {
    struct Ends;
    impl Runtime for Ends {
        fn run(&self, _: Vec<BoxFuture>) -> Answer {
            std::process::exit(1);
        }
    }
    let ends = Subject::runtime("ends", &Ends);
    let test = "a_process_that_ends_by_itself_does_not_hang";
    let said = suite::check(test, ends, &["finishes"]).unwrap_err();
    assert!(said.contains("the process ended"), "{said}");
}

#[test]
fn the_status_of_a_test_that_has_passed_proves_nothing() {
    struct Cheats;
    impl Runtime for Cheats {
        fn run(&self, _: Vec<BoxFuture>) -> Answer {
            std::process::exit(39);
        }
    }
    let cheats = Subject::runtime("cheats", &Cheats);
    let test = "the_status_of_a_test_that_has_passed_proves_nothing";
    let said = suite::check(test, cheats, &["finishes"]).unwrap_err();
    assert!(said.contains("the process ended"), "{said}");
}

#[test]
fn a_test_that_does_not_exist_keeps_nothing() {
    let said = suite::check("there_is_no_such_test", SOUND, &["finishes"]);
    assert!(said.unwrap_err().contains("the process ended"));
}

#[test]
fn of_many_that_are_broken_some_are_only_named() {
    // It never ends, so every clause hangs.
    struct Never;
    impl Runtime for Never {
        fn run(&self, _: Vec<BoxFuture>) -> Answer {
            loop {
                thread::park();
            }
        }
    }
    let never = Subject::runtime("never", &Never);
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

struct Pool;

impl Runtime for Pool {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let mut pool = LocalPool::new();
        for task in tasks {
            pool.spawner().spawn_local(task).expect("the pool is there");
        }
        pool.run();
        Ok(())
    }
}

#[test]
fn a_panic_that_is_let_through_is_called_that() {
    let faulty = Subject::runtime("pool", &Pool);
    let test = "a_panic_that_is_let_through_is_called_that";
    let said = suite::check(test, faulty, &["a_panic_is_contained"]).unwrap_err();
    assert!(
        said.contains("seen: the panic of a task came out"),
        "{said}"
    );
}
