//! A pipe that is watched in three ways, and how often the kernel is asked for it. Linux only.

#[cfg(target_os = "linux")]
#[path = "../demo/counted.rs"]
mod counted;
#[cfg(target_os = "linux")]
#[path = "../demo/counted_park.rs"]
mod counted_park;

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    linux::compare()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("this program is for Linux, because it waits in epoll");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{cell::Cell, future::poll_fn, io, os::fd::OwnedFd, time::Duration};

    use rustix::{
        io::{read, write},
        pipe::{PipeFlags, pipe_with},
    };
    use step09_epoll_reactor::{
        Direction, Registered, Runtime, sleep, v1_by_hand, v2_epoll::Epoll,
    };

    use super::{counted::Counted, counted_park::CountedPark};

    const PAUSE: Duration = Duration::from_millis(5);

    /// Reads the same bytes in each way, and prints how often the kernel is asked.
    pub(super) fn compare() -> io::Result<()> {
        println!("14 bytes in a pipe. A task reads 4 at a time, and sleeps 5 ms after each read");
        by_level()?;
        registered("one-shot (version 2)", Registered::blocking)?;
        registered("edge     (version 2)", Registered::new)
    }

    /// A pipe with 14 bytes in it, and then the end.
    fn pipe() -> io::Result<OwnedFd> {
        let (input, output) = pipe_with(PipeFlags::NONBLOCK)?;
        write(&output, b"39\n2147483647\n")?;
        Ok(input)
    }

    fn by_level() -> io::Result<()> {
        let (epoll, mut input) = v1_by_hand::open(pipe()?)?;
        let (park, waits) = CountedPark::new(epoll);
        let reads = Runtime::with_park(park)
            .block_on(read_slowly(async |buffer| input.read(buffer).await))?;
        print("level    (version 1)", waits.so_far(), 0, reads);
        Ok(())
    }

    type Register = fn(OwnedFd) -> io::Result<Registered<OwnedFd>>;

    fn registered(name: &str, register: Register) -> io::Result<()> {
        let (mut runtime, calls) = Counted::runtime(Epoll::new()?);
        runtime.block_on(async {
            let input = register(pipe()?)?;
            let before = calls.so_far(); // which is what it took to register it
            let tries = Cell::new(0);
            read_slowly(async |buffer| {
                poll_fn(|cx| {
                    input.poll_io(Direction::Read, cx, |input| {
                        tries.set(tries.get() + 1);
                        Ok(read(input, &mut *buffer)?)
                    })
                })
                .await
            })
            .await?;
            let asked = calls.so_far() - before;
            print(name, asked.waits, asked.arms, tries.get());
            Ok(())
        })
    }

    fn print(name: &str, waits: usize, arms: usize, reads: usize) {
        // A wait that is over at once is repeated as often as the machine can manage.
        let waits = match waits {
            101.. => "more than 100".to_owned(),
            _ => waits.to_string(),
        };
        println!("   {name}  reads: {reads}, calls to arm: {arms}, waits: {waits}");
    }

    /// Reads to the end. Returns the number of reads.
    async fn read_slowly(
        mut read: impl AsyncFnMut(&mut [u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let mut reads = 1;
        while read(&mut [0; 4]).await? > 0 {
            reads += 1;
            sleep(PAUSE).await;
        }
        Ok(reads)
    }
}
