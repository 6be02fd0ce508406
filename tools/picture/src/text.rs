//! Text in a picture: its styles, and how wide it is at most.
//!
//! A picture does not know the reader's font. So every width here is that of a wide one, and text that fits by this
//! measure fits on the page.

/// The size of ordinary text, in the units of the picture, of which its width has 400.
pub(crate) const SIZE: f32 = 13.0;

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As the page.
    Plain,
    /// Between stars: `*so*`.
    Bold,
    /// Between backticks.
    Code,
}

/// A piece of a line, all in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// How it looks.
    pub(crate) style: Style,
    /// What it says.
    pub(crate) text: String,
}

impl Piece {
    /// Its width at [`SIZE`], or a little less than that.
    pub(crate) fn width(&self) -> f32 {
        let ems: f32 = match self.style {
            Style::Plain => self.text.chars().map(ems).sum(),
            Style::Bold => self.text.chars().map(ems).sum::<f32>() * 1.08,
            Style::Code => self.text.chars().map(|_| 0.61).sum(),
        };
        ems * SIZE
    }
}

fn ems(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.29,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '-' => 0.41,
        'm' | 'w' | 'M' | 'W' | '→' | '×' | '—' | '…' => 0.95,
        'A'..='Z' => 0.70,
        _ => 0.585,
    }
}

/// Reads the marks for bold and code.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut style, mut rest) = (Style::Plain, String::new());
    for letter in text.chars() {
        let mark = match letter {
            '`' => Style::Code,
            '*' if style != Style::Code => Style::Bold,
            _ => {
                rest.push(letter);
                continue;
            }
        };
        if !rest.is_empty() {
            let text = std::mem::take(&mut rest);
            pieces.push(Piece { style, text });
        }
        style = if style == mark { Style::Plain } else { mark };
    }
    if !rest.is_empty() {
        pieces.push(Piece { style, text: rest });
    }
    pieces
}

/// The width of a line.
pub(crate) fn width(line: &[Piece]) -> f32 {
    line.iter().map(Piece::width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_come_from_marks() {
        let styles: Vec<_> = pieces("a *b* `c*d`").iter().map(|p| p.style).collect();
        assert_eq!(
            styles,
            [Style::Plain, Style::Bold, Style::Plain, Style::Code]
        );
    }
}
