//! A template engine that isn't async fetches its values with an async client: `block_on` on a thread that may wait.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufStream},
    net::{TcpListener, TcpStream},
    runtime::{Builder, Handle},
    task::{JoinError, spawn_blocking},
    time::timeout,
};

const TEMPLATE: &str = "Dear {name}, you have {unread} unread messages.";
const ENOUGH: Duration = Duration::from_secs(10);

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

/// Asks the server for the value of one key. Only an async version exists, as of many clients.
async fn fetch(server: SocketAddr, key: &str) -> io::Result<String> {
    let mut server = BufStream::new(TcpStream::connect(server).await?);
    server.write_all(format!("{key}\n").as_bytes()).await?;
    server.flush().await?;
    let mut value = String::new();
    server.read_line(&mut value).await?;
    Ok(value.trim_end().to_owned())
}

// ANCHOR: edge
/// The profile of a user, whose values are on a server.
struct Profile {
    server: SocketAddr,
    limit: Duration,
}

impl Source for Profile {
    fn value(&self, key: &str) -> String {
        let fetched = timeout(self.limit, fetch(self.server, key));
        match Handle::current().block_on(fetched) {
            Ok(Ok(value)) => value,
            _ => "?".to_owned(), // the server is down or too slow
        }
    }
}

async fn page(profile: Profile) -> Result<String, JoinError> {
    spawn_blocking(move || render(TEMPLATE, &profile)).await
}
// ANCHOR_END: edge

/// Answers each client, in tasks of this runtime, and returns the server's address.
async fn server() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(answer(client));
        }
    });
    Ok(address)
}

async fn answer(client: TcpStream) -> io::Result<()> {
    let mut client = BufStream::new(client);
    let mut key = String::new();
    client.read_line(&mut key).await?;
    let value = match key.trim_end() {
        "name" => "Ada\n",
        "unread" => "3\n",
        _ => "no such key\n",
    };
    client.write_all(value.as_bytes()).await?;
    client.flush().await
}

fn on_one_thread<T>(main: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("it starts").block_on(main)
}

fn main() -> io::Result<()> {
    on_one_thread(async {
        println!(
            "A template engine calls an ordinary method for each value, and the values are on a server."
        );
        let (server, limit) = (server().await?, ENOUGH);
        let page = page(Profile { server, limit }).await?;
        println!("1. On a thread for blocking code: {page}");
        let rendered = async move { render(TEMPLATE, &Profile { server, limit }) };
        let in_a_task = tokio::spawn(rendered).await;
        println!("2. In a task, block_on panics: {}", in_a_task.is_err());
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stops a page that blocks the only thread of its runtime, where its values would never arrive.
    fn watched<T>(main: impl Future<Output = T>) -> T {
        probe::within(Duration::from_secs(20), || on_one_thread(main))
    }

    #[test]
    fn a_page_waits_for_its_values_on_another_thread() {
        let page = watched(async {
            let server = server().await?;
            io::Result::Ok(
                page(Profile {
                    server,
                    limit: ENOUGH,
                })
                .await?,
            )
        });
        let page = page.expect("it renders");
        assert_eq!(page, "Dear Ada, you have 3 unread messages.");
    }

    #[test]
    fn two_pages_are_rendered_at_once() {
        let (one, other) = watched(async {
            let server = server().await.expect("it listens");
            let page = || {
                page(Profile {
                    server,
                    limit: ENOUGH,
                })
            };
            tokio::join!(page(), page())
        });
        assert_eq!(one.expect("it renders"), other.expect("it renders"));
    }

    #[test]
    fn a_server_that_never_answers_costs_no_page_more_than_its_limit() {
        let page = watched(async {
            // The kernel completes each connection, but no task accepts it.
            let silent = TcpListener::bind("127.0.0.1:0").await?;
            let (server, limit) = (silent.local_addr()?, Duration::from_millis(5));
            io::Result::Ok(page(Profile { server, limit }).await?)
        });
        let page = page.expect("it renders");
        assert_eq!(page, "Dear ?, you have ? unread messages.");
    }

    #[test]
    fn in_a_task_block_on_panics() {
        let rendered = watched(async {
            let (server, limit) = (server().await.expect("it listens"), ENOUGH);
            tokio::spawn(async move { render(TEMPLATE, &Profile { server, limit }) }).await
        });
        let error = rendered.expect_err("it panics").to_string();
        assert!(
            error.contains("Cannot start a runtime from within a runtime"),
            "{error}"
        );
    }
}
