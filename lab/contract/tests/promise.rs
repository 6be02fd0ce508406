//! What a contract program says, and with which status it ends: this program, started again with a promise to keep.

use std::{
    env,
    process::{Command, ExitCode},
};

use futures::{executor::LocalPool, task::LocalSpawnExt};

use runtime_contract::{
    Answer, BoxFuture, Cell, Edition, Runtime, Subject, Weight,
    suite::{self, Promise},
};

runtime_contract::count_allocations!();

const PROMISE: &str = "PROMISE";

/// It returns when nothing is left in its queue, and so does not keep `finishes`.
struct Stalls;

impl Runtime for Stalls {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let mut pool = LocalPool::new();
        for task in tasks {
            pool.spawner().spawn_local(task).expect("the pool is there");
        }
        pool.run_until_stalled();
        Ok(())
    }
}

fn faulty() -> Subject {
    Subject::runtime("faulty", &Stalls)
}

fn promise(name: &str) -> Promise {
    let all = Promise::all(faulty());
    match name {
        "all" => all,
        "not yet" => all.not_yet("one day", &["finishes"]),
        "not yet, though kept" => all.not_yet("one day", &["woken_twice"]),
        "sometimes" => all.sometimes("a race", &["finishes", "woken_twice"]),
        "first edition" => all.edition(Edition::E1),
        "std" => all.level(Weight::Std),
        "ecosystem" => all.level(Weight::Ecosystem),
        _ => unreachable!("{name}"),
    }
}

/// Whether it passed, and what it printed.
fn program(name: &str, arguments: &[&str]) -> (bool, String) {
    let mut program = Command::new(env::current_exe().unwrap());
    let ran = program.env(PROMISE, name).args(arguments).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (ran.status.success(), out + &err)
}

#[track_caller]
fn assert_said((passes, text): (bool, String), passed: bool, part: &str) {
    assert!(passes == passed && text.contains(part), "{text}");
}

fn main() -> ExitCode {
    if let Ok(name) = env::var(PROMISE) {
        return suite::main(&[promise(&name)]);
    }
    let draft = r#".not_yet("it returned, and 1 of 1 tasks are not done", &["finishes"])"#;
    assert_said(
        program("all", &["--exact", "faulty::finishes"]),
        false,
        draft,
    );
    let (passes, report) = program("not yet", &["finishes", "--report"]);
    let cell = report.lines().find_map(Cell::read).expect("a line for it");
    let (seen, why) = cell.not_kept.expect("it is not kept");
    let said = (cell.clause, &*cell.subject, &*why);
    assert_eq!((passes, said), (true, ("finishes", "faulty", "one day")));
    assert_eq!(seen, "it returned, and 1 of 1 tasks are not done");
    assert_eq!(Cell::read("no such line"), None);
    let kept = program("not yet, though kept", &["woken_twice"]);
    assert_said(kept, false, "said: not yet\n  rule");
    for clause in ["finishes", "woken_twice"] {
        assert_said(
            program("sometimes", &[clause, "--report"]),
            true,
            "sometimes\ta race",
        );
    }
    let seeded = ["--stress", "0", "--seed", "7", "finishes"];
    assert_said(program("all", &seeded), false, "--stress 60 --seed ");
    let kept = ["--stress", "0", "--seed", "7", "woken_twice"];
    assert_said(program("all", &kept), true, "from seed 7: each was kept");
    assert_said(
        program("all", &["--stress"]),
        false,
        "it takes --stress SECONDS",
    );
    let unknown = program("all", &["finishes", "--nonsense"]);
    assert_said(
        unknown,
        false,
        "unexpected argument \"--nonsense\": it runs",
    );
    for none in [
        &["--list", "--ignored"][..],
        &["--list", "--exact", "finishes"],
    ] {
        assert_eq!(program("all", none), (true, String::new()));
    }
    let names = |promise| program(promise, &["--list", "--test-threads", "3"]).1;
    assert!(names("all").contains("leaves_nothing_itself"));
    assert!(!names("first edition").contains("leaves_nothing_itself"));
    for skips in [&["--skip", "finishes"][..], &["--skip=finishes"]] {
        let rest = program("all", &[skips, &["--list"]].concat()).1;
        assert!(
            rest.contains("woken_twice") && !rest.contains("finishes"),
            "{rest}"
        );
    }
    let std = names("std");
    assert!(
        std.contains("woken_in_poll") && !std.contains("finishes"),
        "{std}"
    );
    // std demands `nested`, and `takes_turns` is expected by others: a choice all the same.
    let chosen = ["nested", "takes_turns"];
    let asked = names("ecosystem");
    assert!(asked.contains("finishes"), "{asked}");
    for clause in chosen {
        assert!(
            names("all").contains(clause) && !asked.contains(clause),
            "{asked}"
        );
    }
    let detached = "`spawn` may have dropped the task with its handle";
    assert_said(program("all", &["finishes"]), false, detached);
    let ignored = "ok. 0 passed; 0 failed; 1 ignored";
    assert_said(program("all", &["output_is_kept"]), true, ignored);
    ExitCode::SUCCESS
}
