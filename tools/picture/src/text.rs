//! Text with marks, as HTML.

/// `*so*` is bold, and what stands between backticks is code, in which a star is a star.
pub(crate) fn html(text: &str) -> String {
    let (mut html, mut open) = (String::new(), None);
    for letter in escaped(text).chars() {
        let tag = match letter {
            '*' => "strong",
            '`' => "code",
            _ => "",
        };
        if tag.is_empty() || open.is_some_and(|it| it != tag) {
            html.push(letter);
        } else if open.take().is_some() {
            html += &format!("</{tag}>");
        } else {
            html += &format!("<{tag}>");
            open = Some(tag);
        }
    }
    html
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
