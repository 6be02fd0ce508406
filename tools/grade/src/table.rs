//! Texts in tables: to be read, to compute with, and in XML.

/// A line of why is cut after so many characters.
const WIDE: usize = 70;

/// In Markdown, with columns of equal width, to be read in a terminal too.
pub(crate) fn aligned<Row: AsRef<[String]>>(head: &[&str], rows: &[Row]) -> String {
    let mut lines = vec![
        head.iter()
            .map(|cell| String::from(*cell))
            .collect::<Vec<_>>(),
    ];
    // A bar would end the cell.
    let cell = |text: &String| text.replace('|', "\\|");
    lines.extend(
        rows.iter()
            .map(|row| row.as_ref().iter().map(cell).collect()),
    );
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<_> = (0..head.len()).filter_map(width).collect();
    let mut table = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (cell, &width) in line.iter().zip(&widths) {
            table += &format!("| {cell:width$} ");
        }
        table += "|\n";
        if number == 0 {
            let rule = |width: &usize| format!("|{:-<1$}", "", width + 2);
            table += &(widths.iter().map(rule).collect::<String>() + "|\n");
        }
    }
    table
}

/// The first characters of a line that says why.
pub(crate) fn short(why: &str) -> String {
    match why.char_indices().nth(WIDE) {
        Some((at, _)) => format!("{}...", why[..at].trim_end()),
        None => why.to_owned(),
    }
}

/// A text in the cell of a table to compute with. A spreadsheet would take one that begins so for a formula, and a learner can have
/// written it.
pub(crate) fn quoted(text: &str) -> String {
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@']);
    let mark = if is_formula { "'" } else { "" };
    format!("\"{mark}{}\"", text.replace('"', "\"\""))
}

/// The text in XML, which knows neither control characters nor the two that are no characters.
pub(crate) fn escaped(text: &str) -> String {
    let is_known = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let known = text
        .chars()
        .filter(|c| is_known(c) || ['\n', '\t'].contains(c));
    let text = known.collect::<String>();
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
#[test]
fn no_text_in_a_cell_is_a_formula() {
    let cells = [
        ("=HYPERLINK(\"a\")", "\"'=HYPERLINK(\"\"a\"\")\""),
        (" +1", "\"' +1\""),
        ("-1", "\"'-1\""),
        ("@A1", "\"'@A1\""),
        ("left: 1 = -1", "\"left: 1 = -1\""),
    ];
    for (text, cell) in cells {
        assert_eq!(quoted(text), cell);
    }
}
