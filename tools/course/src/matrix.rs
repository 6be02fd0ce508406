//! The matrix of the contract, as `tools/matrix/matrix.md` has it.

use std::collections::BTreeMap;

use crate::{Book, Page, page::Table, text::read};

/// The file, from the root.
pub(crate) const FILE: &str = "tools/matrix/matrix.md";

/// Clause and runtime, and what is in their cell.
pub(crate) type Cells = BTreeMap<(String, String), String>;

/// All cells; `None` if there is no matrix.
pub(crate) fn cells(book: &Book) -> Option<Cells> {
    let text = read(&book.root.join(FILE)).ok()?;
    // A header is broken into several lines there.
    let page = Page::new("matrix.md", text.replace("<br>", " "), false);
    let tables = page.tables.iter();
    Some(tables.flat_map(table_cells).collect())
}

fn table_cells(table: &Table) -> impl Iterator<Item = ((String, String), String)> {
    let (head, rows) = table.rows.split_first().expect("a table has a head");
    rows.iter().flat_map(move |row| {
        let cells = head.iter().zip(row).skip(1);
        cells.map(move |(runtime, cell)| ((row[0].clone(), runtime.clone()), bare(cell)))
    })
}

/// A cell without the number of its note.
pub(crate) fn bare(cell: &str) -> String {
    let cell = cell.split('(').next().unwrap_or_default();
    cell.trim().to_owned()
}
