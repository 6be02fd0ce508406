//! A change of a text, written as what stands there and what is to stand there instead.

/// Makes each change in turn: all that is equal to the first text of a pair becomes the second.
///
/// ```
/// let change = [("wake();", "drop(waker);"), ("let x", "let y")];
/// assert_eq!(kit::change::apply("let x = 1; wake();", &change).unwrap(), "let y = 1; drop(waker);");
/// assert!(kit::change::apply("let z = 1;", &change).is_err());
/// ```
///
/// # Errors
///
/// The first text of a pair, if it does not stand there: the text has been edited, and the change must be too.
pub fn apply<Text: AsRef<str>>(text: &str, changes: &[(Text, Text)]) -> Result<String, String> {
    let mut changed = text.to_owned();
    for (from, to) in changes {
        let (from, to) = (from.as_ref(), to.as_ref());
        if !changed.contains(from) {
            return Err(from.to_owned());
        }
        changed = changed.replace(from, to);
    }
    Ok(changed)
}
