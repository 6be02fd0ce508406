//! The first line of an exercise, which says what the catalogue need not repeat.

/// What the first line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// What is asked of the learner: complete, repair, predict, prove or contract.
    pub kind: String,
    /// How long it takes.
    pub minutes: u32,
    /// The number of its chapter, and of its stage.
    pub stage: u8,
}

/// Reads the first line of the exercise with this name.
///
/// ```
/// let head = kit::exercise::head("s01a_countdown", "//! s01a · complete · 10 minutes · chapter 01, \"A future\"");
/// assert_eq!(head.unwrap().minutes, 10);
/// ```
pub fn head(name: &str, text: &str) -> Option<Head> {
    let rest = text.strip_prefix("//! ")?.strip_prefix(name.get(..4)?)?;
    let mut parts = rest.split(" · ").skip(1);
    Some(Head {
        kind: parts.next()?.to_owned(),
        minutes: parts.next()?.strip_suffix(" minutes")?.parse().ok()?,
        stage: parts
            .next()?
            .strip_prefix("chapter ")?
            .get(..2)?
            .parse()
            .ok()?,
    })
}
