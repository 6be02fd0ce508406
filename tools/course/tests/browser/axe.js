// What axe-core finds, whose own text comes before this. `rules` says which: colours take most of the time. `theirs` is mdBook's own frame around each page, by the rule.
const theirs = {
  // The label that opens the list of chapters has the attributes of a button.
  "aria-allowed-attr": ["#mdbook-sidebar-toggle"],
  "aria-prohibited-attr": ["#mdbook-sidebar-toggle"],
  // The bar above the page belongs to no landmark.
  region: ["#mdbook-sidebar-toggle", ".menu-title", ".right-buttons"],
};
// A whole stage is looked at as a reader finds it, folded: its listings are like all others.
for (const it of document.querySelectorAll("details.whole")) it.open = false;
// Nor does it take longer than it must: words of one colour in listings are looked at once.
const seen = new Set();
for (const it of document.querySelectorAll("pre code span")) {
  if (seen.has(it.className)) it.replaceWith(...it.childNodes);
  seen.add(it.className);
}
const colours = ["color-contrast", "link-in-text-block"];
const some = {
  all: {},
  colours: { runOnly: colours },
  "all but colours": { rules: Object.fromEntries(colours.map((it) => [it, { enabled: false }])) },
}[rules];
// Without `preload` it does not read the style sheets again, which a page from a file may not.
const found = await axe.run(document, { ...some, preload: false, resultTypes: ["violations"] });
return found.violations.flatMap(({ id, help, nodes }) => {
  const ours = nodes.map((it) => it.target.join(" ")).filter((it) => !theirs[id]?.includes(it));
  return ours.length === 0 ? [] : [`axe: ${id}: ${help}: ${ours.length} times, first ${ours[0]}`];
});
