//! The document's program: numbers, one to a line, 10 added, while another task ticks.

use std::{
    error::Error,
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::StreamExt;
use step09_epoll_reactor::{
    Polls, Runtime, interval, spawn,
    stdin::{Stdin, StdinFuture},
    v3_polling::Polling,
};

use super::counted::Counted;

/// How often a task has ticked.
type Ticks = Arc<AtomicUsize>;

/// How many times the other task ticks before it writes.
const TICKS: usize = 3;

/// Feeds numbers through a pipe of its own.
///
/// # Errors
///
/// If the system has no descriptors left.
pub fn show() -> Result<(), Box<dyn Error>> {
    println!("1. Numbers from a pipe, one to a line. 10 is added to each");
    #[cfg(target_os = "linux")]
    super::triggers::show()?;
    println!("   version 3, while another task writes, and ticks {TICKS} times before each write");
    let (polls, ticks) = (Polls::default(), Ticks::default());
    let (mut runtime, calls) = Counted::runtime(Polling::new()?);
    let before = runtime.block_on(async {
        let (mut stdin, output) = pipe()?;
        let before = calls.so_far(); // which is what it took to watch the pipe
        spawn(write(output, ticks.clone()));
        polls.count(print_sums(&mut stdin)).await;
        io::Result::Ok(before)
    })?;
    let (ticks, asked) = (ticks.load(Ordering::Relaxed), calls.so_far() - before);
    println!("     ticks: {ticks}, polls of the task that reads: {polls}");
    // On a busy machine, one wait may report both a tick and a piece.
    let each = ticks + asked.arms;
    let waits = match asked.waits {
        waits if waits <= each => format!("at most {each}"),
        waits => waits.to_string(),
    };
    println!(
        "     waits: {waits}, calls that arm the input: {}",
        asked.arms
    );
    Ok(())
}

async fn print_sums(stdin: &mut Stdin) {
    loop {
        match StdinFuture::new(stdin).await {
            Ok(Some(sum)) => println!("       {sum}"),
            Ok(None) => return println!("       the input has ended"),
            Err(error) => println!("       {error}"),
        }
    }
}

/// Ticks, and writes each time it has ticked three times. Dropping the output is the end of the input.
async fn write(mut output: impl Write, ticks: Ticks) {
    let mut period = interval(Duration::from_millis(10));
    let pieces = [
        "39\n",
        "1\n2\n",
        "3",
        "0\n",
        "abc\n",
        "\n",
        "2147483647\n",
        "-5",
    ];
    for piece in pieces {
        for _ in 0..TICKS {
            period.next().await;
            ticks.fetch_add(1, Ordering::Relaxed);
        }
        println!("     {piece:?}");
        if let Err(error) = output.write_all(piece.as_bytes()) {
            return println!("     it cannot be written: {error}");
        }
    }
}

/// How often the other task ticks while this program waits for its input.
const PERIOD: Duration = Duration::from_millis(100);

/// Reads the real standard input until it ends. The sums go to the standard output, and all else to the standard error.
/// The status is 0, or 2 if a line was wrong, or 1 if the input cannot be read or the output cannot be written.
pub fn read_stdin() -> ExitCode {
    let ticks = Ticks::default();
    let status = Runtime::new().and_then(|mut runtime| {
        runtime.spawn(tick(ticks.clone()));
        runtime.block_on(write_sums())
    });
    let status = status.unwrap_or_else(|error| {
        say(&format_args!("the input cannot be read: {error}"));
        ExitCode::FAILURE
    });
    let ticks = match ticks.load(Ordering::Relaxed) {
        2.. => "more than 1".to_owned(), // how many more depends on the machine
        few => few.to_string(),
    };
    say(&format_args!(
        "note: ticks of another task meanwhile: {ticks}"
    ));
    status
}

async fn tick(ticks: Ticks) {
    let mut period = interval(PERIOD);
    while let Some(()) = period.next().await {
        ticks.fetch_add(1, Ordering::Relaxed);
    }
}

async fn write_sums() -> io::Result<ExitCode> {
    let mut stdin = Stdin::new()?;
    let mut status = ExitCode::SUCCESS;
    loop {
        match StdinFuture::new(&mut stdin).await {
            Ok(Some(sum)) => {
                if let Err(error) = write_sum(sum) {
                    // The reader of a closed pipe has what it wants, as in `… | head -1`.
                    if error.kind() != io::ErrorKind::BrokenPipe {
                        say(&format_args!("the output cannot be written: {error}"));
                    }
                    return Ok(ExitCode::FAILURE);
                }
            }
            Ok(None) => return Ok(status),
            Err(error) => {
                say(&error);
                if error.is_fatal() {
                    return Ok(ExitCode::FAILURE);
                }
                status = ExitCode::from(2);
            }
        }
    }
}

fn write_sum(sum: i64) -> io::Result<()> {
    let mut output = io::stdout();
    writeln!(output, "{sum}")?;
    output.flush() // the reader of a pipe may wait for it
}

/// Writes a line to the standard error, where `eprintln!` would panic if that is closed.
fn say(line: &dyn Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(unix)]
fn pipe() -> io::Result<(Stdin, impl Write + Send + 'static)> {
    let (input, output) = rustix::pipe::pipe()?;
    Ok((Stdin::watch(input)?, std::fs::File::from(output)))
}

/// Windows watches no pipes, so a thread reads a connection.
#[cfg(windows)]
fn pipe() -> io::Result<(Stdin, impl Write + Send + 'static)> {
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let output = TcpStream::connect(listener.local_addr()?)?;
    output.set_nodelay(true)?;
    Ok((Stdin::on_thread(listener.accept()?.0)?, output))
}
