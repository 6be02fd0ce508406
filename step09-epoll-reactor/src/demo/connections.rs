//! A thousand connections on one thread.

use std::{
    collections::HashSet,
    future::{Future, poll_fn},
    io,
    net::SocketAddr,
    pin::pin,
    sync::{Arc, Mutex},
    thread::{self, ThreadId},
    time::Duration,
};

use futures::{AsyncReadExt, AsyncWriteExt, StreamExt};
use step09_epoll_reactor::{
    Polls,
    net::{TcpListener, TcpStream},
    sleep, spawn,
    v3_polling::Polling,
};

use super::{counted::Counted, echo::echo, limit};

const CONNECTIONS: usize = 1_000;
const IDLE: Duration = Duration::from_millis(100);

/// Serves as many connections as the limit of descriptors allows, and prints what that took.
pub fn show() -> io::Result<()> {
    let count = limit::connections(CONNECTIONS);
    println!("2. A server and its clients on one thread (version 3)");
    if count < CONNECTIONS {
        eprintln!("note: the limit of descriptors allows for {count} of {CONNECTIONS} connections");
    }
    let (mut runtime, calls) = Counted::runtime(Polling::new()?);
    let tasks = Tasks::default();
    let mut before = (0, calls.so_far());
    let mut show = |what: &str| {
        let now = (tasks.polls.get(), calls.so_far());
        let (polls, asked) = (now.0 - before.0, now.1 - before.1);
        before = now;
        let (waits, events) = (asked.waits, asked.events);
        println!("   {what}: polls: {polls}, waits that returned: {waits}, events: {events}");
    };
    runtime.block_on(async {
        let listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
        let address = listener.local_addr()?;
        let server = spawn(tasks.watch(serve(listener, count, tasks.clone())));
        let clients = tasks.watch(open(address, count)).await?;
        server.await.expect("the server does not panic")?;
        spawn(async {}).await.expect("it does nothing"); // behind the first poll of the last connection
        println!("   connections open at once: {}", clients.len());
        show("to open them");

        sleep(IDLE).await;
        show(&format!("during a sleep of {} ms", IDLE.as_millis()));

        let lines = clients
            .into_iter()
            .map(|it| spawn(tasks.watch(one_line(it))));
        let lines: Vec<_> = lines.collect();
        let mut echoes = 0;
        for line in lines {
            line.await.expect("a client does not panic")?;
            echoes += 1;
        }
        show(&format!("for {echoes} echoes"));
        let threads = tasks
            .threads
            .lock()
            .expect("no code panics while it holds this lock")
            .len();
        println!("   threads that polled them: {threads}");
        Ok(())
    })
}

/// Opens connections, and keeps all of them open.
async fn open(address: SocketAddr, count: usize) -> io::Result<Vec<TcpStream>> {
    let mut clients = Vec::new();
    while clients.len() < count {
        clients.push(TcpStream::connect(address).await?);
    }
    Ok(clients)
}

/// Starts a task for each connection, until there are so many.
async fn serve(listener: TcpListener, count: usize, tasks: Tasks) -> io::Result<()> {
    let mut incoming = listener.incoming().take(count);
    while let Some(stream) = incoming.next().await {
        spawn(tasks.watch(echo(stream?)));
    }
    Ok(())
}

/// Sends a line, says that this was all, and reads it back.
async fn one_line(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(b"a line\n").await?;
    stream.close().await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    assert_eq!(text, "a line\n", "the echo");
    Ok(())
}

/// What is counted of some futures. Clones share it.
#[derive(Clone, Default)]
struct Tasks {
    polls: Polls,
    threads: Arc<Mutex<HashSet<ThreadId>>>,
}

impl Tasks {
    /// Wraps a future so that its polls are counted, and the threads on which they happen are noted.
    fn watch<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let threads = Arc::clone(&self.threads);
        self.polls.count(async move {
            let mut future = pin!(future);
            poll_fn(|cx| {
                let mut threads = threads
                    .lock()
                    .expect("no code panics while it holds this lock");
                threads.insert(thread::current().id());
                drop(threads);
                future.as_mut().poll(cx)
            })
            .await
        })
    }
}
