//! The book as it lies on the disk.

use std::{
    cell::OnceCell,
    env, io,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::{
    page::{Page, parse},
    targets::Targets,
    text::{line_of, read},
};

/// An entry of the summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its title, as the summary has it.
    pub title: String,
    /// The file of its page, in `book/src`.
    pub file: String,
    /// The line of the summary.
    pub line: usize,
    /// Whether it is one of the numbered chapters.
    pub numbered: bool,
}

/// The book, and the project around it.
#[derive(Debug)]
pub struct Book {
    /// The root of the project.
    pub root: PathBuf,
    /// What the summary lists, in its order.
    pub entries: Vec<Entry>,
    /// The pages that are there, in the order of the summary.
    pub pages: Vec<Page>,
    /// Where cargo keeps the sources of other crates, a folder for each registry.
    pub registries: Option<PathBuf>,
    targets: OnceCell<Targets>,
}

impl Book {
    /// Reads the book of the project that this crate belongs to.
    ///
    /// # Errors
    ///
    /// If the summary or a page cannot be read.
    pub fn here() -> io::Result<Book> {
        let lab = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        Book::read(lab.and_then(Path::parent).expect("this crate is in tools/"))
    }

    /// Reads the book below this root.
    ///
    /// # Errors
    ///
    /// If the summary or a page cannot be read. A page that is listed and not there is no error: a check reports it.
    pub fn read(root: &Path) -> io::Result<Book> {
        let src = root.join("book/src");
        let entries = summary(&read(&src.join("SUMMARY.md"))?);
        let mut pages = Vec::new();
        for entry in &entries {
            let path = src.join(&entry.file);
            if path.is_file() {
                pages.push(Page::new(&entry.file, read(&path)?, entry.numbered));
            }
        }
        Ok(Book {
            root: root.to_owned(),
            entries,
            pages,
            registries: registries(),
            targets: OnceCell::new(),
        })
    }

    /// The folder of the pages.
    pub fn src(&self) -> PathBuf {
        self.root.join("book/src")
    }

    /// The page of this file.
    pub fn page(&self, file: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.file == file)
    }

    /// The numbered chapters with their numbers.
    pub fn chapters(&self) -> impl Iterator<Item = (usize, &Page)> {
        let chapters = self.entries.iter().filter(|entry| entry.numbered);
        (1..)
            .zip(chapters)
            .filter_map(|(number, entry)| Some((number, self.page(&entry.file)?)))
    }

    pub(crate) fn targets(&self) -> &Targets {
        self.targets.get_or_init(|| Targets::read(&self.root))
    }
}

fn registries() -> Option<PathBuf> {
    let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"));
    let home = home.map(|it| Path::new(&it).join(".cargo"));
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or(home);
    cargo.map(|it| it.join("registry/src"))
}

fn summary(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let (mut lists, mut open) = (0, None);
    for (event, range) in parse(text) {
        match event {
            Event::Start(Tag::List(_)) => lists += 1,
            Event::End(TagEnd::List(_)) => lists -= 1,
            Event::Start(Tag::Link { dest_url, .. }) => open = Some((dest_url, String::new())),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, title)) = &mut open {
                    title.push_str(&text);
                }
            }
            Event::End(TagEnd::Link) => {
                if let Some((file, title)) = open.take() {
                    entries.push(Entry {
                        title,
                        file: file.into_string(),
                        line: line_of(text, range.start),
                        numbered: lists > 0,
                    });
                }
            }
            _ => {}
        }
    }
    entries
}
