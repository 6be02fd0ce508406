//! What a demo does beside its lesson: it answers `--help`, refuses what it does not know, and ends quietly when its output
//! is closed, as in `cargo step01 | head -1`.
//!
//! `src/main.rs` of each stage and its other programs include this file by path, so that no stage needs a dependency for it.

use std::{
    env,
    io::{self, Write},
    panic, process,
};

/// Call it first of all. Returns which of the `modes` the demo was asked for: `None` without an argument.
pub fn begin(modes: &[&'static str]) -> Option<&'static str> {
    end_quietly_if_output_is_closed();
    let program = env!("CARGO_BIN_NAME");
    let usage = format!("{program} [{}]", [modes, &["--help"]].concat().join(" | "));
    let mut arguments = env::args_os().skip(1);
    let first = arguments.next()?;
    if first == "--help" || first == "-h" {
        let about = if program == env!("CARGO_PKG_NAME") {
            env!("CARGO_PKG_DESCRIPTION")
        } else {
            concat!(
                "A program of the stage ",
                env!("CARGO_PKG_NAME"),
                ". The first lines of its source say what it shows."
            )
        };
        // An error says that the output is closed.
        let _ = writeln!(io::stdout(), "{about}\n\nUsage: {usage}");
        process::exit(0);
    }
    let mode = modes.iter().find(|mode| first == **mode);
    let unknown = match mode {
        Some(_) => arguments.next(),
        None => Some(first),
    };
    if let Some(unknown) = unknown {
        eprintln!("{program}: unexpected argument {unknown:?}: {usage}");
        process::exit(2);
    }
    mode.copied()
}

/// `println!` panics when nobody reads its output any more, on whatever thread. That is no mistake of the demo.
fn end_quietly_if_output_is_closed() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<String>();
        if message.is_some_and(|it| it.starts_with("failed printing to stdout")) {
            process::exit(0);
        }
        report(info);
    }));
}
