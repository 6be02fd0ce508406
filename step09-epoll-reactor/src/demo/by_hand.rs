//! The numbers on version 1: one descriptor, and three ways of watching it.

use std::{error::Error, time::Duration};

use rustix::{
    io::write,
    pipe::{PipeFlags, pipe_with},
};
use step09_epoll_reactor::{
    Trigger, sleep,
    stdin::Lines,
    v1_by_hand::{self, Input},
};

const PAUSE: Duration = Duration::from_millis(5);

/// Reads two lines with each trigger, and prints how often the kernel is asked.
///
/// # Errors
///
/// If the system has no descriptors left.
pub fn show() -> Result<(), Box<dyn Error>> {
    println!("   version 1, two lines in one write, 4 bytes to a read, {PAUSE:?} between reads");
    for trigger in [Trigger::Level, Trigger::OneShot, Trigger::Edge] {
        let (input, output) = pipe_with(PipeFlags::NONBLOCK)?;
        write(&output, b"39\n2147483647\n")?;
        drop(output);
        let (mut runtime, mut input) = v1_by_hand::open(input, trigger)?;
        let sums = runtime.block_on(sums(&mut input))?;
        let (v1_by_hand::Calls { waits, arms, reads }, name) =
            (input.calls(), format!("{trigger:?}"));
        // A wait that is over at once is repeated as often as the machine can manage.
        let waits = match waits {
            101.. => "more than 100".to_owned(),
            _ => waits.to_string(),
        };
        println!("     {name:<8} {sums:?}, waits: {waits}, arms: {arms}, reads: {reads}");
    }
    Ok(())
}

async fn sums(input: &mut Input) -> Result<Vec<i64>, Box<dyn Error>> {
    let (mut lines, mut sums, mut buffer) = (Lines::default(), Vec::new(), [0; 4]);
    loop {
        let read = input.read(&mut buffer).await?;
        lines.push(&buffer[..read]);
        while let Some(line) = lines.next_line() {
            let number: i64 = line?.parse()?;
            sums.push(number + 10);
        }
        if read == 0 {
            return Ok(sums);
        }
        sleep(PAUSE).await;
    }
}
