//! A cutting from the matrix of the contract says what the matrix says.

use crate::{
    Book, Complaint, Page,
    matrix::{self, Cells, bare},
    page::Table,
};

use super::on;

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let Some(cells) = matrix::cells(book) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for page in &book.pages {
        let cuttings = page.tables.iter().filter(|it| {
            it.rows[0]
                .first()
                .is_some_and(|it| it.eq_ignore_ascii_case("clause"))
        });
        for table in cuttings {
            found.extend(cutting(page, table, &cells));
        }
    }
    found
}

fn cutting(page: &Page, table: &Table, cells: &Cells) -> Vec<Complaint> {
    let (head, rows) = table.rows.split_first().expect("a table has a head");
    let mut found = Vec::new();
    for (row, line) in rows.iter().zip(&table.lines[1..]) {
        for (runtime, cell) in head.iter().zip(row).skip(1) {
            let says = match cells.get(&(row[0].clone(), runtime.clone())) {
                None => format!(
                    "{} has no `{}` of `{runtime}`: use its names",
                    matrix::FILE,
                    row[0]
                ),
                Some(real) if *real != bare(cell) => {
                    format!(
                        "`{}` of `{runtime}` is `{real}` in {}, not `{cell}`: say that",
                        row[0],
                        matrix::FILE
                    )
                }
                Some(_) => continue,
            };
            found.push(on(page, *line, says));
        }
    }
    found
}
