"use strict";

// What plain mdBook has no form for. Without this script every page can still be read.

// What scrolls by itself can be scrolled from the keyboard, and an arrow key in it turns no page.
function label(region) {
  if (region.matches("code")) return "Code or output";
  return region.querySelector("svg > title")?.textContent ?? "Table";
}
const watch = new ResizeObserver((changes) => {
  // All are measured before the first is changed: a change makes the next measurement lay out the page again.
  const measured = changes.map(({ target }) => ({
    region: target,
    scrolls: target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight + 1,
  }));
  for (const { region, scrolls } of measured) {
    if (scrolls === region.hasAttribute("tabindex")) continue;
    for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", label(region)]]) {
      if (scrolls) region.setAttribute(name, value);
      else region.removeAttribute(name);
    }
  }
});
function scrollable(region) {
  watch.observe(region);
  region.addEventListener("keydown", (event) => {
    const arrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (arrow && region.hasAttribute("tabindex")) event.stopPropagation();
  });
}
// A figure that has a script knows itself what its keys do.
document.querySelectorAll("main pre > code, main .table-wrapper, main figure:not(:has(script))").forEach(scrollable);

// The map of a chapter has the groups that name the chapter. Where the first name is this chapter's, the part is new.
const maps = [...document.querySelectorAll("[class^='at-']")].map((frame) => ({ frame, svg: frame.querySelector("svg") }));
for (const { frame, svg } of maps) {
  const here = frame.className.replace("at-", "in-");
  const words = frame.querySelectorAll("li")[here.slice("in-".length) - 1];
  svg.classList.add("machine");
  for (const part of svg.querySelectorAll("[class*='in-']")) {
    if (!part.classList.contains(here)) part.remove();
    else part.setAttribute("class", part.classList[0] === here && here !== "in-01" ? "lit" : "");
  }
  frame.querySelector("title").textContent = `The machine of chapter ${here.slice("in-".length)}`;
  frame.querySelector("desc").textContent = words.textContent;
  frame.querySelector("figcaption").replaceChildren(...words.childNodes);
  frame.querySelector("details").remove();
}
// All are measured before the first gets its height, for the same reason as above.
const bottoms = maps.map(({ svg }) => svg.getBBox()).map(({ y, height }) => y + height);
maps.forEach(({ svg }, n) => (svg.viewBox.baseVal.height = bottoms[n] + 4));

// The name of a test is for those who doubt the claim above it.
for (const name of document.querySelectorAll("main p > em:first-child")) {
  if (name.textContent === "Test:") name.parentElement.classList.add("test");
}

// The listing of a method is indented as it is in its file, which a phone has no room for.
for (const code of document.querySelectorAll("pre > code.language-rust")) {
  const lines = code.textContent.split("\n").filter((line) => line.trim() !== "");
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  if (!indent || indent === Infinity) continue;
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  let left = indent;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.data = text.data.replace(/^ +|\n *|[^\n]+/g, (part) => {
      if (part.startsWith("\n")) left = indent;
      const start = part.startsWith("\n") ? 1 : 0;
      const cut = part[start] === " " ? Math.min(left, part.length - start) : 0;
      left = part.length - start > cut ? 0 : left - cut;
      return part.slice(0, start) + part.slice(start + cut);
    });
  }
}

// The name of a file leads to it in the repository, if book.toml knows the address.
const repository = document.querySelector(".right-buttons a[title='Git repository']")?.href.replace(/\/$/, "");
for (const name of repository ? document.querySelectorAll("main p > :is(code, em), p.file") : []) {
  if (!/^(step|lab\/|tools\/|exercises\/)[\w/.-]+\.\w+$/.test(name.textContent)) continue;
  const link = document.createElement("a");
  link.href = `${repository}/blob/HEAD/${name.textContent}`;
  link.append(...name.childNodes);
  name.append(link);
}

