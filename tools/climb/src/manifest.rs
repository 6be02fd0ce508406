//! The manifests of the exercise, as they have to be in a copy of it that is elsewhere.

use std::path::{Component, Path};

use toml::Table;
use toml_edit::{DocumentMut, Item, TableLike, TomlError};

/// A manifest in this folder of the exercise. What is outside of the exercise, it names by the whole path.
pub(crate) fn moved(text: &str, exercise: &Path, folder: &Path) -> Result<String, TomlError> {
    let mut manifest: DocumentMut = text.parse()?;
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let dependencies = manifest.get_mut(kind).and_then(Item::as_table_like_mut);
        let dependencies = dependencies.into_iter().flat_map(TableLike::iter_mut);
        for (_, dependency) in dependencies {
            let Some(path) = dependency.get_mut("path") else {
                continue;
            };
            let relative = path.as_str().unwrap_or_default();
            if leaves(folder, relative) {
                let whole = exercise.join(folder).join(relative);
                *path = toml_edit::value(whole.to_string_lossy().into_owned());
            }
        }
    }
    Ok(manifest.to_string())
}

/// Whether a path that begins in this folder of the exercise leads out of the exercise.
fn leaves(folder: &Path, path: &str) -> bool {
    let ups = Path::new(path)
        .components()
        .filter(|part| *part == Component::ParentDir);
    ups.count() > folder.components().count()
}

/// A manifest with these dependencies, too.
pub(crate) fn with(text: &str, dependencies: &Table) -> Result<String, TomlError> {
    let mut manifest: DocumentMut = text.parse()?;
    let added: DocumentMut = dependencies.to_string().parse()?;
    for (name, dependency) in added.iter() {
        manifest["dependencies"][name] = dependency.clone();
    }
    Ok(manifest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_is_named_by_its_whole_path_and_the_rest_stays() {
        let text = "[dependencies]\na = { path = \"../../../lab/a\", features = [\"x\"] } # a\nb = { path = \"../b\" }\nc = \"1\"\n";
        let [exercise, folder] = ["/course/exercises/yours", "ladder"].map(Path::new);
        let whole = exercise.join("ladder").join("../../../lab/a");
        let whole = format!("path = \"{}\"", whole.display());
        let expected = text.replace("path = \"../../../lab/a\"", &whole);
        assert_eq!(moved(text, exercise, folder).unwrap(), expected);
    }

    #[test]
    fn a_dependency_is_added() {
        let text = "[dependencies]\na = \"1\"\n\n[features]\n";
        let added: Table = "tokio = { version = \"1\", features = [\"net\"] }"
            .parse()
            .unwrap();
        let manifest: Table = with(text, &added).unwrap().parse().unwrap();
        let expected = "[dependencies]\na = \"1\"\ntokio = { version = \"1\", features = [\"net\"] }\n[features]";
        assert_eq!(manifest, expected.parse().unwrap());
        assert_eq!(with(text, &Table::new()).unwrap(), text);
    }
}
