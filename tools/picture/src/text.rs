//! Text with marks, as HTML.

/// `*so*` is bold, and what stands between backticks is code, in which a star is a star.
pub(crate) fn html(text: &str) -> String {
    let bold = |text: &str| between(text, '*', "strong", str::to_owned);
    between(&escaped(text), '`', "code", bold)
}

/// Tags for what stands between two of these marks.
fn between(text: &str, mark: char, tag: &str, outside: impl Fn(&str) -> String) -> String {
    let part = |(number, part): (usize, &str)| match number % 2 {
        0 => outside(part),
        _ => format!("<{tag}>{part}</{tag}>"),
    };
    text.split(mark).enumerate().map(part).collect()
}

/// As a sentence begins.
pub(crate) fn capital(text: &str) -> String {
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[..first].to_uppercase() + &text[first..]
}

/// Text as a page shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The number of something in a list, into which it is put if it is not there.
pub(crate) fn number_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter()
        .position(|other| *other == item)
        .unwrap_or_else(|| {
            list.push(item);
            list.len() - 1
        })
}
