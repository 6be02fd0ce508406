//! A file in the folder of the book.

use kit::files;
use serde::de::DeserializeOwned;

/// Reads one that is TOML, or a recording.
///
/// # Errors
///
/// In one line: the file, the line, what is wrong there, and what to do.
pub(crate) fn read<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    parse(path, &text(path)?)
}

pub(crate) fn text(path: &str) -> Result<String, String> {
    let file = files::root().join("book").join(path);
    files::read(&file).map_err(|error| error.to_string())
}

/// What [`read`] makes of the text of such a file.
pub(crate) fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, String> {
    if path.ends_with("json") {
        return serde_json::from_str(text)
            .map_err(|why| format!("book/{path}: {why}: record it again"));
    }
    toml::from_str(text).map_err(|error| {
        let line = files::line(text, error.span().map_or(0, |span| span.start));
        let why = error.message();
        format!("book/{path}:{line}: {why}: correct it, as tools/picture/README.md says")
    })
}
