//! A pipe that is watched in three ways, and how often the kernel is asked for it.

use std::{cell::Cell, error::Error, future::poll_fn, io, os::fd::OwnedFd, time::Duration};

use rustix::{
    io::{read, write},
    pipe::{PipeFlags, pipe_with},
};
use step09_epoll_reactor::{
    Direction, Registered, Runtime, sleep, stdin::Lines, v1_by_hand, v2_epoll::Epoll,
};

use super::counted::{Counted, CountedPark};

const PAUSE: Duration = Duration::from_millis(5);

/// Reads two lines in each way, and prints how often the kernel is asked.
///
/// # Errors
///
/// If the system has no descriptors left.
pub fn show() -> Result<(), Box<dyn Error>> {
    println!("   two lines in one write, 4 bytes to a read, {PAUSE:?} between reads");
    by_level()?;
    registered("version 2, one-shot", Registered::blocking)?;
    registered("version 2, edge", Registered::new)
}

/// A pipe with two lines in it, and then the end.
fn pipe() -> io::Result<OwnedFd> {
    let (input, output) = pipe_with(PipeFlags::NONBLOCK)?;
    write(&output, b"39\n2147483647\n")?;
    Ok(input)
}

fn by_level() -> Result<(), Box<dyn Error>> {
    let (epoll, mut input) = v1_by_hand::open(pipe()?)?;
    let (park, waits) = CountedPark::new(epoll);
    let reads = Cell::new(0);
    let sums = Runtime::with_park(park).block_on(sums(async |buffer| {
        reads.set(reads.get() + 1);
        input.read(buffer).await
    }))?;
    print("version 1, level", &sums, waits.so_far(), 0, reads.get());
    Ok(())
}

type Register = fn(OwnedFd) -> io::Result<Registered<OwnedFd>>;

fn registered(name: &str, register: Register) -> Result<(), Box<dyn Error>> {
    let (mut runtime, calls) = Counted::runtime(Epoll::new()?);
    let reads = Cell::new(0);
    let (sums, before) = runtime.block_on(async {
        let input = register(pipe()?)?;
        let before = calls.so_far(); // which is what it took to register it
        let sums = sums(async |buffer| {
            poll_fn(|cx| {
                input.poll_io(Direction::Read, cx, |input| {
                    reads.set(reads.get() + 1);
                    Ok(read(input, &mut *buffer)?)
                })
            })
            .await
        });
        Ok::<_, Box<dyn Error>>((sums.await?, before))
    })?;
    let asked = calls.so_far() - before;
    print(name, &sums, asked.waits, asked.arms, reads.get());
    Ok(())
}

fn print(name: &str, sums: &[i64], waits: usize, arms: usize, reads: usize) {
    // A wait that is over at once is repeated as often as the machine can manage.
    let waits = match waits {
        101.. => "more than 100".to_owned(),
        _ => waits.to_string(),
    };
    println!("     {name:<19} {sums:?}, waits: {waits}, arms: {arms}, reads: {reads}");
}

async fn sums(
    mut read: impl AsyncFnMut(&mut [u8]) -> io::Result<usize>,
) -> Result<Vec<i64>, Box<dyn Error>> {
    let (mut lines, mut sums, mut buffer) = (Lines::default(), Vec::new(), [0; 4]);
    loop {
        let length = read(&mut buffer).await?;
        lines.push(&buffer[..length]);
        while let Some(line) = lines.next_line() {
            let number: i64 = line?.parse()?;
            sums.push(number + 10);
        }
        if length == 0 {
            return Ok(sums);
        }
        sleep(PAUSE).await;
    }
}
