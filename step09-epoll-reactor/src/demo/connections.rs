//! A thousand connections on one thread.

use std::{io, net::SocketAddr, time::Duration};

use futures::{AsyncReadExt, AsyncWriteExt, StreamExt};
use step09_epoll_reactor::{
    Polls,
    net::{TcpListener, TcpStream},
    sleep, spawn,
    v3_polling::Polling,
};

use super::{counted::Counted, limit};

const CONNECTIONS: usize = 1_000;
const IDLE: Duration = Duration::from_millis(100);

/// Serves as many connections as the limit of descriptors allows, and prints what that took.
pub fn show() -> io::Result<()> {
    let count = limit::connections(CONNECTIONS);
    println!("1. A server and {count} clients on one thread. Each end of a connection is a task");
    if count < CONNECTIONS {
        eprintln!("note: the limit of descriptors allows for {count} of {CONNECTIONS} connections");
    }
    let (mut runtime, calls) = Counted::runtime(Polling::new()?);
    let tasks = Polls::default();
    runtime.block_on(async {
        let listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
        let address = listener.local_addr()?;
        let server = spawn(tasks.count(serve(listener, count, tasks.clone())));
        // Once this task has been polled, so has the server, which was before it in the queue.
        spawn(async {}).await.expect("it does nothing");
        let mut before = (tasks.get(), calls.so_far());
        let mut show = |what: &str| {
            let now = (tasks.get(), calls.so_far());
            let (polls, asked) = (now.0 - before.0, now.1 - before.1);
            before = now;
            let (waits, events) = (asked.waits, asked.events);
            println!(
                "   {what} polls of tasks: {polls:4}, waits in the kernel: {waits:4}, events: {events:4}"
            );
        };
        let clients = open(address, count, &tasks).await?;
        server.await.expect("the server does not panic")?;
        // And now each connection has been polled once.
        spawn(async {}).await.expect("it does nothing");
        println!("   connections open at once: {}", clients.len());
        if let Some(threads) = threads() {
            println!("   threads of the program: {threads}");
        }
        show("to open them in turn:  ");

        sleep(IDLE).await;
        show("while all are silent:  ");

        let lines: Vec<_> = clients
            .into_iter()
            .map(|client| spawn(tasks.count(one_line(client))))
            .collect();
        for line in lines {
            line.await.expect("a client does not panic")?;
        }
        show("a line there and back: ");
        Ok(())
    })
}

/// Opens connections, and keeps all of them open.
async fn open(address: SocketAddr, count: usize, tasks: &Polls) -> io::Result<Vec<TcpStream>> {
    let mut clients = Vec::new();
    while clients.len() < count {
        let client = spawn(tasks.count(TcpStream::connect(address)));
        clients.push(client.await.expect("it does not panic")?);
    }
    Ok(clients)
}

/// Starts a task for each of the first `count` connections.
async fn serve(listener: TcpListener, count: usize, tasks: Polls) -> io::Result<()> {
    let mut incoming = listener.incoming().take(count);
    while let Some(stream) = incoming.next().await {
        spawn(tasks.count(echo(stream?)));
    }
    Ok(())
}

/// Sends back what it receives, until the peer sends no more.
// ANCHOR: echo
async fn echo(mut stream: TcpStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer).await? {
            0 => return stream.close().await,
            length => stream.write_all(&buffer[..length]).await?,
        }
    }
}
// ANCHOR_END: echo

/// Sends a line, says that this was all, and reads it back.
async fn one_line(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(b"a line\n").await?;
    stream.close().await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    assert_eq!(text, "a line\n", "the echo");
    Ok(())
}

/// How many threads this program has, where the system says so.
fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}