// A name in a table may be broken after each of its parts. On a phone, a line of output that is broken keeps its indent.
for (const code of document.querySelectorAll("main :is(td, th) code")) code.innerHTML = code.innerHTML.replace(/_|::/g, "$&<wbr>");
const narrow = matchMedia("(max-width: 600px)").matches;
for (const code of narrow ? document.querySelectorAll("pre > code:is(.language-text, .language-console):not(.drawing)") : []) {
  const lines = code.textContent.trimEnd().split("\n");
  const line = (text) => Object.assign(document.createElement("span"), { className: "hanging", textContent: `${text.trimStart()}\n` });
  code.replaceChildren(...lines.map(line));
  lines.forEach((text, n) => code.children[n].style.setProperty("--indent", Math.max(text.search(/\S/), 0)));
}

// What an address names. One that is malformed names nothing.
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

// What a link leads to may be folded. Newer browsers open it by themselves.
function unfold() {
  const target = document.getElementById(decoded(location.hash.slice(1)));
  let folded = false;
  for (let it = target?.closest("details"); it; it = it.parentElement.closest("details")) {
    folded ||= !it.open;
    it.open = true;
  }
  if (folded) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// Each answer says what it answers, for those who go from summary to summary.
for (const summary of document.querySelectorAll("main details > summary")) {
  if (summary.textContent.trim() !== "Answer") continue;
  const details = summary.parentElement;
  let before = details.previousElementSibling;
  if (before?.matches("ol")) {
    summary.textContent = `Answer to question ${before.start + before.children.length - 1}`;
    continue;
  }
  while (before && !before.matches("h2, h3")) before = before.previousElementSibling;
  const of = { predict: "to the prediction", "on-paper": "to the exercise on paper" }[before?.id];
  if (of) summary.textContent = `Answer ${of}`;
}

// A place for the reader's prediction. It stays in this browser.
const answer = [...document.querySelectorAll("summary")].find((it) => it.textContent === "Answer to the prediction");
if (answer) {
  const key = `prediction:${location.pathname}`;
  const label = document.createElement("label");
  const note = document.createElement("textarea");
  label.className = "prediction";
  label.append("Your prediction, which stays in this browser:", note);
  note.rows = 3;
  try {
    note.value = localStorage.getItem(key) ?? "";
    note.addEventListener("input", () => localStorage.setItem(key, note.value));
  } catch {
    // A browser that keeps nothing.
  }
  answer.parentElement.before(label);
}

// A column without a name. If it is the first one, it names the rows.
for (const table of document.querySelectorAll("main table")) {
  const empty = [...table.querySelectorAll("thead th")].filter((it) => it.textContent.trim() === "");
  for (const it of empty) it.replaceWith(document.createElement("td"));
  if (table.querySelector("thead :first-child")?.firstElementChild?.tagName !== "TD") continue;
  for (const cell of table.querySelectorAll("tbody tr > td:first-child")) {
    const name = document.createElement("th");
    name.scope = "row";
    name.append(...cell.childNodes);
    cell.replaceWith(name);
  }
}

// In the matrix of the contract nearly every cell says yes. A dot is enough for the eye.
for (const cell of document.querySelectorAll(".matrix td")) {
  if (cell.textContent.trim() !== "yes") continue;
  const [dot, yes] = [document.createElement("span"), document.createElement("span")];
  dot.ariaHidden = "true";
  dot.textContent = "·";
  yes.className = "unseen";
  yes.textContent = "yes";
  cell.replaceChildren(dot, yes);
  const table = cell.closest("table");
  if (!table.caption) table.createCaption().textContent = "A dot means yes.";
}

// Each page has a description of its own: its first paragraph.
const description = document.querySelector("main > p")?.textContent.trim().replace(/\s+/g, " ");
if (description) document.querySelector("meta[name=description]").content = description;

// The list of pages knows a chapter's number, and follows the reader through its sections. The first page leads to the section
// in which the reader was last, which stays in this browser.
{
  const list = document.querySelector("#mdbook-sidebar .sidebar-scrollbox");
  const heading = document.querySelector("main h1 > a.header");
  // The style sheet hides the numbers behind the chapters.
  const label = list?.querySelector("a.active > strong");
  const number = label && getComputedStyle(label).display !== "none" ? label.textContent : undefined;
  if (number) heading?.prepend(`${number} `);

  const isFirst = /\/(index\.html|introduction\.html)?$/.test(location.pathname);
  const keep = () => {
    const heads = [...document.querySelectorAll("main :is(h1, h2, h3) > a.header")];
    const section = heads.findLast((it) => it.getBoundingClientRect().top < 200);
    const names = [heading, section].map((it) => it?.textContent);
    if (section) localStorage.setItem("poll-to-tokio:place", JSON.stringify([section.href, [...new Set(names)].join(": ")]));
  };
  let scrolled;
  addEventListener("scroll", () => {
    requestAnimationFrame(() => {
      const [at, box] = [list?.querySelector(".current-header"), list].map((it) => it?.getBoundingClientRect());
      if (at && (at.top < box.top || at.bottom > box.bottom)) list.scrollTop += at.top - (box.top + box.bottom) / 2;
    });
    clearTimeout(scrolled);
    if (!isFirst) scrolled = setTimeout(keep, 500);
  });
  try {
    const [href, textContent] = (isFirst && JSON.parse(localStorage.getItem("poll-to-tokio:place"))) || [];
    const last = document.createElement("p");
    last.append("You were last at ", Object.assign(document.createElement("a"), { href, textContent }), ".");
    if (href) document.querySelector("main h1")?.after(last);
  } catch {
    // A browser that keeps nothing.
  }
}

// The page with the games is no chapter, and yet in the list of pages, behind the introduction.
{
  const item = document.querySelector("#mdbook-sidebar .chapter > li");
  const link = item?.querySelector("a");
  if (link) {
    const play = item.cloneNode(true);
    Object.assign(play.querySelector("a"), { href: "play/index.html", textContent: "Play: lose a wake, and keep it", className: "" });
    play.classList.remove("expanded");
    item.after(play);
  }
}

// From the top of a page to its first game.
{
  const game = document.querySelector("main figure:is(.drag, .executor, .game):has(script)");
  const skip = Object.assign(document.createElement("a"), { className: "skip", href: `#${game?.id}`, textContent: "Skip to the first choice" });
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    game.scrollIntoView();
    // A game begins when it comes near the screen.
    const focus = () => {
      const first = game.querySelector("input, button:not(:disabled)");
      if (first) first.focus();
      else requestAnimationFrame(focus);
    };
    focus();
  });
  if (game && !location.pathname.endsWith("/print.html")) document.body.prepend(skip);
}

