//! A figure as a page includes it: what is drawn, the data for its script, the code beside it, and the caption.

use crate::{listing, text::html};

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
