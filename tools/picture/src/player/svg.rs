//! What the lanes are drawn with: bars, texts and arrows, as SVG.

use crate::{player::measures::*, text::escaped};

/// The names of the lanes, and beside them the lanes. What is drawn first is behind what follows.
#[derive(Default)]
pub(crate) struct Picture {
    names: String,
    pub(crate) shapes: String,
    lanes: Vec<String>,
    /// How far down it goes so far.
    pub(crate) y: f32,
}

/// Whether a text has room.
pub(crate) struct Fits {
    pub(crate) wide: bool,
    pub(crate) on_a_phone: bool,
}

impl Picture {
    pub(crate) fn to_html(&self, name: &str, title: &str) -> String {
        let (height, names, lanes) = (self.y + FOOT, &self.names, self.lanes.join(", "));
        let [id, desc] = ["title", "desc"].map(|part| format!("picture-{name}-{part}"));
        format!(
            "<div class=\"lanes\"><svg class=\"names\" aria-hidden=\"true\" height=\"{height}\">{names}</svg>\
             <svg class=\"time\" role=\"img\" aria-labelledby=\"{id} {desc}\" height=\"{height}\">\
             <title id=\"{id}\">{title}</title><desc id=\"{desc}\">Time goes to the right. Lanes, from above: {lanes}. The list \
             below has the steps.</desc>{}</svg></div>",
            self.shapes
        )
    }

    pub(crate) fn heading(&mut self, text: &str, is_bad: bool) {
        let y = self.y + HEADING_BASELINE;
        let bad = if is_bad { " bad" } else { "" };
        self.names += &format!("<text class=\"bold{bad}\" y=\"{y}\">{text}</text>");
        self.y += HEADING;
    }

    /// Ends a lane of this height. What follows a colon in its header explains it, and stands below its name.
    pub(crate) fn lane(&mut self, header: &str, height: f32) {
        let header = escaped(header.strip_prefix("the ").unwrap_or(header));
        let (name, means) = header.split_once(": ").unwrap_or((&header, ""));
        let y = self.y + height / 2.0 + if means.is_empty() { BASELINE } else { NAME };
        let below = y + MEANS;
        self.names += &format!(
            "<text y=\"{y:.0}\">{name}</text><text class=\"means\" y=\"{below:.0}\">{means}</text>"
        );
        self.lanes.push(name.to_owned());
        self.y += height;
    }

    pub(crate) fn bar(&mut self, class: &str, (from, to): (f32, f32), middle: f32, half: f32) {
        let (y, width, height) = (middle - half, to - from, 2.0 * half);
        self.shapes += &format!(
            "<rect class=\"{class}\" x=\"{from:.1}%\" y=\"{y:.0}\" width=\"{width:.1}%\" height=\"{height:.0}\"/>"
        );
    }

    pub(crate) fn text(&mut self, class: &str, x: f32, y: f32, text: &str) {
        self.shapes += &format!("<text class=\"{class}\" x=\"{x:.1}%\" y=\"{y:.0}\">{text}</text>");
    }

    /// On a phone, what comes before a comma is all.
    pub(crate) fn note(&mut self, class: &str, x: f32, y: f32, text: &str) {
        let Some((short, _)) = text.split_once(',') else {
            return self.text(class, x, y, text);
        };
        self.text(&format!("wide {class}"), x, y, text);
        self.text(&format!("narrow {class}"), x, y, short);
    }

    /// The first of these that has room at the beginning of a bar. On a phone, a letter takes three times as much of the width.
    pub(crate) fn label(&mut self, (from, to): (f32, f32), middle: f32, texts: &[&str]) -> Fits {
        let length = |text: &str| LETTER * text.chars().count() as f32 + AROUND_LABEL;
        let fits = |times: f32| texts.iter().find(|text| times * length(text) < to - from);
        let [wide, narrow] = [fits(1.0), fits(PHONE)];
        let class = if wide == narrow {
            "label"
        } else {
            "label wide"
        };
        let fits = Fits {
            wide: wide.is_some(),
            on_a_phone: narrow.is_some(),
        };
        let narrow = narrow.filter(|_| class != "label");
        for (text, class) in [(wide, class), (narrow, "label narrow")] {
            text.inspect(|text| {
                self.text(
                    class,
                    from + BEFORE_LABEL,
                    middle + BASELINE,
                    &escaped(text),
                )
            });
        }
        fits
    }

    pub(crate) fn dots(&mut self, y: f32) {
        self.shapes +=
            &format!("<line class=\"line dots\" x1=\"0\" x2=\"100%\" y1=\"{y}\" y2=\"{y}\"/>");
    }

    /// A line up or down, with a head.
    pub(crate) fn arrow(&mut self, class: &str, x: f32, from: f32, to: f32) {
        let side = if to > from { -1.0 } else { 1.0 };
        self.line("halo", x, from, to + side * HALO);
        self.line(class, x, from, to + side * HEAD_COVERS);
        self.shapes += &format!(
            "<svg x=\"{x:.1}%\" y=\"{to:.0}\"><path class=\"head {class}\" d=\"M0 0L-5 {0}L5 {0}z\"/></svg>",
            side * HEAD
        );
    }

    pub(crate) fn line(&mut self, class: &str, x: f32, from: f32, to: f32) {
        self.shapes += &format!(
            "<line class=\"line {class}\" x1=\"{x:.1}%\" x2=\"{x:.1}%\" y1=\"{from:.0}\" y2=\"{to:.0}\"/>"
        );
    }
}
