//! The order of the diagnoses.

use super::*;

#[test]
fn each_kind_has_one_place_in_the_order() {
    for kind in Kind::ALL {
        let places = ORDER.iter().filter(|kinds| kinds.contains(kind)).count();
        assert_eq!(places, 1, "{kind:?}");
    }
    assert_eq!(ORDER.concat().len(), Kind::ALL.len());
}

#[test]
fn what_stands_still_comes_before_what_moves() {
    let stands = |kind: &&Kind| !kind.moves() && !kind.is_only_named();
    let last = Kind::ALL.iter().filter(stands).map(|kind| kind.rank());
    let is_of_a_task = |rank: &usize| *rank < GivenUp.rank();
    assert!(last.filter(is_of_a_task).max() < Some(BusyExecutor.rank()));
}
