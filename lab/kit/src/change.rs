//! A change of a text, as pairs: what is there, and what is to be there instead. A mistake that a test must catch is
//! written so, because that shows the mistake alone, and a copy of the whole file would not.

/// Makes each change in turn: wherever the first text of a pair occurs, the second one takes its place.
///
/// ```
/// let change = [("wake();", "drop(waker);"), ("let x", "let y")];
/// assert_eq!(kit::change::apply("let x = 1; wake();", &change).unwrap(), "let y = 1; drop(waker);");
/// assert!(kit::change::apply("let z = 1;", &change).is_err());
/// ```
///
/// # Errors
///
/// The first text of a pair, if it does not occur: the text has been edited, so the change must be edited too.
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
