//! Which clauses there were when a promise was made.

/// A set of clauses. A new clause always comes with a new edition, so a promise that names one asks for the same clauses with every
/// later version of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each adds clauses to the one before")]
pub enum Edition {
    E1,
    E2,
    E3,
    E4,
    E5,
    E6,
}

impl Edition {
    /// All clauses of this version of the crate.
    pub const LATEST: Edition = Edition::E6;
}
