//! What cargo can build here.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::LazyLock,
};

use cargo_metadata::{MetadataCommand, Package, TargetKind};
use regex::Regex;

use crate::text::read;

/// The packages of the workspace, and the files that are compiled with them.
#[derive(Debug)]
pub(crate) struct Targets {
    packages: BTreeMap<String, Package>,
    compiled: BTreeSet<PathBuf>,
}

static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?m)(?:^\s*#\[path = "([^"]+)"\]\s*)?^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;"#,
    )
    .expect("it is a regex")
});

impl Targets {
    pub(crate) fn read(root: &Path) -> Targets {
        let manifest = root.join("Cargo.toml");
        let metadata = MetadataCommand::new()
            .manifest_path(manifest)
            .no_deps()
            .exec()
            .expect("cargo knows its own workspace");
        let mut compiled = BTreeSet::new();
        let packages: BTreeMap<String, Package> = metadata
            .packages
            .into_iter()
            .map(|package| (package.name.to_string(), package))
            .collect();
        for target in packages.values().flat_map(|package| &package.targets) {
            compile(target.src_path.as_std_path(), true, &mut compiled);
        }
        Targets { packages, compiled }
    }

    /// The names of all packages.
    pub(crate) fn packages(&self) -> impl Iterator<Item = &str> {
        self.packages.keys().map(String::as_str)
    }

    /// Whether this package has a target of this kind and name; whether there is the package, if no name is given.
    pub(crate) fn has(&self, package: &str, target: Option<(TargetKind, &str)>) -> bool {
        let Some(package) = self.packages.get(package) else {
            return false;
        };
        let Some((kind, name)) = target else {
            return true;
        };
        let mut targets = package.targets.iter();
        targets.any(|target| target.name == name && target.kind.contains(&kind))
    }

    /// Whether a target of the workspace is compiled from this file, among others.
    pub(crate) fn compiles(&self, file: &Path) -> bool {
        file.canonicalize()
            .is_ok_and(|file| self.compiled.contains(&file))
    }
}

/// Adds this file, and those that it declares as its modules.
fn compile(file: &Path, root: bool, compiled: &mut BTreeSet<PathBuf>) {
    let (Ok(file), Ok(text)) = (file.canonicalize(), read(file)) else {
        return;
    };
    if !compiled.insert(file.clone()) {
        return;
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    let modules = match root || stem == "mod" {
        true => folder.to_owned(),
        false => folder.join(stem),
    };
    // A macro may declare them: then what it is given are their names.
    if text.contains("mod $") {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        for name in words.filter(|word| !word.is_empty()) {
            compile(&modules.join(format!("{name}.rs")), false, compiled);
        }
    }
    for module in MODULE.captures_iter(&text) {
        let name = &module[2];
        match module.get(1) {
            Some(path) => compile(&folder.join(path.as_str()), false, compiled),
            None => {
                compile(&modules.join(format!("{name}.rs")), false, compiled);
                compile(&modules.join(name).join("mod.rs"), false, compiled);
            }
        }
    }
}
