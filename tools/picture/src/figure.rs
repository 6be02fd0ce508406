//! A finished picture: the drawing, its caption, and what it says to a reader who cannot see it.
//!
//! The colours and fonts are in `book/theme/course.css`, because the drawings in the book that no run can show use the
//! same ones.

use probe::Recording;
use svg::node::{Blob, Node, Text, element::Element};

use crate::{
    canvas::{Canvas, WIDTH},
    lanes, replay,
    run::Run,
    text::{Style, pieces, plain},
};

/// The picture of a run.
#[derive(Debug)]
pub struct Figure<'a> {
    run: &'a Run,
    description: String,
    canvas: Canvas,
}

impl Figure<'_> {
    /// Draws this recording of a run.
    pub fn new<'a>(run: &'a Run, recording: &Recording) -> Figure<'a> {
        let chart = replay::chart(run, recording);
        let headers: Vec<_> = run.lanes.iter().map(|lane| plain(lane.header())).collect();
        let sentences: Vec<_> = chart.rows.iter().map(|row| plain(&row.text)).collect();
        Figure {
            run,
            description: format!(
                "Lanes, from left to right: {}. Time goes down. {}.",
                headers.join("; "),
                sentences.join(". ")
            ),
            canvas: lanes::draw(run, &chart),
        }
    }

    /// How far the text would go beyond the right edge, where it would be cut off.
    pub fn cut_off(&self) -> f32 {
        (self.canvas.right - WIDTH).max(0.0)
    }

    /// As HTML for a page: without an empty line, because Markdown would end the HTML there.
    pub fn to_html(&self) -> String {
        let id = |part: &str| format!("picture-{}-{part}", self.run.name);
        let (title, description) = (id("title"), id("desc"));
        let mut picture = Element::new("svg");
        picture.assign("xmlns", "http://www.w3.org/2000/svg");
        picture.assign("role", "img");
        picture.assign("aria-labelledby", format!("{title} {description}"));
        picture.assign("viewBox", format!("0 0 {WIDTH} {}", self.canvas.height));
        picture.append(with_id("title", &title, self.run.title));
        picture.append(with_id("desc", &description, &self.description));
        for element in &self.canvas.elements {
            picture.append(element.clone());
        }
        let caption = caption(self.run.caption);
        format!("<figure class=\"picture\">{picture}\n{caption}</figure>\n")
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

fn with_id(name: &str, id: &str, text: &str) -> Element {
    let mut element = Element::new(name);
    element.assign("id", id);
    element.append(Text::new(text));
    element
}
