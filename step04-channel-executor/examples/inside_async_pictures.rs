//! The seventeen pictures of *Inside async* (002), as the rows of a run. Its second task yields after two of its states.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use probe::{What, record, watch};
use step04_channel_executor::{Signal, executor, yield_now};

/// For each poll, the state in which it leaves its task, and what it prints.
type Notes = Mutex<VecDeque<[&'static str; 2]>>;

fn main() {
    let notes = Arc::<Notes>::default();
    let (mut queue, mut states, mut rows) = (VecDeque::new(), ["new", "Start"], 1..);
    println!(" #  event      queue   task 1  task 2    executor  prints");
    for event in record(|| run(&notes)).events {
        let Some(task @ 1..=2) = event.task else {
            continue;
        };
        let [mut executor, mut prints] = [""; 2];
        let state = &mut states[task as usize - 1];
        match event.what {
            What::Spawn | What::Wake { .. } => queue.push_back(task),
            What::Poll { .. } => assert_eq!(queue.pop_front(), Some(task)),
            What::Pending | What::Ready => {
                [*state, prints] = notes.lock().unwrap().pop_front().unwrap()
            }
            What::Drop => {}
            _ => continue,
        }
        match event.what {
            What::Spawn if task == 1 => continue, // one picture shows both
            What::Wake {
                during: Some(_), ..
            } => continue, // the picture of its poll shows it
            What::Wake { .. } => *state = "awake",
            What::Drop if task == 2 => executor = "returns",
            What::Pending | What::Drop if queue.is_empty() => executor = "sleeps",
            _ => {}
        }
        let (row, name) = (rows.next().unwrap(), format!("{:?}", event.what));
        let (name, queue) = (name.split(' ').next().unwrap(), format!("{queue:?}"));
        let line = format!(
            "{row:2}  {task} {name:7}  {queue:6}  {:6}  {:8}  {executor:8}  {prints}",
            states[0], states[1]
        );
        println!("{}", line.trim_end());
    }
}

fn run(notes: &Arc<Notes>) {
    let (executor, spawner) = executor();
    let [after_3, after_6] = [(); 2].map(|()| Arc::<Signal>::default());
    let [(one, three), (two, six)] =
        [&after_3, &after_6].map(|it| (Arc::clone(notes), Arc::clone(it)));
    let note = |notes: &Notes, note| notes.lock().unwrap().push_back(note);
    let task_1 = watch("1", async move {
        note(&one, ["asleep", "...zzz"]);
        poll_fn(|cx| three.poll_fired(cx)).await;
        note(&one, ["done", "wake from sleep!; Task 1 completed!"]);
    });
    let task_2 = watch("2", async move {
        note(&two, ["Sleeping", "start"]);
        yield_now().await;
        note(&two, ["asleep", "...zzz"]);
        poll_fn(|cx| six.poll_fired(cx)).await;
        note(&two, ["End", "wake from sleep!"]);
        yield_now().await;
        note(&two, ["done", "end; Task 2 completed!"]);
    });
    let wake_later = |signal: Arc<Signal>| {
        thread::spawn(move || (thread::sleep(Duration::from_millis(15)), signal.fire()))
    };
    spawner.spawn(async move {
        task_1.await;
        wake_later(after_6);
    });
    spawner.spawn(task_2);
    spawner.spawn(async move { drop(wake_later(after_3)) });
    drop(spawner);
    executor.run();
}
