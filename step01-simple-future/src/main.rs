//! Checks a socket in a loop, gets notified by a socket, and counts what one wake costs with 100 sockets.

use std::{
    io::{self, Write},
    net::TcpStream,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use step01_simple_future::{ReadToEnd, RunLoop, Socket, SocketRead, check_every};

const INTERVAL: Duration = Duration::from_millis(200);
/// Half an interval after a check, so that a busy machine makes the same number of checks.
const DELAY: Duration = Duration::from_millis(500);
/// Between two pieces, and between the last one and the end, so that each has a wake and a poll of its own.
const PAUSE: Duration = Duration::from_millis(50);
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
    let (socket, peer) = Socket::pair()?;
    let start = Instant::now();
    send(peer, [DELAY], ["howdy!"]);
    let checked = check_every(&socket, INTERVAL)?;
    println!("   got {:?}", text(&checked.data));
    let elapsed = start.elapsed().as_millis();
    println!("   checks: {}, time: {elapsed} ms", checked.checks);

    println!("2. Get notified. The same data.");
    let (socket, peer) = Socket::pair()?;
    let start = Instant::now();
    send(peer, [DELAY], ["howdy!"]);
    let mut one = RunLoop::new([SocketRead::new(&socket)]);
    for data in one.run() {
        println!("   got {:?}", text(&data?));
    }
    let elapsed = start.elapsed().as_millis();
    println!("   polls: {}, time: {elapsed} ms", one.polls());

    println!("3. Get notified of two pieces and of the end.");
    let (socket, peer) = Socket::pair()?;
    send(peer, [PAUSE; 3], ["how", "dy!", ""]);
    let mut pieces = RunLoop::new([ReadToEnd::new(&socket)]);
    for data in pieces.run() {
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

/// Writes each text after its pause, from a thread of its own, and then closes the connection.
fn send<const N: usize>(mut peer: TcpStream, pauses: [Duration; N], texts: [&'static str; N]) {
    thread::spawn(move || {
        for (pause, text) in pauses.into_iter().zip(texts) {
            thread::sleep(pause);
            if peer.write_all(text.as_bytes()).is_err() {
                return; // because the reader has failed, and reports that itself
            }
        }
    });
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
