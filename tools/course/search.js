// Makes the search index of a built book a fifth of its size: `node tools/course/search.js book/book`. mdBook writes down in which
// sections each word is, twice over. The browser can find that out by itself, when the reader first searches, from the sections.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [book = "book/book", unknown] = process.argv.slice(2);
if (book === "--help") {
  console.log("node tools/course/search.js [BOOK]: makes the search index of a built book smaller");
  process.exit(0);
}
if (unknown !== undefined) {
  console.error(`search.js: unknown argument ${unknown}: see --help`);
  process.exit(2);
}
const file = fs.existsSync(book) && fs.readdirSync(book).find((it) => /^searchindex.*\.js$/.test(it));
if (!file) {
  console.error(`search.js: ${book} has no searchindex.js: run \`mdbook build book\` first`);
  process.exit(2);
}
const window = { search: {} };
new Function("window", fs.readFileSync(path.join(book, file), "utf8"))(window);
const { index, ...rest } = window.search;
const sections = rest.doc_urls.map((_, id) => index.documentStore.docs[id]);
fs.writeFileSync(
  path.join(book, file),
  `window.search = Object.assign(window.search, ${JSON.stringify(rest)});
window.search.index = elasticlunr(function () {
  this.setRef("id");
  ${JSON.stringify(index.fields)}.forEach((it) => this.addField(it));
  ${JSON.stringify(sections)}.forEach((it) => this.addDoc(it));
}).toJSON();
`,
);
