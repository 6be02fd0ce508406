#[cfg(test)]
mod tests {
    use super::*;
    use contract::{Subject, suite};

    // Some clauses ask how many allocations are left.
    contract::count_allocations!();

    #[test]
    fn it_keeps_the_rest_too() {
        let mine = Subject::runtime("mine", &Mine);
        let clauses = [
            "woken_in_poll_by_another",
            "by_value_and_by_reference",
            "four_at_once",
            "woken_under_a_lock",
            "only_who_is_woken",
            "output_is_kept",
            "dropped_unrun",
            "dropped_when_panicked",
            "waker_outlives",
            "wake_after_the_end",
            "waits_in_poll",
            "two_at_once",
            "spawned_and_waited_for",
            "spawned_under_load",
            "woken_under_load",
        ];
        let kept = suite::check("tests::it_keeps_the_rest_too", mine, &clauses);
        kept.unwrap_or_else(|broken| panic!("{broken}"));
    }
}
