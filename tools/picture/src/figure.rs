//! A finished picture: the drawing, its caption, and the same in words, for a reader who can't see it or would rather read.
//!
//! The colours and fonts are in `book/theme/course.css`, because the drawings in the book that no run can show use the
//! same ones.

use svg::node::{Node, Text, element::Element};

use crate::{
    canvas::{Canvas, WIDTH},
    text::{Style, pieces},
};

/// A picture.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) words: Words,
    /// What happens, one after the other, with marks for style.
    pub(crate) sentences: Vec<String>,
    pub(crate) canvas: Canvas,
}

/// What a picture says of itself.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) caption: String,
    /// For those who can't see it.
    pub(crate) description: String,
}

impl Figure {
    /// The name of its file.
    pub(crate) fn name(&self) -> &str {
        &self.words.name
    }

    /// How far the text would go beyond the right edge, where it would be cut off.
    #[cfg(test)]
    pub(crate) fn cut_off(&self) -> f32 {
        (self.canvas.right - WIDTH).max(0.0)
    }

    /// As HTML for a page: without an empty line, because Markdown would end the HTML there.
    pub(crate) fn to_html(&self) -> String {
        let id = |part: &str| format!("picture-{}-{part}", self.words.name);
        let (title, description) = (id("title"), id("desc"));
        let mut picture = Element::new("svg");
        picture.assign("xmlns", "http://www.w3.org/2000/svg");
        picture.assign("role", "img");
        picture.assign("aria-labelledby", format!("{title} {description}"));
        picture.assign("viewBox", format!("0 0 {WIDTH} {}", self.canvas.height));
        picture.append(with_id("title", &title, &self.words.title));
        picture.append(with_id("desc", &description, &self.words.description));
        for element in &self.canvas.elements {
            picture.append(element.clone());
        }
        let items = self
            .sentences
            .iter()
            .map(|it| format!("<li>{}</li>\n", html(it)));
        let list: String = items.collect();
        let caption = html(&self.words.caption);
        format!(
            "<figure class=\"picture\">{picture}\n<details><summary>The same in words</summary><ol>\n{list}</ol></details>\n<figcaption>\n{caption}\n</figcaption></figure>\n"
        )
    }
}

pub(crate) fn html(text: &str) -> String {
    let mut content = String::new();
    for piece in pieces(text) {
        let text = Text::new(piece.text);
        content += &match piece.style {
            Style::Plain => text.to_string(),
            Style::Bold => format!("<strong>{text}</strong>"),
            Style::Code => format!("<code>{text}</code>"),
        };
    }
    content
}

fn with_id(name: &str, id: &str, text: &str) -> Element {
    let mut element = Element::new(name);
    element.assign("id", id);
    element.append(Text::new(text));
    element
}
