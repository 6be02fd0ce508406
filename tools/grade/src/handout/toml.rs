//! The two files in TOML that name each of a kind: the programs of the exercises, and the pages that the book's search leaves out.

use toml_edit::{DocumentMut, Item, TomlError, Value};

use super::list::List;

/// Such a file without what learners don't get. `None`: it is another file, which stays as it is.
pub(super) fn of_learners(
    path: &str,
    text: &str,
    list: &List,
) -> Result<Option<String>, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    match path {
        "exercises/Cargo.toml" => without_programs(&mut document, list),
        "book/book.toml" => without_pages(&mut document, list),
        _ => return Ok(None),
    }
    Ok(Some(document.to_string()))
}

fn without_programs(manifest: &mut DocumentMut, list: &List) {
    let programs = manifest.get_mut("bin").and_then(Item::as_array_mut);
    let is_theirs = |program: &Value| {
        let path = program
            .as_inline_table()
            .and_then(|table| table.get("path"));
        let path = path.and_then(Value::as_str).unwrap_or_default();
        !list.lacks(&format!("exercises/{path}"))
    };
    if let Some(programs) = programs {
        programs.retain(is_theirs);
    }
}

fn without_pages(configuration: &mut DocumentMut, list: &List) {
    let mut keys = ["output", "html", "search", "chapter"].iter();
    let pages = keys.try_fold(configuration.as_item_mut(), |item, key| item.get_mut(key));
    if let Some(pages) = pages.and_then(Item::as_table_mut) {
        pages.retain(|page, _| !list.lacks(&format!("book/src/{page}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_loses_what_learners_do_not_get_and_keeps_its_comments() {
        let mut list = List::default();
        list.add("book/src/quiz.md", false);
        list.add("exercises/solutions/a.rs", false);
        list.add("exercises/exercises/a.rs", true);
        let of_learners = |path, text| of_learners(path, text, &list).unwrap();
        let programs = "# Programs.\nbin = [\n  { name = \"a\", path = \"exercises/a.rs\" },\n  \
            { name = \"a_sol\", path = \"solutions/a.rs\" },\n]\n\n[package] # the only one\n";
        let kept = "# Programs.\nbin = [\n  { name = \"a\", path = \"exercises/a.rs\" },\n]\n\n[package] # the only one\n";
        assert_eq!(
            of_learners("exercises/Cargo.toml", programs).as_deref(),
            Some(kept)
        );
        let pages = "[output.html.search.chapter] # or all\n\"a.md\" = {}\n\"quiz.md\" = {}\n";
        let kept = "[output.html.search.chapter] # or all\n\"a.md\" = {}\n";
        assert_eq!(of_learners("book/book.toml", pages).as_deref(), Some(kept));
        assert_eq!(of_learners("lab/a/Cargo.toml", programs), None);
    }
}
