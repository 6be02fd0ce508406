//! Text in a picture: how wide it is at most, and where its lines break.
//!
//! A picture does not know the reader's font. So every width here is that of a wide one, and text that fits by this
//! measure fits on the page.

/// The size of ordinary text, in the units of the picture, of which its width has 400.
pub(crate) const SIZE: f32 = 13.0;
/// From one line of text to the next.
pub(crate) const LINE: f32 = 17.0;

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

/// The text without the marks.
pub(crate) fn plain(text: &str) -> String {
    pieces(text).into_iter().map(|piece| piece.text).collect()
}

/// The width of a line.
pub(crate) fn width(line: &[Piece]) -> f32 {
    line.iter().map(Piece::width).sum()
}

/// Breaks `text` into lines of this width at most. `\n` breaks a line too. A word that is wider stands alone.
pub(crate) fn wrap(text: &str, limit: f32) -> Vec<Vec<Piece>> {
    text.split('\n')
        .flat_map(|part| wrap_one(&pieces(part), limit))
        .collect()
}

fn wrap_one(pieces: &[Piece], limit: f32) -> Vec<Vec<Piece>> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for word in words(pieces) {
        let mut longer = line.clone();
        word.iter().for_each(|piece| push(&mut longer, piece));
        if width(&longer) > limit && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            word.iter().for_each(|piece| {
                let mut piece = piece.clone();
                if line.is_empty() {
                    piece.text = piece.text.trim_start().to_owned();
                }
                if !piece.text.is_empty() {
                    push(&mut line, &piece);
                }
            });
        } else {
            line = longer;
        }
    }
    lines.push(line);
    lines
}

/// What may not be broken, each with the space before it. Code is not broken.
fn words(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut words: Vec<Vec<Piece>> = vec![Vec::new()];
    for piece in pieces {
        let mut start = 0;
        if piece.style == Style::Code {
            push_text(&mut words, piece.style, &piece.text);
            continue;
        }
        for (at, _) in piece.text.match_indices(' ').filter(|(at, _)| *at > 0) {
            push_text(&mut words, piece.style, &piece.text[start..at]);
            words.push(Vec::new());
            start = at;
        }
        if piece.text.starts_with(' ') {
            words.push(Vec::new());
        }
        push_text(&mut words, piece.style, &piece.text[start..]);
    }
    words.retain(|word| !word.is_empty());
    words
}

fn push_text(words: &mut [Vec<Piece>], style: Style, text: &str) {
    if let (Some(word), false) = (words.last_mut(), text.is_empty()) {
        word.push(Piece {
            style,
            text: text.to_owned(),
        });
    }
}

fn push(line: &mut Vec<Piece>, piece: &Piece) {
    match line.last_mut() {
        Some(last) if last.style == piece.style => last.text.push_str(&piece.text),
        _ => line.push(piece.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, limit: f32) -> Vec<String> {
        let join = |line: Vec<Piece>| line.into_iter().map(|piece| piece.text).collect();
        wrap(text, limit).into_iter().map(join).collect()
    }

    #[test]
    fn lines_break_between_words_and_not_inside_of_marked_ones() {
        let text = "the *task*, its `Waker`s\nand more";
        assert_eq!(lines(text, 1e3), ["the task, its Wakers", "and more"]);
        assert_eq!(
            lines(text, 66.0),
            ["the task,", "its", "Wakers", "and more"]
        );
    }

    #[test]
    fn styles_come_from_marks() {
        let styles: Vec<_> = pieces("a *b* `c*d`").iter().map(|p| p.style).collect();
        assert_eq!(
            styles,
            [Style::Plain, Style::Bold, Style::Plain, Style::Code]
        );
        assert_eq!(plain("a *b* `c*d`"), "a b c*d");
    }
}
