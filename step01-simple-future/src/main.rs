//! Checks a socket in a loop, gets notified by a socket, and counts what one wake costs with 100 sockets.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use step01_simple_future::{ReadToEnd, RunLoop, Socket, SocketRead, check_every};

const INTERVAL: Duration = Duration::from_millis(200);
const DELAY: Duration = Duration::from_millis(500);
const MANY: usize = 100;

fn main() -> ExitCode {
    match demo() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("step01-simple-future: the loopback connection failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn demo() -> io::Result<()> {
    println!("1. Check every 200 ms. The data arrives after 500 ms.");
    let (socket, mut peer) = Socket::pair()?;
    let (check, checks) = mpsc::channel();
    thread::spawn(move || {
        // The third check is at 400 ms, or later on a busy machine, and it finds nothing on any machine.
        if checks.iter().nth(2).is_some() {
            thread::sleep(DELAY - 2 * INTERVAL);
            let _ = peer.write_all(b"howdy!"); // if it fails, so does the reader, and reports it
        }
    });
    let start = Instant::now();
    let checked = check_every(INTERVAL, || {
        let found = socket.read_buf();
        let _ = check.send(()); // after the third check, nobody receives it
        found
    })?;
    println!("   got {:?}", text(&checked.data));
    let elapsed = start.elapsed().as_millis();
    println!(
        "   checks: {}, time: {elapsed} ms",
        up_to(3, checked.checks)
    );

    println!("2. Get notified. The same data.");
    let (socket, mut peer) = Socket::pair()?;
    let start = Instant::now();
    let mut one = RunLoop::new([SocketRead::new(&socket)]);
    one.poll_all();
    thread::spawn(move || {
        thread::sleep(DELAY);
        peer.write_all(b"howdy!")
    });
    one.sleep();
    for (_, data) in one.poll_all() {
        println!("   got {:?}", text(&data?));
    }
    let elapsed = start.elapsed().as_millis();
    println!("   polls: {}, time: {elapsed} ms", one.polls());

    println!("3. Get notified of two pieces and of the end.");
    let (socket, mut peer) = Socket::pair()?;
    let mut pieces = RunLoop::new([ReadToEnd::new(&socket)]);
    pieces.poll_all();
    // Each piece is sent after the poll that took the one before, so each has a wake and a poll of its own.
    for piece in ["how", "dy!"] {
        peer.write_all(piece.as_bytes())?;
        pieces.sleep();
        pieces.poll_all();
    }
    drop(peer);
    pieces.sleep();
    for (_, data) in pieces.poll_all() {
        println!("   got {:?}", text(&data?));
    }
    println!("   polls: {}", pieces.polls());

    one_of_many()
}

fn one_of_many() -> io::Result<()> {
    println!("4. {MANY} sockets, and data arrives on one of them.");
    let pairs: io::Result<Vec<_>> = (0..MANY).map(|_| Socket::pair()).collect();
    let (sockets, mut peers): (Vec<_>, Vec<_>) = pairs?.into_iter().unzip();
    let mut many = RunLoop::new(sockets.iter().map(SocketRead::new));
    many.poll_all();
    let before = many.polls();
    peers[MANY / 2].write_all(b"howdy!")?;
    many.sleep();
    let ready = many.poll_all().len();
    let (wakes, polls) = (many.sleeps(), many.polls() - before);
    let wasted = polls - ready;
    println!("   wakes: {wakes}, polls: {polls}, ready: {ready}, found nothing: {wasted}");
    println!("   A fn() cannot say which of the futures to poll. The waker of stage 03 can.");
    Ok(())
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// A count that depends on the machine is high, and then it is not printed exactly.
fn up_to(most: usize, count: usize) -> String {
    if count > most {
        return format!("more than {most}");
    }
    count.to_string()
}
