//! What is drawn and not recorded.

mod join;
mod life;
mod machine;
mod map;
mod owners;
mod parker;
mod pin;
mod queued;
mod reactor;
mod vtable;

use crate::figure::Figure;

/// All diagrams, in the order of the book.
pub fn all() -> Vec<Figure> {
    vec![
        map::figure(),
        life::figure(),
        join::figure(),
        machine::figure(),
        pin::figure(),
        queued::figure(),
        owners::figure(),
        parker::figure(),
        vtable::figure(),
        reactor::figure(),
    ]
}
