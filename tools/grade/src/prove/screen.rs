//! Finding a promised text on a screen, which may have broken its lines elsewhere.

/// The lines of the screen that contain the text, if it is there. Any white space is equal to any other.
pub(crate) fn lines_with(screen: &str, text: &str) -> Option<String> {
    let mut words = String::new();
    let mut line_at = Vec::new();
    for (n, line) in screen.lines().enumerate() {
        for word in line.split_whitespace() {
            words += word;
            words += " ";
            line_at.resize(words.len(), n);
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = words.find(&text)?;
    let (first, last) = (line_at.get(at)?, line_at.get(at + text.len().max(1) - 1)?);
    let lines: Vec<_> = screen.lines().skip(*first).take(last - first + 1).collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let indent = lines.iter().map(indent).min().unwrap_or(0);
    let lines: Vec<_> = lines.iter().map(|line| line[indent..].trim_end()).collect();
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_across_lines_and_the_whole_lines_are_shown() {
        let screen = "first\n  seen     polled once\n           kept 1 waker, 1\n  means    x\n";
        assert_eq!(
            lines_with(screen, "polled once kept 1 waker").unwrap(),
            "seen     polled once\n         kept 1 waker, 1"
        );
        assert_eq!(lines_with(screen, "irst").unwrap(), "first");
        assert_eq!(lines_with(screen, "second"), None);
    }
}
