//! A copy is found behind other names, and what everybody was given is no copy.

use std::{fs, process::Command};

use grade::{alike, project};
use kit::files;
use tempfile::TempDir;

fn course(file: &str) -> String {
    files::read(&files::root().join("exercises").join(file)).unwrap()
}

/// The percentage and the words that two files have in common.
fn common(shown: &[String], a: &str, b: &str) -> (usize, usize) {
    let starter = project::starter().unwrap();
    let pairs = alike::pairs(&starter, shown, &[a.to_owned(), b.to_owned()]);
    assert_eq!(pairs.len(), 1);
    (pairs[0].percent, pairs[0].words)
}

/// The same file in another dress: names of its own, no comments, and each line broken where it can be.
fn disguised(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut text = text.replace("{ ", "{\n\n").replace(", ", ",\n  ");
    for (old, new) in [
        ("Place", "Shelf"),
        ("Finish", "Ending"),
        ("waiter", "guest"),
    ] {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}

#[test]
fn a_copy_with_other_names_is_alike_and_another_design_is_not() {
    let [mutex, channels] =
        ["one-mutex", "channels"].map(|it| course(&format!("teachers/yours/{it}/05.rs")));
    let (percent, words) = common(&[], &mutex, &disguised(&mutex));
    assert!(percent > 95 && words > 1000, "{percent} % of {words}");
    // A file that doesn't parse is compared as well.
    let broken = mutex.clone() + "fn nothing( {";
    assert!(common(&[], &broken, &broken).0 > 95);
    let (percent, words) = common(&[], &mutex, &channels);
    assert!(percent < 25, "{percent} % of {words}");
    // This one was begun with the other one beside it.
    let slab = course("teachers/yours/slab/06.rs");
    let (percent, words) = common(&[], &mutex, &slab);
    assert!(percent > 50, "{percent} % of {words}");
}

#[test]
fn what_all_learners_were_given_is_not_counted() {
    let starter = project::starter().unwrap();
    let mutex = course("teachers/yours/one-mutex/05.rs");
    assert_eq!(common(&[], &starter, &starter).1, 0);
    let shown = [mutex.clone()];
    assert_eq!(common(&shown, &mutex, &disguised(&mutex)).1, 0);
}

#[test]
fn a_class_has_a_line_for_each_pair_and_for_what_is_like_the_courses_own() {
    let class = TempDir::new().unwrap();
    let channels = course("teachers/yours/channels/05.rs");
    let write = |file: &str, text: &str| fs::write(class.path().join(file), text).unwrap();
    write("anna.rs", &channels);
    write("bob.rs", &course("teachers/yours/slab/06.rs"));
    write("eve.rs", &disguised(&channels.replace("fn ", "fn \n")));
    write("zoe.rs", &project::starter().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_alike"));
    let ran = command.arg(class.path()).output().unwrap();
    let table = String::from_utf8(ran.stdout).unwrap();
    let rows = table.lines().skip(2).map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        cells.get(3..5).map_or(line.to_owned(), |it| it.join(" = "))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    let expected = [
        "3 files, pairs with 40 % or more in common: 4.",
        "anna = eve",
        "anna = the course's channels/05.rs",
        "bob = the course's slab/06.rs",
        "eve = the course's channels/05.rs",
    ];
    assert_eq!(rows, expected, "{table}");
}

/// Other ways to write three exercises than those on the teacher's pages.
const WORK: [&str; 2] = [
    "let job = self.job.take();
        match job {
            Some(f) => {
                let done = self.done.clone();
                let _ = thread::spawn(move || {
                    f();
                    done.fire()
                });
                self.done.poll_fired(cx)
            }
            None => self.done.poll_fired(cx),
        }",
    "let this = self.get_mut();
        if let Some(job) = this.job.take() {
            let done = this.done.clone();
            thread::Builder::new()
                .name(\"job\".to_string())
                .spawn(move || {
                    job();
                    done.fire();
                })
                .expect(\"no thread\");
        }
        this.done.poll_fired(cx)",
];
const PARK: [&str; 2] = [
    "let mut guard = self.unparks.lock().unwrap();
        loop {
            if *guard > 0 {
                let used = *guard;
                *guard = 0;
                return used;
            }
            guard = self.changed.wait(guard).unwrap();
        }",
    "let count = self.unparks.lock().unwrap();
        let mut count = self.changed.wait_while(count, |c| *c == 0).unwrap();
        std::mem::replace(&mut *count, 0)",
];
const RUN: [&str; 2] = [
    "loop {
            if self.tasks.borrow().len() == 0 {
                return;
            }
            let id = match self.queue.recv() {
                Ok(id) => id,
                Err(_) => return,
            };
            let mut f = match self.tasks.borrow_mut().remove(&id) {
                Some(f) => f,
                None => continue,
            };
            let w: Waker = Arc::new(Address { task: id, sender: self.sender.clone() }).into();
            let done = f.as_mut().poll(&mut Context::from_waker(&w)).is_ready();
            if !done {
                self.tasks.borrow_mut().insert(id, f);
            }
        }",
    "for task in self.queue.iter() {
            let future = self.tasks.borrow_mut().remove(&task);
            if let Some(mut future) = future {
                let sender = self.sender.clone();
                let waker = Arc::new(Address { task, sender }).into();
                let mut context = Context::from_waker(&waker);
                if future.as_mut().poll(&mut context).is_pending() {
                    // it waits, so keep it
                    self.tasks.borrow_mut().insert(task, future);
                }
            }
            if self.tasks.borrow().is_empty() {
                // all done, none of them can come back
                break;
            }
        }",
];

#[test]
fn copied_answers_to_exercises_are_listed_and_what_anybody_writes_is_not() {
    let class = TempDir::new().unwrap();
    let [thread, executor, parker] = [
        "03_timer_future/s03a_work_on_a_thread.rs",
        "04_channel_executor/s04g_tasks_by_number.rs",
        "05_parker_block_on/s05a_parker.rs",
    ];
    let weeks = ["week2", "week4"].map(|week| class.path().join(week));
    let write = |learner: &str, file: &str, text: &str| {
        let week = &weeks[usize::from(file != thread)];
        let path = week.join(learner).join("exercises").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let filled = |file: &str, todo: &str, body: &str| {
        let starter = course(&format!("exercises/{file}"));
        assert!(starter.contains(todo), "{file}");
        starter.replace(todo, body)
    };
    let answer = |n: usize| {
        let receive = "// TODO: receive a number, take its future, and poll it with a waker that points to a new `Address`.";
        [
            (
                thread,
                filled(
                    thread,
                    "// TODO: let a thread run the job, and be ready when it is done.\n        Poll::Pending\n",
                    WORK[n],
                ),
            ),
            (executor, filled(executor, receive, RUN[n])),
            (
                parker,
                filled(
                    parker,
                    "// TODO: sleep while there was no unpark, then use up all that there are.\n        1\n",
                    PARK[n],
                ),
            ),
        ]
    };
    for (learner, n) in [("anna", 0), ("bob", 1), ("hal", 1)] {
        for (file, text) in answer(n) {
            write(learner, file, &text);
        }
    }
    for (file, text) in answer(0) {
        let lines = text.lines().filter(|it| !it.trim_start().starts_with("//"));
        let text = lines.collect::<Vec<_>>().join("\n");
        let mut text = text.replace("{ ", "{\n\n").replace(", ", ",\n  ");
        for (old, new) in [
            ("guard", "held"),
            ("used", "sum"),
            (" id", " key"),
            ("&id", "&key"),
            ("(id", "(key"),
        ] {
            text = text.replace(old, new);
        }
        write("eve", file, &text);
    }
    // Two who have written what the solution has.
    for learner in ["ivo", "jana"] {
        for file in [thread, executor, parker] {
            write(learner, file, &course(&format!("solutions/{file}")));
        }
    }
    let listed = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alike"));
        command.args(&weeks).arg("--exercises").args(arguments);
        let ran = command.output().unwrap();
        let table = String::from_utf8(ran.stdout).unwrap();
        let rows = table.lines().filter(|it| it.contains("| s0"));
        let rows = rows.map(|line| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            format!("{} = {}, {} comments", cells[4], cells[5], cells[3])
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort();
        (rows, table.lines().last().unwrap().to_owned())
    };
    let (rows, last) = listed(&[]);
    assert_eq!(
        rows,
        ["anna = eve, 0 comments", "bob = hal, 2 comments"],
        "{last}"
    );
    assert_eq!(
        last,
        "6 learners, pairs with 70 % or more in common, or 2 comments: 2."
    );
    // One short exercise says little, unless it has comments.
    let (rows, last) = listed(&["--only", "s04g"]);
    assert_eq!(rows, ["bob = hal, 2 comments"], "{last}");
}
