//! Says what is wrong with the book, counts it, and takes pictures of it.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use course::{Book, browser, complaints, report, skipped};

/// The checks of the book that run no program. `cargo test -p course` has the others too.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Print the number of words of each page
    #[arg(long)]
    words: bool,
    /// Print the Rust blocks of each page, and how each is proved
    #[arg(long)]
    blocks: bool,
    /// Write pictures of each page into this folder: both themes, wide and narrow, in pieces of 2,000 pixels
    #[arg(long, value_name = "FOLDER")]
    screenshots: Option<PathBuf>,
    /// Only pages with this in their name, for --screenshots; may be given several times
    #[arg(long, value_name = "NAME", requires = "screenshots")]
    page: Vec<String>,
    /// The root of another copy of the project
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("course: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> std::io::Result<ExitCode> {
    let book = match &options.root {
        Some(root) => Book::read(root)?,
        None => Book::here()?,
    };
    if let Some(folder) = &options.screenshots {
        let count = browser::shots(&book, folder, &options.page)?;
        println!("{count} pictures in {}", folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    if options.words {
        print!("{}", report::all_words(&book));
    }
    if options.blocks {
        print!("{}", report::blocks(&book));
    }
    if options.words || options.blocks {
        return Ok(ExitCode::SUCCESS);
    }
    let found = complaints(&book);
    skipped(&book).iter().for_each(|it| eprintln!("{it}"));
    found.iter().for_each(|it| println!("{it}"));
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}
