//! Which answers are more alike than the starter makes them.
//!
//! Compared is what the compiler sees: without comments and line breaks, and with one name in the place of all names that
//! a file declares itself. What is in the starter doesn't count, and neither does what is in the stages, because the book
//! shows it to everybody. Of the rest, only passages count that are the same over many words, because short ones are the
//! same in any two Rust files.

pub mod exercises;
pub mod table;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    ops::Range,
};

use kit::files;
use proc_macro2::{TokenStream, TokenTree};
use rayon::prelude::*;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use syn::visit::{self, Visit};

use crate::Error;

/// What counts as a passage.
#[derive(Clone, Copy, Debug)]
struct Passages {
    /// It has so many words at least.
    words: usize,
    /// So many answers may have it. What more of them have, the class was shown.
    answers: usize,
}

/// In a runtime.
const OF_RUNTIMES: Passages = Passages {
    words: 24,
    answers: usize::MAX,
};
/// In the place of a name that a file declares.
const NAME: &str = "a_name";
/// So many of the longest passages are named.
const NAMED: usize = 3;

/// What two answers have in common that the starter doesn't have.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Whose they are, as places in the list that was given.
    pub answers: [usize; 2],
    /// Which part of the shorter one is in common passages, in percent.
    pub percent: usize,
    /// So many words are.
    pub words: usize,
    /// So many words has the shorter one.
    pub of: usize,
    /// The longest of these passages: their first and their last line, in both.
    pub passages: Vec<[(usize, usize); 2]>,
}

/// All pairs of these runtimes, the most alike first. The starter, and the texts that all learners have, are not counted.
pub fn pairs(starter: &str, shown: &[String], answers: &[String]) -> Vec<Pair> {
    let mut pairs = compare(starter, shown, answers, OF_RUNTIMES);
    pairs.sort_by_key(|pair| Reverse((pair.percent, pair.words)));
    pairs
}

/// All pairs of these answers.
fn compare(starter: &str, shown: &[String], answers: &[String], limits: Passages) -> Vec<Pair> {
    let starter = words(starter, &BTreeSet::new());
    let names: BTreeSet<String> = starter.iter().map(|(word, _)| word.clone()).collect();
    let mut dictionary = Dictionary::default();
    let starter = dictionary.numbered(starter);
    let mut read = |text: &String| dictionary.numbered(words(text, &names));
    let answers: Vec<Vec<Word>> = answers.iter().map(&mut read).collect();
    let shown: Vec<Vec<usize>> = shown.iter().map(|text| numbers(&read(text))).collect();
    let of_answers: Vec<Vec<usize>> = answers.iter().map(|words| numbers(words)).collect();
    let known = known(&of_answers, &shown, limits);
    let own = answers
        .into_iter()
        .zip(&of_answers)
        .map(|(words, numbers)| {
            let unknown = unknown(&known, words, numbers, limits);
            without(&starter, unknown)
        });
    let own: Vec<Vec<Word>> = own.collect();
    let all: Vec<[usize; 2]> = (0..own.len())
        .flat_map(|b| (0..b).map(move |a| [a, b]))
        .collect();
    let compared = all
        .par_iter()
        .map(|&answers| compared(answers, answers.map(|answer| &*own[answer]), limits));
    compared.collect()
}

/// The passages of the answers that say nothing of who has copied: too many answers have them, or all learners were shown them.
fn known<'a>(
    answers: &'a [Vec<usize>],
    shown: &'a [Vec<usize>],
    limits: Passages,
) -> HashSet<&'a [usize]> {
    // In how many answers each passage is. What is shown has far more of them.
    let mut counts = HashMap::<&[usize], usize>::new();
    for answer in answers {
        for passage in answer.windows(limits.words).collect::<HashSet<_>>() {
            *counts.entry(passage).or_default() += 1;
        }
    }
    let mut known = HashSet::new();
    for (passage, count) in &counts {
        if *count > limits.answers {
            known.insert(*passage);
        }
    }
    let of_shown = shown.iter().flat_map(|text| text.windows(limits.words));
    known.extend(of_shown.filter(|passage| counts.contains_key(passage)));
    known
}

/// The code of all stages, which the book shows.
///
/// # Errors
///
/// If it can't be read.
pub fn stages() -> Result<Vec<String>, Error> {
    stages_called("step")
}

/// The code of the stages whose folders begin so.
fn stages_called(start: &str) -> Result<Vec<String>, Error> {
    let mut texts = Vec::new();
    for stage in fs::read_dir(files::root())?.flatten() {
        if stage.file_name().to_string_lossy().starts_with(start) {
            for file in files::below(&stage.path().join("src"))? {
                texts.push(files::read(&file)?);
            }
        }
    }
    Ok(texts)
}

/// A word, as a number that is the same in all answers, and its line.
type Word = (usize, usize);

/// The number of each word that has been seen.
#[derive(Default)]
struct Dictionary(BTreeMap<String, usize>);

impl Dictionary {
    fn numbered(&mut self, words: Vec<(String, usize)>) -> Vec<Word> {
        let numbered = words.into_iter().map(|(word, line)| {
            let next = self.0.len();
            (*self.0.entry(word).or_insert(next), line)
        });
        numbered.collect()
    }
}

/// What an answer has and the starter hasn't.
fn without(starter: &[Word], words: Vec<Word>) -> Vec<Word> {
    let [old, new] = [starter, &words].map(numbers);
    let mut own = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if !matches!(operation, DiffOp::Equal { .. }) {
            own.extend_from_slice(&words[operation.new_range()]);
        }
    }
    own
}