// See head.hbs.
for (const theme of ["rust", "coal", "ayu"]) document.getElementById(`mdbook-theme-${theme}`)?.parentElement.remove();

// A picture by itself, as for a wall.
for (const figure of document.fullscreenEnabled ? document.querySelectorAll("main figure:not(.drag)") : []) {
  const button = document.createElement("button");
  button.className = "alone";
  button.textContent = "Full screen";
  button.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : figure.requestFullscreen()));
  figure.append(button);
}

// The index of the search drops what isn't a Latin letter or a digit, so a Chinese or Japanese word is looked for in the texts, which the
// index has whole. Each word must be in the title or the text, and the more often it is there, the earlier the section comes.
if (window.elasticlunr) {
  const searchIndex = elasticlunr.Index.prototype.search;
  const isEastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  elasticlunr.Index.prototype.search = function (query, options) {
    if (!isEastAsian.test(query)) return searchIndex.call(this, query, options);
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const times = (text, word) => text.toLowerCase().split(word).length - 1;
    const found = [];
    for (const [ref, doc] of Object.entries(this.documentStore.docs)) {
      const scores = words.map((word) => 3 * times(doc.title, word) + times(doc.body, word));
      const score = scores.reduce((product, one) => product * one, 1);
      if (score) found.push({ ref, doc, score });
    }
    return found.sort((one, other) => other.score - one.score);
  };
}
