//! Bold is for a term where it first stands, and each is in the glossary.

use std::collections::BTreeMap;

use crate::{
    Book, Complaint, Page,
    page::{Kind, Piece},
};

use super::on;

const GLOSSARY: &str = "glossary.md";

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let glossary = book.page(GLOSSARY);
    let entries: Vec<(String, usize)> = glossary
        .into_iter()
        .flat_map(|page| &page.blocks)
        .filter(|block| block.kind == Kind::Term)
        .map(|block| (block.text(), block.line()))
        .collect();
    let mut found = Vec::new();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for page in &book.pages {
        for (line, term) in bold(page) {
            let Some((entry, _)) = entries.iter().find(|(entry, _)| same(entry, &term)) else {
                let says = format!("**{term}** is not in {GLOSSARY}: add it, or use *italics*");
                found.push(on(page, line, says));
                continue;
            };
            let here = format!("{}:{line}", page.path());
            if let Some(first) = seen.get(entry) {
                let says = format!(
                    "**{term}** was bold before, in {first}: bold is for the first time only"
                );
                found.push(on(page, line, says));
            } else {
                seen.insert(entry.clone(), here);
            }
        }
    }
    for (entry, line) in entries
        .iter()
        .filter(|(entry, _)| !seen.contains_key(entry))
    {
        let says = format!(
            "`{entry}` is bold on no page: make it so where it first stands, or take the entry out"
        );
        found.extend(glossary.map(|page| on(page, *line, says)));
    }
    for pair in entries.windows(2) {
        let [(before, _), (entry, line)] = pair else {
            continue;
        };
        if entry.to_lowercase() < before.to_lowercase() {
            let says = format!(
                "`{entry}` stands after `{before}`: keep the entries in alphabetical order"
            );
            found.extend(glossary.map(|page| on(page, *line, says)));
        }
    }
    found
}

/// The bold runs of a page. A `no` in a cell is the matrix's way to say it.
fn bold(page: &Page) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    for block in &page.blocks {
        for Piece {
            line, text, bold, ..
        } in &block.pieces
        {
            match (bold, found.last_mut()) {
                (Some(run), Some((last, _, term))) if run == last => term.push_str(text),
                (Some(_), _) if block.kind == Kind::Cell && text == "no" => {}
                (Some(run), _) => found.push((*run, *line, text.clone())),
                (None, _) => {}
            }
        }
    }
    found
        .into_iter()
        .map(|(_, line, term)| (line, term))
        .collect()
}

fn same(entry: &str, term: &str) -> bool {
    let bare = |it: &str| {
        let it = it.to_lowercase();
        it.strip_suffix('s').map(str::to_owned).unwrap_or(it)
    };
    bare(entry) == bare(term)
}
