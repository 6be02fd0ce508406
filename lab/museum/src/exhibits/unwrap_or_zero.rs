//! A line of input, and the number in it: `parse().unwrap_or(0)`, `+ 10`, and an `unwrap` of the read.
//!
//! Input can be anything. Here three kinds of it give the same sum, so the reader of the output cannot tell which it was,
//! and two other kinds end the program.

use std::{
    io::BufRead,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "unwrap-or-zero",
    title: "the end of input, abc, and 0 give the same sum, and two other lines panic",
    was_in: "document 002, `StdinFuture::poll` (D25)",
    breaks: Breaks::Rule("bad input gets one clear line that names it, and no sum"),
    chapter: 9,
    fails: Fails::Prints("end of input: 10; abc: 10; 0: 10; 2147483647: panicked; 0xff: panicked"),
    why: "read_line returns Ok(0) at the end of input, and the empty text becomes a 0, like each text that is no \
          number. 2147483647 is the largest i32, so adding 10 overflows, which only a debug build notices. A byte \
          that is not UTF-8 is an error of read_line. The twin has an answer to each of these cases.",
    passes: "end of input: the end; abc: no number; 0: 10; 2147483647: too large; 0xff: no text",
    broken: || show(answer_broken),
    repaired: || show(answer_repaired),
};

// ANCHOR: broken
fn answer_broken(mut input: &[u8]) -> String {
    let mut line = String::new();
    input.read_line(&mut line).unwrap();
    let number: i32 = line.trim().parse().unwrap_or(0);
    format!("{}", number + 10)
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn answer_repaired(mut input: &[u8]) -> String {
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(0) => return "the end".to_owned(),
        Ok(_) => {}
        Err(_) => return "no text".to_owned(),
    }
    let Ok(number) = line.trim().parse::<i32>() else {
        return "no number".to_owned();
    };
    match number.checked_add(10) {
        Some(sum) => sum.to_string(),
        None => "too large".to_owned(),
    }
}
// ANCHOR_END: repaired

fn show(answer: fn(&[u8]) -> String) {
    let inputs: [(&str, &[u8]); 5] = [
        ("end of input", b""),
        ("abc", b"abc\n"),
        ("0", b"0\n"),
        ("2147483647", b"2147483647\n"),
        ("0xff", b"\xff\n"),
    ];
    let answers = inputs.map(|(name, input)| {
        let answer = catch_unwind(AssertUnwindSafe(|| answer(input)));
        format!("{name}: {}", answer.unwrap_or("panicked".to_owned()))
    });
    println!("{}", answers.join("; "));
}
