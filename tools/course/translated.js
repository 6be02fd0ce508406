// Could somebody translate the book? Builds it with catalogues in place of a translation, and prints what stands in the way.
// `README.md` says more.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { spawnSync } = require("node:child_process");

const root = path.resolve(__dirname, "../..");
const target = path.join(root, "target/translated");

/// A letter that no page has, before each message.
const MARK = "ǃ";

/// A message with the letter. A listing that is a message as a whole begins with its fence, and stays as it is.
const mark = (lines) => lines.replace(/^"(?=[^"])(?!```)/m, `"${MARK}`);

/// Builds the book, or its catalogue, into a folder below `target`.
function build(folder, settings) {
  const out = path.join(target, folder);
  const env = { ...process.env };
  for (const [name, value] of Object.entries(settings)) env[`MDBOOK_${name}`] = JSON.stringify(value);
  const built = spawnSync("mdbook", ["build", path.join(root, "book"), "--dest-dir", out], { encoding: "utf8", env });
  if (built.status !== 0) throw built.error ?? new Error(built.stderr);
  return out;
}

/// The book with each message of the catalogue replaced.
function translated(folder, head, messages, replace) {
  const dir = path.join(target, `${folder}.po`);
  const entries = messages.map(([, lines]) => `msgid ${lines}\nmsgstr ${replace(lines)}\n`);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, "en.po"), [head, ...entries].join("\n\n"));
  return build(folder, { PREPROCESSOR__GETTEXT: { after: ["links"], "po-dir": dir } });
}

/// The pages of a built book: their names and what is in their `main`.
function pages(folder) {
  const names = fs.readdirSync(folder).filter((it) => it.endsWith(".html") && !["print.html", "toc.html", "404.html"].includes(it));
  return new Map(names.map((name) => [name, /<main>(.*)<\/main>/s.exec(fs.readFileSync(path.join(folder, name), "utf8"))?.[1] ?? ""]));
}

/// The parts of a page, one for each tag and each text. White space counts in a listing alone.
const parts = (page) => page.split(/(<pre.*?<\/pre>)/s).flatMap((it, n) => (n % 2 ? [it] : it.replace(/\s+/g, " ").split(/(?<=>) ?| ?(?=<)/)));

/// The first part in which a page that was translated into itself differs.
function* differences(plain, same) {
  for (const [name, page] of plain) {
    const [before, after] = [parts(page), parts(same.get(name) ?? "")];
    const at = before.findIndex((it, n) => it !== after[n]);
    if (at >= 0) yield `${name}: does not survive a translation: ${before[at]} becomes ${after[at]}`;
  }
}

/// The texts that no catalogue has. Listings and pictures stay as they are, but for what is below a picture.
function* untranslated(marked) {
  for (const [name, page] of marked) {
    const captions = (figure) => [...figure.matchAll(/<figcaption>.*?<\/figcaption>/gs)].join("");
    // A figure may be in a figure, so from the innermost outwards.
    let text = page.replace(/<(pre|code|svg|script|style|kbd)\b.*?<\/\1>/gs, "");
    while (text.includes("<figure")) text = text.replace(/<figure(?:(?!<figure).)*?<\/figure>/gs, captions);
    const blocks = text.split(/<\/?(?:p|div|h\d|ul|ol|li|dl|dt|dd|table|t[hdr]|thead|tbody|details|summary|figcaption|blockquote)\b[^>]*>/);
    for (const block of blocks) {
      const words = block.replace(/<.*?>/gs, "").replace(/&\w+;/g, "").trim();
      if (/\p{Letter}{2}/u.test(words) && !words.includes(MARK)) yield `${name}: no catalogue has this: ${words.replace(/\s+/g, " ")}`;
    }
  }
}

function main() {
  fs.rmSync(target, { recursive: true, force: true });
  const catalogue = fs.readFileSync(path.join(build("catalogue", { OUTPUT: { xgettext: {} } }), "messages.pot"), "utf8");
  const [head] = catalogue.split("\n\n", 1);
  const messages = [...catalogue.matchAll(/^msgid ([^]*?)\nmsgstr ""\n/gm)].filter((it) => /"[^"]/.test(it[1]));
  const plain = pages(build("plain", {}));
  const same = pages(translated("same", head, messages, (lines) => lines));
  const marked = pages(translated("marked", head, messages, mark));
  const faults = [...differences(plain, same), ...untranslated(marked)];
  for (const it of faults) console.log(it);
  console.log(`${messages.length} messages, ${plain.size} pages, ${faults.length} faults`);
  process.exitCode = faults.length ? 1 : 0;
}

main();
