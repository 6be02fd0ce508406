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

/// A name as code.
pub(crate) fn code(name: &str) -> String {
    format!("<code>{}</code>", escaped(name))
}

/// Text as a page shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_tags() {
        let wanted = "a <strong>b</strong> <code>c*d&lt;E&gt;</code> &amp; f";
        assert_eq!(html("a *b* `c*d<E>` & f"), wanted);
    }
}
