//! Runs every exhibit: the broken program breaks as declared, its twin passes, and what the visitor sees is what is
//! committed in `seen/`.
//!
//! Those that need Miri are ignored unless `MUSEUM_MIRI` is set: it has to build everything first. `cargo run -p
//! museum -- --all` runs them too.

use std::{env, fs, path::Path, process::ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use museum::{Exhibit, page, run};

const MUSEUM: &str = env!("CARGO_BIN_EXE_museum");

fn main() -> ExitCode {
    let with_miri = env::var_os("MUSEUM_MIRI").is_some();
    let trials = museum::ALL.iter().map(|&exhibit| {
        Trial::test(exhibit.name, move || shows(exhibit))
            .with_kind(if exhibit.needs_miri() { "Miri" } else { "" })
            .with_ignored_flag(exhibit.needs_miri() && !with_miri)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn shows(exhibit: &'static Exhibit) -> Result<(), Failed> {
    let visit = run::visit(exhibit, Path::new(MUSEUM)).ok_or(run::NO_MIRI)?;
    let seen = page::transcript(exhibit, Some(&visit));
    if !visit.as_declared(exhibit) {
        return Err(seen.into());
    }
    // Elsewhere the paths and the threads' names are others.
    let committed = fs::read_to_string(exhibit.seen_file())?;
    if cfg!(target_os = "linux") && seen != committed {
        return Err(format!(
            "seen/{}.txt is out of date: run `cargo run -p museum -- --write`\nit says:\n{committed}\nnow it is:\n{seen}",
            exhibit.name
        )
        .into());
    }
    Ok(())
}
