//! The manifest of a scratch package: the set's own, with other programs, and from another folder.

use std::path::Path;

use toml::{Table, Value};

/// Turns the manifest of the set in `set` into one of a package elsewhere that has these programs: pairs of a name and
/// a file.
pub(crate) fn scratch<'a>(
    manifest: &Table,
    set: &Path,
    programs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Table {
    let mut scratch = Table::new();
    for key in [
        "dependencies",
        "dev-dependencies",
        "features",
        "lints",
        "target",
    ] {
        if let Some(value) = manifest.get(key) {
            let mut value = value.clone();
            make_absolute(&mut value, set);
            scratch.insert(key.into(), value);
        }
    }
    let mut package = Table::new();
    for (key, value) in [
        ("name", "exercises"),
        ("version", "0.0.0"),
        ("edition", "2024"),
    ] {
        package.insert(key.into(), value.into());
    }
    let given = manifest.get("package").and_then(Value::as_table);
    // Clippy goes by the oldest Rust that the set is for.
    for key in ["edition", "rust-version"] {
        if let Some(value @ Value::String(_)) = given.and_then(|given| given.get(key)) {
            package.insert(key.into(), value.clone());
        }
    }
    scratch.insert("package".into(), package.into());
    let bins = programs.map(|(name, path)| {
        let mut bin = Table::new();
        bin.insert("name".into(), name.into());
        bin.insert("path".into(), path.into());
        Value::Table(bin)
    });
    scratch.insert("bin".into(), Value::Array(bins.collect()));
    // Its own workspace: it lies inside the course's, and is no member.
    scratch.insert("workspace".into(), Table::new().into());
    let mut dev = Table::new();
    dev.insert("debug".into(), false.into());
    dev.insert("incremental".into(), false.into());
    // A fifth less to compute than with the usual number, for programs as small as these.
    dev.insert("codegen-units".into(), 1.into());
    let mut profile = Table::new();
    profile.insert("dev".into(), dev.into());
    scratch.insert("profile".into(), profile.into());
    scratch
}

/// Whatever has a `path` is a dependency here.
fn make_absolute(value: &mut Value, set: &Path) {
    if let Value::Table(table) = value {
        for (key, value) in table.iter_mut() {
            match value {
                Value::String(path) if key == "path" => {
                    *path = set.join(&*path).to_string_lossy().into_owned();
                }
                value => make_absolute(value, set),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_from_the_set_and_the_rest_stays() {
        let manifest: Table = toml::from_str(
            "[package]\nname = 'x'\nedition = '2021'\nrust-version = '1.85'\n[[bin]]\nname = 'a'\n\
             [dependencies]\nprobe = { path = '../lab/probe' }\nfutures = '0.3'\n",
        )
        .unwrap();
        let made = scratch(&manifest, Path::new("set"), [("b", "b.rs")].into_iter());
        let path = Path::new("set").join("../lab/probe");
        assert_eq!(
            made["dependencies"]["probe"]["path"].as_str(),
            path.to_str()
        );
        assert_eq!(made["dependencies"]["futures"].as_str(), Some("0.3"));
        assert_eq!(made["package"]["edition"].as_str(), Some("2021"));
        assert_eq!(made["package"]["rust-version"].as_str(), Some("1.85"));
        assert_eq!(made["bin"].as_array().unwrap().len(), 1);
    }
}
