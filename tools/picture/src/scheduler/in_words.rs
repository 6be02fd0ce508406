//! What happens in an order, in words: what a reader without the script gets of a game.

use super::{
    game::{Figure, Game},
    orders::Move,
};
use crate::text::html;

impl Game {
    /// What the words of a figure mean, if the file explains them. A figure without the mistake comes after the one with it, so there they are folded.
    pub(super) fn glossary(&self, figure: &Figure) -> String {
        let lines = [&self.words, &figure.words].map(|words| words.trim());
        if lines.iter().all(|words| words.is_empty()) {
            return String::new();
        }
        let open = if figure.fixed.is_some() { "" } else { " open" };
        let lines = html(lines.join("\n").trim()).replace('\n', "<br>");
        format!(
            "<details class=\"words\"{open}><summary>What the words mean</summary>{lines}</details>"
        )
    }

    /// The orders that lose the wake.
    pub(super) fn in_words(&self, figure: &Figure) -> String {
        let all = self.orders(figure);
        let (mut count, mut fatal, mut words) = (0, 0, String::new());
        all.each(0, &mut Vec::new(), &mut |way, is_done| {
            count += 1;
            if is_done {
                return;
            }
            fatal += 1;
            let lost = way.iter().position(|next| all.is_lost(next.to));
            let lost = lost.expect("its end is lost") + 1;
            words += "<ol>";
            for (number, next) in (1..).zip(way) {
                let class = if number == lost {
                    " class=\"fatal\""
                } else {
                    ""
                };
                words += &format!("<li{class}>{}</li>", self.said(next));
            }
            words += &format!("</ol>\n<p>{}</p>\n", self.lost_in(&lost.to_string()));
        });
        let which = match fatal {
            0 if count == 2 => {
                return "<p>The program that made this page tried both orders of steps, and neither of them loses the wake.</p>".to_owned();
            }
            0 => {
                return format!(
                    "<p>The program that made this page tried all {count} orders of steps, and none of them loses the wake.</p>"
                );
            }
            1 => format!("The one order of {count} that loses the wake"),
            fatal => format!("The {fatal} orders of {count} that lose the wake"),
        };
        format!("<details><summary>{which}, in words</summary>\n{words}</details>")
    }

    pub(super) fn said(&self, next: &Move<'_>) -> String {
        format!("{} {}", self.threads[next.thread], html(&next.step.does))
    }

    /// What there is to say after the step that loses the wake.
    pub(super) fn lost_in(&self, step: &str) -> String {
        let why = html(&self.lost).replace('#', step);
        format!("From step {step} on, nothing can save the wake: {why}")
    }
}
