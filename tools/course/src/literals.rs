//! Numbers, as code, output and prose write them.

use std::sync::LazyLock;

use regex::Regex;

/// An identifier with its digits and tuple fields, or else a number.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\p{L}_]\w*(?:\.\d+)*|\d[\d_]*(?:,\d{3})*(?:\.\d+)?").expect("it is a regex")
});

static COMMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)(?:^|\s)//.*$").expect("it is a regex"));

/// The number words whose value is checked.
pub(crate) const WORDS: &str =
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice";

/// The numbers of a text, `1,000` and `1_000` as `1000`. What is part of a name is none.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = String> {
    let tokens = TOKEN.find_iter(text).map(|it| it.as_str());
    tokens
        .filter(|it| it.starts_with(|c: char| c.is_ascii_digit()))
        .map(bare)
}

/// Whether this number stands there.
pub(crate) fn has(text: &str, number: &str) -> bool {
    let number = bare(number);
    numbers(text).any(|it| it == number)
}

/// Rust without its comments: what they say proves nothing.
pub(crate) fn without_comments(code: &str) -> String {
    COMMENT.replace_all(code, "").into_owned()
}

/// The value of a number word.
pub(crate) fn value(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    match word.as_str() {
        "once" => Some(1),
        "twice" => Some(2),
        _ => WORDS.split('|').position(|it| it == word).map(|it| it + 1),
    }
}

/// A number without the marks between its digits.
fn bare(number: &str) -> String {
    number.replace([',', '_'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_a_name_is_none() {
        let found: Vec<String> =
            numbers("from_utf8_lossy(7u8, 1_000_usize, x.3, 10,000, 2.50)").collect();
        assert_eq!(found, ["7", "1000", "10000", "2.50"]);
    }

    #[test]
    fn a_comment_proves_nothing() {
        assert!(!has(&without_comments("f(3); // 4 polls\n// 5\ng();"), "4"));
        assert!(has(&without_comments("f(\"https://4\");"), "4"));
    }

    #[test]
    fn words_have_values() {
        let values = ["One", "twelve", "twice", "many"].map(value);
        assert_eq!(values, [Some(1), Some(12), Some(2), None]);
    }
}