/// What is in none of these passages, of words with these numbers.
fn unknown(
    known: &HashSet<&[usize]>,
    words: Vec<Word>,
    numbers: &[usize],
    limits: Passages,
) -> Vec<Word> {
    let mut is_known = vec![false; words.len()];
    for (at, passage) in numbers.windows(limits.words).enumerate() {
        if known.contains(passage) {
            is_known[at..at + limits.words].fill(true);
        }
    }
    let own = words.into_iter().zip(is_known);
    own.filter(|(_, is_known)| !is_known)
        .map(|(word, _)| word)
        .collect()
}

fn numbers(words: &[Word]) -> Vec<usize> {
    words.iter().map(|(number, _)| *number).collect()
}

fn compared(answers: [usize; 2], own: [&[Word]; 2], limits: Passages) -> Pair {
    let [a, b] = own.map(numbers);
    let operations = capture_diff_slices(Algorithm::Myers, &a, &b);
    let mut common: Vec<_> = operations
        .iter()
        .filter(|change| matches!(change, DiffOp::Equal { len, .. } if *len >= limits.words))
        .map(|change| [change.old_range(), change.new_range()])
        .collect();
    let words: usize = common.iter().map(|[a, _]| a.len()).sum();
    let shorter = a.len().min(b.len()).max(1);
    common.sort_by_key(|[a, _]| Reverse(a.len()));
    common.truncate(NAMED);
    let lines =
        |of: usize, range: &Range<usize>| (own[of][range.start].1, own[of][range.end - 1].1);
    let passages = common.iter().map(|[a, b]| [lines(0, a), lines(1, b)]);
    Pair {
        answers,
        percent: 100 * words / shorter,
        words,
        of: shorter,
        passages: passages.collect(),
    }
}

/// The words of a text, each with its line. A name that it declares is replaced, unless it is one of the `given`. Of a text that doesn't
/// parse, the names stay, and one that has no words for the compiler is taken as it is between its spaces.
fn words(text: &str, given: &BTreeSet<String>) -> Vec<(String, usize)> {
    let mut words = Vec::new();
    let Ok(tokens) = text.parse::<TokenStream>() else {
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split_whitespace();
            words.extend(line.map(|word| (word.to_owned(), number)));
        }
        return words;
    };
    take(tokens, &mut words);
    let mut declared = Declared::default();
    if let Ok(file) = syn::parse_str::<syn::File>(text) {
        declared.visit_file(&file);
    }
    for (word, _) in &mut words {
        if !given.is_empty() && declared.0.contains(word) && !given.contains(word) {
            NAME.clone_into(word);
        }
    }
    words
}

fn take(tokens: TokenStream, words: &mut Vec<(String, usize)>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut rest = &tokens[..];
    while let [token, after @ ..] = rest {
        rest = after;
        let line = token.span().start().line;
        match (token, after) {
            // A comment for the documentation is an attribute to the compiler.
            (TokenTree::Punct(it), [next, ..]) if it.as_char() == '#' && is_doc(next) => {
                rest = &after[1..];
            }
            (TokenTree::Punct(it), [_, next, ..]) if it.as_char() == '#' && is_doc(next) => {
                rest = &after[2..];
            }
            (TokenTree::Group(group), _) => {
                words.push((format!("{:?}", group.delimiter()), line));
                take(group.stream(), words);
                words.push(("end".to_owned(), group.span_close().start().line));
            }
            // What a message says is as easily changed as a name.
            (TokenTree::Literal(it), _) if it.to_string().starts_with('"') => {
                words.push(("a text".to_owned(), line));
            }
            _ => words.push((token.to_string(), line)),
        }
    }
}

fn is_doc(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    first.is_some_and(|token| token.to_string() == "doc")
}

/// The names that a file declares.
#[derive(Default)]
struct Declared(BTreeSet<String>);

impl Declared {
    fn add(&mut self, name: &syn::Ident) {
        self.0.insert(name.to_string());
    }
}

impl<'a> Visit<'a> for Declared {
    fn visit_pat_ident(&mut self, it: &'a syn::PatIdent) {
        // `None` looks like a name that a pattern binds.
        if it.ident.to_string().starts_with(char::is_lowercase) {
            self.add(&it.ident);
        }
        visit::visit_pat_ident(self, it);
    }

    fn visit_field(&mut self, it: &'a syn::Field) {
        it.ident.iter().for_each(|name| self.add(name));
        visit::visit_field(self, it);
    }

    fn visit_signature(&mut self, it: &'a syn::Signature) {
        self.add(&it.ident);
        visit::visit_signature(self, it);
    }

    fn visit_variant(&mut self, it: &'a syn::Variant) {
        self.add(&it.ident);
        visit::visit_variant(self, it);
    }

    fn visit_item(&mut self, it: &'a syn::Item) {
        match it {
            syn::Item::Struct(it) => self.add(&it.ident),
            syn::Item::Enum(it) => self.add(&it.ident),
            syn::Item::Trait(it) => self.add(&it.ident),
            syn::Item::Type(it) => self.add(&it.ident),
            syn::Item::Const(it) => self.add(&it.ident),
            syn::Item::Static(it) => self.add(&it.ident),
            syn::Item::Mod(it) => self.add(&it.ident),
            _ => {}
        }
        visit::visit_item(self, it);
    }
}
