//! Says all that is stale, each with what to do, and with `--write` writes what can be derived. Beside that, it says what a reviewer would
//! ask.

use std::{env, io, process::ExitCode};

use course::{Project, review, stale, write};

fn main() -> io::Result<ExitCode> {
    let found = if env::args().any(|argument| argument == "--write") {
        write()?
    } else {
        stale(&Project::read()?)
    };
    for complaint in &found {
        println!("{complaint}");
    }
    let before = review::before().unwrap_or_default();
    let questions = review::questions(&Project::read()?, &before);
    if !questions.is_empty() {
        println!("A reviewer would ask:");
        for question in questions {
            println!("{question}");
        }
    }
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}
