//! Runs every exhibit: the broken program breaks as declared, its twin passes, and what the visitor sees is what is
//! committed in `seen/`.
//!
//! Those that need Miri are ignored unless `MUSEUM_MIRI` is set: it has to build everything first. `cargo run -p
//! museum -- --all` runs them too.

use std::{env, path::Path, process::ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use museum::{
    Exhibit, page,
    visit::{self, Visit},
};

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
    let visit = Visit::new(exhibit, Path::new(MUSEUM)).ok_or(visit::NO_MIRI)?;
    let seen = page::transcript(exhibit, Some(&visit));
    if !visit.as_declared(exhibit) {
        return Err(seen.into());
    }
    Ok(page::compare(exhibit, &visit).map_err(|stale| format!("{stale}\nnow it is:\n{seen}"))?)
}
