//! Each name of another crate is looked up in the source with which this program was built.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::*;

/// The sources that cargo has downloaded, of the versions in the nearest `Cargo.lock`.
fn sources() -> Vec<(String, PathBuf)> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let lock = folders.find_map(|folder| fs::read_to_string(folder.join("Cargo.lock")).ok());
    let lock = lock.expect("this program was built from one");
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let registries = fs::read_dir(home.unwrap_or_default().join("registry/src"));
    let registries: Vec<_> = registries.into_iter().flatten().flatten().collect();
    let value = |line: &str, key: &str| {
        Some(
            line.strip_prefix(key)?
                .strip_prefix(" = ")?
                .trim_matches('"')
                .to_owned(),
        )
    };
    let mut sources = Vec::new();
    for package in lock.split("[[package]]") {
        let find = |key| package.lines().find_map(|line| value(line, key));
        if let (Some(name), Some(version)) = (find("name"), find("version")) {
            for registry in &registries {
                let source = registry.path().join(format!("{name}-{version}/src"));
                if source.exists() {
                    sources.push((name.replace('-', "_"), source));
                }
            }
        }
    }
    sources
}

/// Whether this module has a file, or is a whole crate. `None`: the crate is not there.
fn is_there(module: &str, sources: &[(String, PathBuf)]) -> Option<bool> {
    let (library, path) = module.split_once("::").unwrap_or((module, "lib"));
    let (_, source) = sources.iter().find(|(name, _)| name == library)?;
    let file = source.join(path.replace("::", "/"));
    let is_folder = file.join("mod.rs").exists();
    Some(is_folder || file.with_extension("rs").exists())
}

#[test]
#[cfg_attr(miri, ignore = "there are no files")]
fn each_module_of_another_crate_is_there() {
    let sources = sources();
    // Built from copies that lie elsewhere.
    if sources.is_empty() {
        return;
    }
    let others = [GIVES_WAY, JOINS, DROPS_RUNTIME, CLOSURE, WORKER];
    let modules = SETS.iter().copied().chain(others);
    let (mut missing, mut looked_up) = (Vec::new(), 0);
    for module in modules {
        match is_there(module, &sources) {
            Some(true) => looked_up += 1,
            Some(false) => missing.push(module),
            // No test depends on these crates.
            None => assert!(
                ["futures_buffered", "unicycle"].contains(&module),
                "{module}"
            ),
        }
    }
    assert_eq!((missing, looked_up), (vec![], 10));
}
