//! A file in the folder of the book.

use kit::files;
use serde::de::DeserializeOwned;

/// Reads one that is TOML, or a recording.
///
/// # Errors
///
/// In one line: the file, the line, what is wrong there, and what to do.
pub(crate) fn read<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    let file = files::root().join("book").join(path);
    let text = files::read(&file).map_err(|error| error.to_string())?;
    if path.ends_with("json") {
        return serde_json::from_str(&text)
            .map_err(|why| format!("book/{path}: {why}: record it again"));
    }
    toml::from_str(&text).map_err(|error| {
        let line = files::line(&text, error.span().map_or(0, |it| it.start));
        let why = error.message();
        format!("book/{path}:{line}: {why}: correct it, as tools/picture/README.md says")
    })
}
