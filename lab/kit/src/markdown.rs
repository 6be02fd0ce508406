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
