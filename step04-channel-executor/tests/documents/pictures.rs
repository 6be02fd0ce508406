//! The seventeen pictures of *Inside async* (002), as the rows of a recorded run. Its second task yields after two of its
//! states.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use probe::{What, record, watch, within};
use step04_channel_executor::{Signal, executor, yield_now};

/// For each poll, the state in which it leaves its task, and what it prints.
type Notes = Mutex<VecDeque<[&'static str; 2]>>;

#[test]
fn seventeen_pictures() {
    let rows = within(Duration::from_secs(10), rows);
    println!("{rows}");
    let kept = include_str!("inside_async_pictures.txt");
    assert_eq!(rows, kept.replace("\r\n", "\n"), "rows, kept");
}

fn rows() -> String {
    let notes = Arc::<Notes>::default();
    let mut queue = VecDeque::new();
    let mut states = ["new", "Start"];
    let mut rows = vec![" #  event      queue   task 1  task 2    executor  prints".to_owned()];
    for event in record(|| run(&notes)).events {
        let Some(task) = event.task else { continue };
        let state = &mut states[task as usize - 1];
        let [mut executor, mut prints] = [""; 2];
        match event.what {
            What::Spawn | What::Wake { .. } => queue.push_back(task),
            // It is the task at the front of the queue.
            What::Poll { .. } => assert_eq!(queue.pop_front(), Some(task)),
            What::Pending | What::Ready => {
                [*state, prints] = notes
                    .lock()
                    .unwrap()
                    .pop_front()
                    .expect("each poll has one");
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
        let (number, what) = (rows.len(), format!("{:?}", event.what));
        let (what, queue) = (what.split(' ').next().unwrap_or(""), format!("{queue:?}"));
        let [one, two] = states;
        let row = format!(
            "{number:2}  {task} {what:7}  {queue:6}  {one:6}  {two:8}  {executor:8}  {prints}"
        );
        rows.push(row.trim_end().to_owned());
    }
    rows.join("\n") + "\n"
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
    spawner.spawn(async move {
        task_1.await;
        fire_later(after_6); // when task 1 is gone, on any machine
    });
    spawner.spawn(task_2);
    spawner.spawn(async move { fire_later(after_3) }); // when both are asleep
    drop(spawner);
    executor.run();
}

fn fire_later(signal: Arc<Signal>) {
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(15));
        signal.fire();
    });
}
