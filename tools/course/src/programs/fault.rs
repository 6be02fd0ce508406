//! Where a transcript is not what was printed.

use super::expected::Printed;

/// A line of a transcript that is not printed where it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Its place in the transcript.
    pub(super) place: usize,
    /// What the page shows.
    pub(super) shown: String,
    /// What was printed instead, if that has only other figures.
    pub(super) printed: Option<String>,
}

impl Fault {
    pub(super) fn says(&self, command: &str) -> String {
        let shown = &self.shown;
        let instead = self.printed.as_ref().map(|it| format!(", but `{it}`"));
        let instead = instead.unwrap_or_default();
        format!(
            "`{command}` does not print `{shown}` here{instead}: run it, and copy what it prints now"
        )
    }
}

/// The first line of a transcript that is not printed where it is shown.
pub(super) fn fault(shown: &[String], printed: &[&Printed]) -> Option<Fault> {
    let (mut from, mut place) = (0, 0);
    for run in shown.split(|line| line == "...") {
        let common = |start: usize| {
            let pairs = run.iter().zip(&printed[start..]);
            pairs.take_while(|(a, b)| b.may_be(a)).count()
        };
        let found = (from..=printed.len()).find(|start| common(*start) == run.len());
        let Some(start) = found else {
            let starts = (from..=printed.len()).map(|start| (common(start), start));
            let (best, _) = starts.clone().max_by_key(|(count, _)| *count)?;
            let line = &run[best];
            let places = starts.filter(|(count, _)| *count == best);
            let mut instead = places.filter_map(|(_, start)| printed.get(start + best));
            let printed = instead.find(|it| it.resembles(line));
            return Some(Fault {
                place: place + best,
                shown: line.clone(),
                printed: printed.map(|it| it.text.clone()),
            });
        };
        from = start + run.len();
        place += run.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{super::expected::aligned, *};

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    /// What is wrong with this transcript of that output, of which a test says this: the place, and what was printed.
    fn seen(shown: &str, printed: &str, expected: &str) -> Option<(usize, Option<String>)> {
        let printed = aligned(&lines(printed), &[expected.to_owned()]);
        let fault = fault(&lines(shown), &printed.iter().collect::<Vec<_>>())?;
        Some((fault.place, fault.printed))
    }

    const PRINTED: &str = "1. It looks\n   looks: 30, time: 302 ms\nhowdy!\n   looks: 40\ndone!";

    #[test]
    fn a_run_of_lines_is_found_with_times_that_are_near() {
        assert_eq!(
            seen("   looks: 30, time: 400 ms\nhowdy!", PRINTED, ""),
            None
        );
        let far = seen("   looks: 30, time: 5 ms\nhowdy!", PRINTED, "");
        let printed = Some("   looks: 30, time: 302 ms".to_owned());
        assert_eq!(far, Some((0, printed)));
    }

    #[test]
    fn a_clock_is_a_time() {
        assert_eq!(seen("at time: 2.40.", "at time: 2.00.", ""), None);
        let found = seen("at time: 3.00.", "at time: 2.00.", "at time: [..].");
        assert_eq!(found, Some((0, Some("at time: 2.00.".to_owned()))));
    }

    #[test]
    fn what_the_test_has_word_by_word_is_no_measurement() {
        let expected = "1. Every 50 ms\ntime: [..] ms";
        let printed = "1. Every 50 ms\ntime: 90 ms";
        assert_eq!(seen("1. Every 50 ms\ntime: 99 ms", printed, expected), None);
        let found = seen("1. Every 60 ms\ntime: 99 ms", printed, expected);
        assert_eq!(found, Some((0, Some("1. Every 50 ms".to_owned()))));
    }

    #[test]
    fn padding_does_not_matter_before_a_time() {
        assert_eq!(seen("     99 ms  a ready", "    101 ms  a ready", ""), None);
        let expected = "[..] ms  a ready";
        assert_eq!(
            seen("     99 ms  a ready", "    101 ms  a ready", expected),
            None
        );
    }

    #[test]
    fn lines_are_left_out_where_it_says_so() {
        assert_eq!(seen("1. It looks\n...\ndone!", PRINTED, ""), None);
        assert_eq!(seen("1. It looks\ndone!", PRINTED, ""), Some((1, None)));
    }

    #[test]
    fn a_number_may_differ_only_where_the_test_says_so() {
        let other = "...\nhowdy!\n   looks: 41";
        let expected = "...\nhowdy!\n   looks: [..]\ndone!";
        let fault = Some((2, Some("   looks: 40".to_owned())));
        assert_eq!(seen(other, PRINTED, ""), fault);
        assert_eq!(seen(other, PRINTED, expected), None);
        let far = "...\nhowdy!\n   looks: 400";
        assert_eq!(seen(far, PRINTED, expected), fault);
        // The same pattern, and not the same place.
        let earlier = "1. It looks\n   looks: [..]";
        let printed = "1. It looks\n   looks: 30\nhowdy!\n   looks: 40";
        assert_eq!(seen(other, printed, earlier), fault);
    }

    #[test]
    fn order_counts() {
        assert_eq!(seen("done!\n...\nhowdy!", PRINTED, ""), Some((2, None)));
    }
}
