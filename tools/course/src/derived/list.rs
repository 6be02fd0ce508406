//! A list that stands in a page, between two lines that mark its place.

use regex::Captures;

use crate::pages::regex;

pub(super) struct List {
    /// The page.
    pub(super) file: &'static str,
    /// What the two lines call it.
    pub(super) name: &'static str,
    pub(super) text: String,
}

impl List {
    /// Puts it in its place in the text of its page. A page may have several lists.
    pub(super) fn put_into(&self, page: &str) -> Result<String, String> {
        let List { name, text, .. } = self;
        let place = regex(&format!("(?s)(BEGIN {name}[^\n]*\n).*?(<!-- END {name})"));
        if !place.is_match(page) {
            return Err(format!(
                "put back the lines `BEGIN {name}` and `END {name}`"
            ));
        }
        let with = |it: &Captures<'_>| format!("{}{text}{}", &it[1], &it[2]);
        Ok(place.replace(page, with).into_owned())
    }
}
