//! What is drawn and not recorded.

mod life;
mod machine;
mod pin;
mod queued;

use crate::figure::Figure;

/// All diagrams.
pub fn all() -> Vec<Figure> {
    vec![
        life::figure(),
        machine::figure(),
        pin::figure(),
        queued::figure(),
    ]
}
