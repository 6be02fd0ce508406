//! A finished picture: the drawing, its caption, and the same in words, for a reader who can't see it or would rather read.
//!
//! The colours and fonts are in `book/theme/course.css`, because the drawings in the book that no run can show use the
//! same ones.

use probe::Recording;
use svg::node::{Node, Text, element::Element};

use crate::{
    canvas::{Canvas, WIDTH},
    lanes, replay,
    run::Run,
    text::{Style, pieces, plain},
};

/// What a picture says of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
}

/// A picture.
#[derive(Debug)]
pub struct Figure {
    words: Words,
    description: String,
    /// What happens, one after the other, with marks for style.
    sentences: Vec<String>,
    canvas: Canvas,
}

impl Figure {
    /// Draws this recording of a run.
    pub fn new(run: &Run, recording: &Recording) -> Figure {
        let chart = replay::chart(run, recording);
        let headers: Vec<_> = run.lanes.iter().map(|lane| plain(lane.header())).collect();
        let mut shown = None;
        let sentences = chart.rows.iter().map(|row| {
            let at = row.at.map(|at| format!("{at:.0} ms"));
            let time = at.clone().filter(|_| at != shown);
            shown = at.or(shown.take());
            match time {
                Some(time) => format!("{time}: {}", row.text),
                None => row.text.clone(),
            }
        });
        let sentences = sentences.collect();
        let canvas = lanes::draw(run, &chart);
        let words = Words {
            name: run.name,
            title: run.title,
            caption: run.caption,
        };
        let mut figure = Figure::of(words, sentences, canvas);
        figure.description = format!(
            "Time goes down. Lanes, from left to right: {}. The list below the picture has the events.",
            headers.join("; ")
        );
        figure
    }

    pub(crate) fn of(words: Words, sentences: Vec<String>, canvas: Canvas) -> Figure {
        Figure {
            words,
            description:
                "Time goes to the right. The list below the picture has the same in words."
                    .to_owned(),
            sentences,
            canvas,
        }
    }

    /// How far the text would go beyond the right edge, where it would be cut off.
    pub fn cut_off(&self) -> f32 {
        (self.canvas.right - WIDTH).max(0.0)
    }

    /// As HTML for a page: without an empty line, because Markdown would end the HTML there.
    pub fn to_html(&self) -> String {
        let id = |part: &str| format!("picture-{}-{part}", self.words.name);
        let (title, description) = (id("title"), id("desc"));
        let mut picture = Element::new("svg");
        picture.assign("xmlns", "http://www.w3.org/2000/svg");
        picture.assign("role", "img");
        picture.assign("aria-labelledby", format!("{title} {description}"));
        picture.assign("viewBox", format!("0 0 {WIDTH} {}", self.canvas.height));
        picture.append(with_id("title", &title, self.words.title));
        picture.append(with_id("desc", &description, &self.description));
        for element in &self.canvas.elements {
            picture.append(element.clone());
        }
        let items = self
            .sentences
            .iter()
            .map(|it| format!("<li>{}</li>\n", html(it)));
        let list: String = items.collect();
        let caption = html(self.words.caption);
        format!(
            "<figure class=\"picture\">{picture}\n<details><summary>The same in words</summary><ol>\n{list}</ol></details>\n<figcaption>\n{caption}\n</figcaption></figure>\n"
        )
    }
}

fn html(text: &str) -> String {
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
