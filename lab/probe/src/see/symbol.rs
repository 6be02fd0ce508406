//! The name of a function on a stack, as the path that it is.

use std::fmt;

/// The parts of a path, such as `tokio`, `sync` and `Mutex`, without what they are generic over.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ItemPath(pub(crate) Vec<String>);

impl ItemPath {
    /// Whether it is this item or one inside of it.
    pub(crate) fn is_in(&self, outer: &str) -> bool {
        let outer: Vec<_> = outer.split("::").collect();
        let inner = self.0.get(..outer.len());
        inner.is_some_and(|inner| inner.iter().eq(&outer))
    }

    /// Whether these parts follow each other somewhere in it. One that ends with `*` is the beginning of a part.
    pub(crate) fn has(&self, parts: &str) -> bool {
        let wanted: Vec<_> = parts.split("::").collect();
        let is = |part: &String, wanted: &&str| match wanted.strip_suffix('*') {
            Some(beginning) => part.starts_with(beginning),
            None => part == wanted,
        };
        let mut windows = self.0.windows(wanted.len());
        windows.any(|parts| {
            parts
                .iter()
                .zip(&wanted)
                .all(|(part, wanted)| is(part, wanted))
        })
    }

    pub(crate) fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }
}

impl From<&str> for ItemPath {
    /// Of the name of a type or a function.
    fn from(name: &str) -> ItemPath {
        let mut plain = name.trim_start_matches(['&', '*']);
        for word in ["mut ", "const ", "dyn "] {
            plain = plain.strip_prefix(word).unwrap_or(plain);
        }
        let is_path = !plain.starts_with(['(', '[']);
        if !is_path {
            return ItemPath(vec![plain.to_owned()]);
        }
        let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0_usize);
        let mut before = ' ';
        for character in plain.chars() {
            match character {
                '<' => depth += 1,
                // That of an arrow closes nothing.
                '>' if before != '-' => depth = depth.saturating_sub(1),
                ':' if depth == 0 && before == ':' => parts.push(std::mem::take(&mut part)),
                ':' => {}
                _ if depth == 0 => part.push(character),
                _ => {}
            }
            before = character;
        }
        parts.push(part);
        parts.retain(|part| !part.is_empty());
        ItemPath(parts)
    }
}

impl fmt::Display for ItemPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("::"))
    }
}

/// The name of a function, as the linker has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// Of a trait's function, the type that it is implemented for. Of all others, the function itself.
    pub(crate) path: ItemPath,
    /// The trait's function, and what is in there, such as `poll` and `{{closure}}`.
    pub(crate) method: ItemPath,
}

impl From<&str> for Symbol {
    fn from(name: &str) -> Symbol {
        let Some((inside, rest)) = qualified(name) else {
            return Symbol {
                path: ItemPath::from(name),
                method: ItemPath::default(),
            };
        };
        let (of, is_traits) = match top_level_as(inside) {
            Some(at) => (&inside[..at], true),
            None => (inside, false),
        };
        let Symbol { mut path, method } = Symbol::from(of);
        path.0.extend(method.0);
        let rest = ItemPath::from(rest);
        if is_traits {
            return Symbol { path, method: rest };
        }
        path.0.extend(rest.0);
        Symbol {
            path,
            method: ItemPath::default(),
        }
    }
}

impl Symbol {
    /// Its last part, which may be a closure.
    pub(crate) fn last(&self) -> Option<&str> {
        self.method.last().or_else(|| self.path.last())
    }

    /// The type and the method of it.
    pub(crate) fn whole(&self) -> ItemPath {
        ItemPath([&self.path.0[..], &self.method.0].concat())
    }

    /// Whether it is an async function or block, or a closure.
    pub(crate) fn is_closure(&self) -> bool {
        let mut parts = self.path.0.iter().chain(&self.method.0);
        parts.any(|part| part.starts_with('{'))
    }
}

/// Of `<TYPE as TRAIT>::REST` or `<TYPE>::REST`, what is between the angle brackets and the rest.
fn qualified(name: &str) -> Option<(&str, &str)> {
    let inside = name.strip_prefix('<')?;
    let end = depths(inside).find(|(.., depth)| *depth < 0)?.0;
    Some((&inside[..end], &inside[end + 1..]))
}

/// Where ` as ` is, outside of all brackets.
fn top_level_as(text: &str) -> Option<usize> {
    let mut places = depths(text).filter(|(.., depth)| *depth == 0);
    places.find_map(|(at, _)| text[at..].starts_with(" as ").then_some(at))
}

/// Each character's place, and how many brackets are open behind it.
fn depths(text: &str) -> impl Iterator<Item = (usize, i32)> {
    let mut before = ' ';
    text.char_indices().scan(0, move |depth, (at, character)| {
        match character {
            '<' | '(' | '[' => *depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => *depth -= 1,
            _ => {}
        }
        before = character;
        Some((at, *depth))
    })
}

#[cfg(test)]
#[path = "../../tests/inside/symbol.rs"]
mod tests;
