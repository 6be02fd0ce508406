//! A finished picture: the SVG, what it is called, what it says to those who cannot see it, and its caption.

use svg::node::Node;
use svg::node::element::Element;
use svg::node::{Blob, Text};

use crate::canvas::{Canvas, WIDTH};
use crate::words::{Style, pieces};

/// The colours are those of mdBook's themes. A rule for `.picture` would reach every picture of a page, so each brings
/// the same ones. Shapes differ too: a print may be black and white.
const STYLE: &str = "\
.picture{margin:1.5em 0}
.picture svg{display:block;width:100%;max-width:540px;height:auto;margin:0 auto}
.picture figcaption{max-width:540px;margin:.6em auto 0}
.picture text{font-family:inherit;font-size:13px;fill:var(--fg,#333)}
.picture .bold{font-weight:bold}
.picture .code{font-family:var(--mono-font,monospace);font-size:12px}
.picture .line{fill:none;stroke:var(--fg,#333);stroke-width:1.5}
.picture .head{fill:var(--fg,#333)}
.picture .line.thin{stroke-opacity:.6;stroke-width:1}
.picture .line.dots{stroke-opacity:.6;stroke-dasharray:2 4}
.picture .line.dash{stroke-dasharray:5 4}
.picture .line.wake{stroke:var(--links,#20609f);stroke-width:3}
.picture .head.wake{fill:var(--links,#20609f)}
.picture .line.bad{stroke-dasharray:1 4;stroke-width:2.5}
.picture .box{fill:var(--quote-bg,#f2f7f9);stroke:var(--fg,#333);stroke-width:1.5}
.picture .frame{fill:none;stroke:var(--fg,#333);stroke-dasharray:5 4}
.picture .poll{fill:var(--fg,#333)}
.picture .cover{fill:var(--bg,#fff)}
.picture .awake{fill:var(--fg,#333);fill-opacity:.5}
.picture .held{fill:var(--bg,#fff);stroke:var(--links,#20609f);stroke-width:2}
.picture .hole{fill:var(--bg,#fff);stroke:var(--fg,#333);stroke-width:2}
.picture .number{fill:var(--bg,#fff);stroke:var(--links,#20609f);stroke-width:2}
@media print{.picture{--fg:#000;--bg:#fff;--links:#000;--quote-bg:#fff}}";

/// One picture of the book.
#[derive(Debug)]
pub struct Figure {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub title: String,
    /// All that it shows, as sentences.
    pub description: String,
    /// What to see in it, with marks for style.
    pub caption: &'static str,
    /// The drawing.
    pub canvas: Canvas,
}

impl Figure {
    /// As HTML for a page: without an empty line, which would end it there.
    pub fn to_html(&self) -> String {
        let (title, description) = (self.id("title"), self.id("desc"));
        let mut picture = Element::new("svg");
        picture.assign("xmlns", "http://www.w3.org/2000/svg");
        picture.assign("role", "img");
        picture.assign("aria-labelledby", format!("{title} {description}"));
        picture.assign("viewBox", format!("0 0 {WIDTH} {}", self.canvas.height));
        picture.append(words("title", &self.title, Some(&title)));
        picture.append(words("desc", &self.description, Some(&description)));
        let mut style = Element::new("style");
        style.append(Blob::new(STYLE));
        picture.append(style);
        for element in &self.canvas.elements {
            picture.append(element.clone());
        }
        let caption = caption(self.caption);
        format!("<figure class=\"picture\">{picture}\n{caption}</figure>\n")
    }

    fn id(&self, part: &str) -> String {
        format!("picture-{}-{part}", self.name)
    }
}

fn caption(text: &str) -> Element {
    let mut content = String::new();
    for piece in pieces(text) {
        let text = Text::new(piece.text);
        content += &match piece.style {
            Style::Plain => text.to_string(),
            Style::Bold => format!("<strong>{text}</strong>"),
            Style::Code => format!("<code>{text}</code>"),
        };
    }
    let mut element = Element::new("figcaption");
    element.append(Blob::new(content));
    element
}

fn words(name: &str, text: &str, id: Option<&str>) -> Element {
    let mut element = Element::new(name);
    if let Some(id) = id {
        element.assign("id", id);
    }
    element.append(Text::new(text));
    element
}
