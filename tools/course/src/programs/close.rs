//! How far a figure on a page may be from the one that was printed.

use crate::literals::numbers;

/// What a page may show otherwise than it was printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Figure {
    /// A time, in units of so many milliseconds.
    Time(f64),
    /// A number that the stage's own test leaves open.
    Count,
}

/// A time may differ by so many milliseconds, or by the share below.
const MILLISECONDS: f64 = 150.0;
const SHARE: f64 = 0.25;

/// From here on a number tells of something that was done as often as the machine could.
const MANY: f64 = 1_000.0;

/// A small number may differ by so much.
const FEW: f64 = 5.0;

/// What is known of the work of which a line tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// The number in the heading above the line, if it is one of many.
    of: Option<f64>,
    /// Whether the heading or the line has a number of many.
    many: bool,
}

impl Part {
    /// The heading and the line, without their times.
    pub(super) fn new(heading: &str, line: &str) -> Part {
        let many = |text: &str| {
            let numbers = numbers(text).filter_map(|it| it.parse().ok());
            numbers.filter(|it| *it >= MANY).reduce(f64::max)
        };
        let of = many(heading);
        let many = of.is_some() || many(line).is_some();
        Part { of, many }
    }

    pub(super) fn close(self, figure: Figure, shown: f64, printed: f64) -> bool {
        let (least, most) = (shown.min(printed), shown.max(printed));
        let within = |factor: f64| most < factor * least;
        match figure {
            Figure::Time(unit) => {
                (most - least) * unit <= MILLISECONDS.max(SHARE * most * unit)
                    || (self.many && within(10.0))
            }
            Figure::Count => {
                most - least <= FEW
                    || self.of.is_some_and(|of| most <= of)
                    || within(if most >= MANY { 10.0 } else { 5.0 })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Figure = Figure::Time(1.0);
    const S: Figure = Figure::Time(1_000.0);

    #[test]
    fn a_time_may_differ_by_a_quarter_or_150_ms() {
        let part = Part::new("Two timers", "polls: 2, time: ms");
        for (figure, shown, printed, close) in [
            (MS, 600.0, 740.0, true),
            (MS, 400.0, 600.0, false),
            (MS, 0.0, 140.0, true),
            (S, 2.0, 2.4, true),
            (S, 3.0, 2.0, false),
        ] {
            assert_eq!(
                part.close(figure, shown, printed),
                close,
                "{shown} {printed}"
            );
        }
    }

    #[test]
    fn where_many_were_at_work_a_time_may_differ_by_a_factor_of_10() {
        for part in [
            Part::new("1000 timers of ms", "polls: 3"),
            Part::new("Looks", "polls: 1480998, time: ms"),
        ] {
            assert!(part.close(MS, 112.0, 900.0));
            assert!(!part.close(MS, 112.0, 1_200.0));
        }
    }

    #[test]
    fn a_number_may_differ_by_its_size() {
        let part = Part::new("Six delays", "threads: 21");
        for (shown, printed, close) in [
            (7.0, 2.0, true),
            (99.0, 21.0, true),
            (210.0, 21.0, false),
            (1_480_998.0, 200_000.0, true),
            (1_480_998.0, 100_000.0, false),
        ] {
            assert_eq!(
                part.close(Figure::Count, shown, printed),
                close,
                "{shown} {printed}"
            );
        }
        // As often as the scheduler wants, and not more often than there are timers.
        let part = Part::new("1000 timers", "polls: 3");
        assert!(part.close(Figure::Count, 7.0, 582.0));
        assert!(!part.close(Figure::Count, 7.0, 1_582.0));
    }
}
