//! A template engine that isn't async asks a task for its values: `block_on` on a thread that may wait.

use tokio::{
    runtime::{Builder, Handle},
    sync::{mpsc, oneshot},
    task::{JoinError, spawn_blocking},
};

const TEMPLATE: &str = "Dear {name}, you have {unread} unread messages.";

/// What the template engine asks of its user. It comes from a library, so it can't be made async.
trait Source {
    fn value(&self, key: &str) -> String;
}

/// Replaces each `{key}` of the template by its value.
fn render(template: &str, source: &impl Source) -> String {
    let mut parts = template.split(['{', '}']);
    let mut page = parts.next().unwrap_or_default().to_owned();
    while let (Some(key), Some(text)) = (parts.next(), parts.next()) {
        page += &source.value(key);
        page += text;
    }
    page
}

/// A key, and where to send its value.
type Question = (String, oneshot::Sender<String>);

// ANCHOR: edge
/// The profile of a user. A task of this runtime has the values.
struct Profile {
    questions: mpsc::Sender<Question>,
    runtime: Handle,
}

impl Source for Profile {
    fn value(&self, key: &str) -> String {
        self.runtime.block_on(ask(&self.questions, key))
    }
}

async fn page(profile: Profile) -> Result<String, JoinError> {
    spawn_blocking(move || render(TEMPLATE, &profile)).await
}
// ANCHOR_END: edge

/// Asks the task, and waits for its answer.
async fn ask(questions: &mpsc::Sender<Question>, key: &str) -> String {
    let (answer, answered) = oneshot::channel();
    let sent = questions.send((key.to_owned(), answer)).await;
    match sent {
        Ok(()) => answered.await.unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// Starts the task that has the values.
fn profile() -> Profile {
    let (questions, mut asked) = mpsc::channel::<Question>(1);
    tokio::spawn(async move {
        while let Some((key, answer)) = asked.recv().await {
            let value = match key.as_str() {
                "name" => "Ada",
                "unread" => "3",
                _ => "?",
            };
            // This fails if the asker has been dropped.
            let _ = answer.send(value.to_owned());
        }
    });
    let runtime = Handle::current();
    Profile { questions, runtime }
}

fn main() {
    let runtime = Builder::new_current_thread().build().expect("it starts");
    runtime.block_on(async {
        println!("On a thread for blocking code: {:?}", page(profile()).await);
        let in_a_task = tokio::spawn(async { render(TEMPLATE, &profile()) });
        println!("In a task: {:?}", in_a_task.await);
    });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Runs `main`'s future on one thread, where a page that blocks that thread is never rendered.
    fn on_one_thread<T>(main: impl Future<Output = T>) -> T {
        let runtime = Builder::new_current_thread().build().expect("it starts");
        probe::within(Duration::from_secs(10), || runtime.block_on(main))
    }

    #[test]
    fn a_page_waits_for_its_values_on_another_thread() {
        let page = on_one_thread(async { page(profile()).await });
        let page = page.expect("it renders");
        assert_eq!(page, "Dear Ada, you have 3 unread messages.");
    }

    #[test]
    fn two_pages_are_rendered_at_once() {
        let both = on_one_thread(async { tokio::join!(page(profile()), page(profile())) });
        assert_eq!(both.0.expect("it renders"), both.1.expect("it renders"));
    }

    #[test]
    fn in_a_task_block_on_panics() {
        let rendered =
            on_one_thread(async { tokio::spawn(async { render(TEMPLATE, &profile()) }).await });
        let error = rendered.expect_err("it panics").to_string();
        assert!(
            error.contains("Cannot start a runtime from within a runtime"),
            "{error}"
        );
    }
}
