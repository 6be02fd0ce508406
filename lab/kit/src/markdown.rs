//! A table in Markdown.

/// A table with a head and rows. A column whose head ends in `:` is aligned to the right, and the colon is not shown.
///
/// ```
/// let table = kit::markdown::table(&["stage", "minutes:"], [["04", "50"], ["05", "40"]]);
/// assert_eq!(table, "| stage | minutes |\n|---|--:|\n| 04 | 50 |\n| 05 | 40 |\n");
/// ```
pub fn table<const N: usize, Cell: AsRef<str>>(
    head: &[&str; N],
    rows: impl IntoIterator<Item = [Cell; N]>,
) -> String {
    let row = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut table = row(head.iter().map(|name| name.trim_end_matches(':')).collect());
    for name in head {
        table += if name.ends_with(':') { "|--:" } else { "|---" };
    }
    table += "|\n";
    for cells in rows {
        // A bar would end the cell.
        let cells = cells
            .each_ref()
            .map(|cell| cell.as_ref().replace('|', "\\|"));
        table += &row(cells.iter().map(String::as_str).collect());
    }
    table
}

/// The same with columns of equal width, to be read in a terminal too.
///
/// ```
/// let table = kit::markdown::aligned(&["stage", "idea"], &[["4", "a queue"], ["10", "many"]]);
/// assert!(table.starts_with("| stage | idea    |\n|-------|---------|\n| 4     | a queue |\n"));
/// ```
pub fn aligned<const N: usize, Cell: AsRef<str>>(head: &[&str; N], rows: &[[Cell; N]]) -> String {
    let columns: [usize; N] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].as_ref());
        let widths = cells.chain([head[column]]).map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    });
    let padded = |column: usize, cell: &str| format!("{cell:0$}", columns[column]);
    let head: [String; N] = std::array::from_fn(|column| padded(column, head[column]));
    let rows = rows
        .iter()
        .map(|row| std::array::from_fn(|column| padded(column, row[column].as_ref())));
    let rules = columns.map(|width| format!("|{:-<1$}", "", width + 2));
    let table = table(&head.each_ref().map(String::as_str), rows);
    table.replacen(&"|---".repeat(N), &rules.concat(), 1)
}
