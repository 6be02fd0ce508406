//! Tables in Markdown.

/// A table with a head and rows. A column whose head ends in `:` is aligned to the right, and the colon is not shown.
///
/// ```
/// let table = kit::markdown::table(&["stage", "minutes:"], [["04", "50"], ["05", "40"]]);
/// assert_eq!(table, "| stage | minutes |\n|---|--:|\n| 04 | 50 |\n| 05 | 40 |\n");
/// ```
pub fn table<Row: AsRef<[Cell]>, Cell: AsRef<str>>(
    head: &[&str],
    rows: impl IntoIterator<Item = Row>,
) -> String {
    // A bar would end the cell.
    let row = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<_> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut table = row(&mut head.iter().map(|name| name.trim_end_matches(':')));
    for name in head {
        table += if name.ends_with(':') { "|--:" } else { "|---" };
    }
    table += "|\n";
    for cells in rows {
        table += &row(&mut cells.as_ref().iter().map(AsRef::as_ref));
    }
    table
}

/// The same with columns of equal width, to be read in a terminal too.
///
/// ```
/// let table = kit::markdown::aligned(&["stage", "idea"], &[["4", "a queue"], ["10", "many"]]);
/// assert!(table.starts_with("| stage | idea    |\n|-------|---------|\n| 4     | a queue |\n"));
/// ```
pub fn aligned<Row: AsRef<[Cell]>, Cell: AsRef<str>>(head: &[&str], rows: &[Row]) -> String {
    let head = head.iter().map(|name| String::from(*name)).collect();
    let rows = rows.iter().map(AsRef::as_ref);
    let rows = rows.map(|row| row.iter().map(|cell| cell.as_ref().to_owned()).collect());
    let mut lines: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    let mut rules = String::new();
    for column in 0..lines[0].len() {
        let widths = lines.iter().map(|line| line[column].chars().count());
        let width = widths.max().unwrap_or(0);
        for line in &mut lines {
            line[column] = format!("{:width$}", line[column]);
        }
        rules += &format!("|{:-<1$}", "", width + 2);
    }
    let head: Vec<&str> = lines[0].iter().map(String::as_str).collect();
    table(&head, &lines[1..]).replacen(&"|---".repeat(head.len()), &rules, 1)
}
