//! Of every exhibit, the broken version fails as the exhibit says, the fixed one passes, and what a visitor sees is what the book
//! shows, if there is a file for it in `seen/`.
//!
//! `SNAPSHOTS=overwrite` in the environment writes these files; a new one begins as an empty file. Miri has to build everything
//! first, so the exhibits that need it are left out unless `MUSEUM_MIRI` is set.

use std::{env, path::Path};

use museum::{
    ALL, Exhibit, page,
    visit::{self, Visit},
};
use rayon::prelude::*;
use snapbox::{Assert, Data, IntoData, assert::DEFAULT_ACTION_ENV};

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
    // Elsewhere the paths and the threads' names are others.
    let is_seen = cfg!(target_os = "linux").then(|| seen(exhibit.name, &page));
    (is_seen == Some(false) || !visit.is_as_expected(exhibit)).then_some(page)
}

/// Whether it is what the book shows, or no page shows it.
fn seen(name: &str, page: &str) -> bool {
    let file = format!("{}/seen/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let shown = Data::read_from(Path::new(&file), None);
    let assert = Assert::new().action_env(DEFAULT_ACTION_ENV);
    !Path::new(&file).exists()
        || assert
            .try_eq(Some(&name), page.into_data().raw(), shown.raw())
            .is_ok()
}
