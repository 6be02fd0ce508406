//! The pens: boxes, lines, arrows and text, on a sheet that is 400 units wide.
//!
//! Nothing here has a colour. `book/theme/course.css` gives one to each class, from the theme of the page.

use std::fmt::Write;

use svg::node::{Blob, Node, Text, element::Element};

use crate::text::{Style, pieces, width};

/// The width of every picture.
pub(crate) const WIDTH: f32 = 400.0;

/// A point.
pub(crate) type At = (f32, f32);

/// The place of a box.
#[derive(Clone, Copy)]
pub(crate) struct Rect {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) w: f32,
    pub(crate) h: f32,
}

/// A picture that is being drawn.
#[derive(Debug)]
pub(crate) struct Canvas {
    pub(crate) elements: Vec<Element>,
    pub(crate) height: f32,
    /// Where the text ends that goes furthest to the right.
    pub(crate) right: f32,
}

impl Canvas {
    /// An empty picture of this height.
    pub(crate) fn new(height: f32) -> Canvas {
        Canvas {
            elements: Vec::new(),
            height,
            right: 0.0,
        }
    }

    fn add(&mut self, name: &str, class: &str, attributes: &[(&str, String)]) {
        let mut element = Element::new(name);
        element.assign("class", class.trim_end());
        for (name, value) in attributes {
            element.assign(*name, value.as_str());
        }
        self.elements.push(element);
    }

    /// Text on one line, with `*bold*` and `` `code` ``. It begins at this point.
    pub(crate) fn text(&mut self, at: At, text: &str) {
        self.right = self.right.max(at.0 + width(&pieces(text)));
        self.anchored(at, text, "start");
    }

    /// The same, but it ends at this point.
    pub(crate) fn text_to(&mut self, at: At, text: &str) {
        self.anchored(at, text, "end");
    }

    /// The same, with this point in its middle.
    pub(crate) fn text_around(&mut self, at: At, text: &str) {
        self.right = self.right.max(at.0 + width(&pieces(text)) / 2.0);
        self.anchored(at, text, "middle");
    }

    fn anchored(&mut self, (x, y): At, text: &str, anchor: &str) {
        let mut content = String::new();
        for piece in pieces(text) {
            let text = Text::new(piece.text.as_str());
            let written = match piece.style {
                Style::Plain => write!(content, "{text}"),
                Style::Bold => write!(content, r#"<tspan class="bold">{text}</tspan>"#),
                Style::Code => write!(content, r#"<tspan class="code">{text}</tspan>"#),
            };
            written.expect("a string takes all that is written to it");
        }
        let mut element = Element::new("text");
        element.assign("x", short(x));
        element.assign("y", short(y));
        if anchor != "start" {
            element.assign("text-anchor", anchor);
        }
        element.append(Blob::new(content));
        self.elements.push(element);
    }

    /// A line from one point to another.
    pub(crate) fn line(&mut self, class: &str, from: At, to: At) {
        let points = [("points", list(&[from, to]))];
        self.add("polyline", &format!("line {class}"), &points);
    }

    /// A horizontal or vertical line with a head at its end.
    pub(crate) fn arrow(&mut self, class: &str, from: At, to: At) {
        let length = (to.0 - from.0).abs() + (to.1 - from.1).abs();
        let (right, down) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let neck = (to.0 - 8.0 * right, to.1 - 8.0 * down);
        if length > 8.0 {
            self.line(class, from, neck);
        }
        let head = [
            to,
            (neck.0 + 4.5 * down, neck.1 + 4.5 * right),
            (neck.0 - 4.5 * down, neck.1 - 4.5 * right),
        ];
        let class = format!("head {class}");
        self.add("polygon", &class, &[("points", list(&head))]);
    }

    /// A box.
    pub(crate) fn rect(&mut self, class: &str, rect: Rect) {
        let attributes = [
            ("x", short(rect.x)),
            ("y", short(rect.y)),
            ("width", short(rect.w)),
            ("height", short(rect.h)),
        ];
        self.add("rect", class, &attributes);
    }
}

fn list(points: &[At]) -> String {
    let points: Vec<_> = points
        .iter()
        .map(|(x, y)| format!("{},{}", short(*x), short(*y)))
        .collect();
    points.join(" ")
}

/// To a tenth, so that all machines round alike.
fn short(number: f32) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}
