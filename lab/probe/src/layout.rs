//! How a message is set: a headline, then titled paragraphs, then an empty line.

pub(crate) fn section(headline: &str, paragraphs: &[(&str, String)]) -> String {
    let mut text = format!("{headline}\n");
    for (title, words) in paragraphs {
        let first = format!("  {title:<9}");
        let rest = " ".repeat(first.len());
        let options = textwrap::Options::new(100)
            .initial_indent(&first)
            .subsequent_indent(&rest);
        text += &textwrap::fill(words, options.break_words(false));
        text += "\n";
    }
    text + "\n"
}

pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

pub(crate) fn times(number: usize) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}
