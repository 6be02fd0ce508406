//! How a message is set: a headline, then titled paragraphs, then an empty line.

const WIDTH: usize = 100;

pub(crate) fn section(headline: &str, paragraphs: &[(&str, String)]) -> String {
    let mut text = format!("{headline}\n");
    for (title, words) in paragraphs {
        let mut line = format!("  {title:<9}");
        let indent = " ".repeat(line.len());
        for sentence in words.lines() {
            for word in sentence.split(' ') {
                if line.len() + word.len() > WIDTH {
                    text = text + line.trim_end() + "\n";
                    line.clone_from(&indent);
                }
                line = line + word + " ";
            }
            text = text + line.trim_end() + "\n";
            line.clone_from(&indent);
        }
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
