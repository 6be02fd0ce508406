//! Of every exhibit, the broken version fails as the exhibit says, the fixed one passes, and what a visitor sees is what is
//! committed in `seen/`.
//!
//! Miri has to build everything first, so the exhibits that need it are left out unless `MUSEUM_MIRI` is set.

use std::{env, path::Path};

use museum::{
    ALL, Exhibit, page,
    visit::{self, Visit},
};
use rayon::prelude::*;

#[test]
fn each_is_as_it_says() {
    let with_miri = env::var_os("MUSEUM_MIRI").is_some();
    let here = ALL
        .par_iter()
        .with_max_len(1)
        .filter(|exhibit| with_miri || !visit::needs_miri(exhibit));
    let wrong: Vec<String> = here.filter_map(|exhibit| wrong(exhibit)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn wrong(exhibit: &Exhibit) -> Option<String> {
    let Some(visit) = Visit::new(exhibit, Path::new(env!("CARGO_BIN_EXE_museum"))) else {
        return Some(format!("{}: {}", exhibit.name, visit::NO_MIRI));
    };
    let page = page::page(exhibit, &visit);
    match page::check(exhibit, &visit, false) {
        Err(stale) => Some(format!("{stale}\nnow it is:\n{page}")),
        Ok(()) if !visit.is_as_expected(exhibit) => Some(page),
        Ok(()) => None,
    }
}
