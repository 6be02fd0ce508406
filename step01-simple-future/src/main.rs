//! Checks a socket in a loop, gets notified by a socket, and counts what one wake costs with 100 sockets.

mod demo {
    pub mod read_to_end;
}

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use demo::read_to_end::ReadToEnd;
use step01_simple_future::{RunLoop, Socket, SocketRead, check_every};

const INTERVAL: Duration = Duration::from_millis(100);
const DELAY: Duration = Duration::from_millis(250);
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
    println!("This thread waits on a socket for data that another thread sends after 250 ms.");
    println!("1. It checks the socket every 100 ms, and sleeps in between");
    let (socket, mut peer) = Socket::pair()?;
    let (third_check, done) = mpsc::channel();
    let sender = thread::spawn(move || {
        // The third check is at 200 ms, or later on a busy machine, and it finds nothing on any machine.
        if done.recv().is_ok() {
            thread::sleep(DELAY - 2 * INTERVAL);
        }
        send(&mut peer)
    });
    let mut checks = 0;
    let data = check_every(INTERVAL, || {
        let found = socket.read_buf();
        checks += 1;
        if checks == 3 {
            let _ = third_check.send(()); // the sender waits for it
        }
        found
    })?;
    let late = sender.join().expect("it does not panic").elapsed();
    println!("      got {:?}", text(&data));
    let checks = at_least(4, checks);
    let late = late.as_millis();
    println!("   checks: {checks} (at 0, 100, 200 and 300 ms), response time: {late} ms");

    println!("2. It polls a future. The answer Pending is a promise to wake it when there is data");
    let (socket, mut peer) = Socket::pair()?;
    let mut one = RunLoop::new([SocketRead::new(&socket)]);
    one.poll_all();
    let sender = thread::spawn(move || {
        thread::sleep(DELAY);
        send(&mut peer)
    });
    one.sleep();
    let finished = one.poll_all();
    let late = sender.join().expect("it does not panic").elapsed();
    for data in finished {
        println!("      got {:?}", text(&data?));
    }
    let polls = one.polls();
    let late = late.as_millis();
    println!("   polls: {polls} (one before the wake, one after it), response time: {late} ms");

    println!("3. A future reads until the connection is closed. The data comes in two pieces");
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
    for data in pieces.poll_all() {
        println!("      got {:?}", text(&data?));
    }
    let polls = pieces.polls();
    println!("   polls: {polls} (the first, one after each piece, and one after the end)");

    one_of_many()
}

fn one_of_many() -> io::Result<()> {
    println!("4. {MANY} futures wait for {MANY} sockets, and data is sent to one of them");
    let pairs: io::Result<Vec<_>> = (0..MANY).map(|_| Socket::pair()).collect();
    let (sockets, mut peers): (Vec<_>, Vec<_>) = pairs?.into_iter().unzip();
    let mut many = RunLoop::new(sockets.iter().map(SocketRead::new));
    many.poll_all();
    let before = many.polls();
    peers[MANY / 2].write_all(b"howdy!")?;
    many.sleep();
    let ready = many.poll_all().len();
    let polls = many.polls() - before;
    let wasted = polls - ready;
    println!("   polls after one wake: {polls}, ready: {ready}, found nothing: {wasted}");
    println!(
        "   The wake is a fn(), which cannot say which future to poll. Chapter 03's waker can."
    );
    Ok(())
}

/// Sends the data, and returns when it did.
fn send(peer: &mut impl Write) -> Instant {
    let sent = Instant::now();
    let _ = peer.write_all(b"howdy!"); // if it fails, so does the reader, and reports it
    sent
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// A busy machine may need more, so a count that is not too low is not printed exactly.
fn at_least(least: usize, count: usize) -> String {
    if count >= least {
        return format!("at least {least}");
    }
    count.to_string()
}
