//! Markdown tables that can be read in a terminal too.

/// A table with columns of equal width.
pub(crate) fn aligned(head: &[&str], rows: &[Vec<String>]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let width = |column: usize| {
        let cells = rows.iter().map(|row| cell(&row[column]).chars().count());
        cells.chain([head[column].chars().count(), 3]).max()
    };
    let widths: Vec<_> = (0..head.len()).filter_map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = String>| {
        let mut line = String::from("|");
        for (text, width) in cells.zip(&widths) {
            line += &format!(" {text:width$} |");
        }
        line + "\n"
    };
    let mut table = line(&mut head.iter().map(|&text| text.to_owned()));
    let rules: Vec<_> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
    table += &format!("|{}|\n", rules.join("|"));
    for row in rows {
        table += &line(&mut row.iter().map(|text| cell(text)));
    }
    table
}
