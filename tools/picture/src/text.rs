//! Text with marks, as HTML.

use crate::listing;

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
    list.iter().position(|it| *it == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// What loads a script on the pages that have such a figure, and on no other.
pub(crate) fn script(name: &str) -> String {
    format!("<script defer src=\"pictures/{name}.js\"></script>")
}

/// A figure that a script brings to life: `player.js` or `game.js`. Its only empty lines are around the listing and the caption, which
/// Markdown reads.
pub(crate) fn figure(
    kind: &str,
    [name, body, data, caption]: [&str; 4],
    parts: &[String],
) -> String {
    // In HTML, `</` would end the script.
    let (data, caption) = (data.replace("</", "<\\/"), html(caption));
    format!(
        "<figure class=\"picture {kind}\" id=\"{name}\">{body}\n\
         <script type=\"application/json\">{data}</script>\n<div class=\"listing\">\n{}</div>\n\
         <figcaption>\n\n{caption}\n\n</figcaption>{}</figure>\n",
        listing::to_markdown(parts),
        script(kind)
    )
}
