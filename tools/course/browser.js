// Builds the book, reads each page in Chromium, and prints what is wrong. `README.md` says more.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const { pathToFileURL } = require("node:url");

const root = path.resolve(__dirname, "../..");
const tool = (name) => path.join(root, "target/tools/node_modules", name);
/// What axe finds in the content of the page that is open.
const axe = async () => {
  for (const it of document.querySelectorAll("details")) it.open = true;
  // The page's own observer of sizes hears of that in the next frame, before this one.
  await new Promise((later) => new ResizeObserver(later).observe(document.body));
  const { violations } = await window.axe.run("main", { preload: false, resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => `axe: ${id}: ${help}: ${nodes.length} times, first ${nodes[0].target.join(" ")}`);
};

/// What is wider than the screen and does not scroll by itself, and text of pictures that is too small or cut off.
const narrow = () => {
  const frames = [...document.querySelectorAll("html, body, .page-wrapper, .page, .content, main")];
  const faults = frames.filter((it) => it.scrollWidth > it.clientWidth).map((it) => `the page is ${it.scrollWidth} pixels wide`);
  for (const svg of document.querySelectorAll("main figure svg[viewBox]")) {
    const box = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text:not(.picture svg:not(.machine) > [class*='in-']:not(.in-00) text)")) {
      const it = text.getBoundingClientRect();
      const what = `in ${svg.querySelector("title")?.textContent}, "${text.textContent}" is`;
      if (it.height < 9) faults.push(`${what} ${it.height} pixels high`);
      if (it.left < box.left - 1 || it.right > box.right + 1) faults.push(`${what} cut off`);
    }
  }
  return faults;
};

/// Steps each player to its end: what it shows must be what Rust computed.
const played = () => {
  const faults = [];
  // So many changes of the address in a moment would be ignored.
  history.replaceState = () => {};
  for (const player of document.querySelectorAll("figure.player:has(script)")) {
    const { cells, lines, steps, situations } = JSON.parse(player.querySelector("script").textContent);
    const text = (html) => Object.assign(document.createElement("p"), { innerHTML: html }).textContent;
    const button = (name) => [...player.querySelectorAll(".controls button")].find((it) => it.textContent === name);
    const check = (place, values, line) => {
      const shown = [...player.querySelectorAll("td")].map((it) => it.textContent).join("|");
      if (shown !== values.map((it) => text(cells[it])).join("|")) faults.push(`${player.id}: ${place} shows ${shown}`);
      const listing = player.querySelector(".listing").getBoundingClientRect();
      const marks = [...player.querySelectorAll(".mark")].map((it) => it.getBoundingClientRect());
      if (line && !marks.some((mark) => mark.height > 0 && mark.top >= listing.top && mark.bottom <= listing.bottom)) faults.push(`${player.id}: ${place}: the line at work is not to be seen`);
    };
    if (!player.matches(".code")) button("code")?.click();
    button("start over").click();
    for (const [n, [, line]] of (steps ?? []).entries()) {
      check(`step ${n}`, [], lines[line]);
      const [says, said] = [".says", `details li:nth-child(${n})`].map((it) => player.querySelector(it)?.textContent);
      if (n && says !== said) faults.push(`${player.id}: step ${n} says ${says}`);
      button("step").click();
    }
    // In a model, the first thread that can goes on.
    for (let at = 0, n = 0; n < situations?.length; n++) {
      const thread = situations[at][1].findIndex(([, , to]) => to >= 0);
      if (thread < 0) break;
      at = situations[at][1][thread][2];
      player.querySelectorAll(".choice")[thread].click();
      check(`situation ${at}`, situations[at].slice(3), situations[at][1].some(([, line]) => lines[line]));
    }
  }
  return faults;
};

/// Plays each order of *Drag the timer*, and *Be the executor* without wakers and with them.
const games = () => {
  const faults = [];
  for (const figure of document.querySelectorAll("figure:is(.drag, .executor)")) {
    const { axis, figures, says, game } = JSON.parse(figure.querySelector("script").textContent);
    const check = (shown, wanted) => shown === wanted || faults.push(`${figure.className}: ${shown} is shown, and not ${wanted}`);
    for (const mode of [0, 1]) {
      if (mode) figure.querySelector("[role='switch']").click();
      for (const [n, [[to], end]] of (figures?.[mode] ?? []).entries()) {
        const value = ((figures[mode][n - 1]?.[0][0] ?? axis[0]) + to) / 2;
        Object.assign(figure.querySelector("input"), { value }).dispatchEvent(new Event("input"));
        check(figure.querySelector(".verdict").textContent.slice(2), says[end]);
      }
      for (let at = 0, n = 0; game?.moments[at][1].length; n = (n + 1) % 5) {
        figure.querySelectorAll(".cards button, .queue ~ button")[n].click();
        at = game.moments[at][3][n < 4 ? n : n + mode][0];
        const [ms, ...queues] = game.moments[at];
        check([...figure.querySelectorAll(".queue i, .queue + b")].map((it) => it.textContent).join(""), `${queues[mode].map((it) => "ABCD"[it]).join("")}${ms} ms`);
      }
    }
  }
  return faults;
};

/// The Chinese and Japanese words of the page that is open.
const words = () => {
  const found = new Set();
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement.closest("script, svg")) continue;
    for (const [word] of texts.currentNode.data.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu)) found.add(word);
  }
  return [...found];
};

/// Types each word into the search. One of the pages on which it stands must be among the results.
const searched = async (words) => {
  const faults = [];
  document.querySelector("#mdbook-search-toggle").click();
  const [bar, results] = ["#mdbook-searchbar", "#mdbook-searchresults"].map((it) => document.querySelector(it));
  while (document.querySelector(".searching")) await new Promise((later) => setTimeout(later, 10));
  for (const [word, pages] of words) {
    bar.value = word;
    bar.dispatchEvent(new KeyboardEvent("keyup"));
    const found = [...results.querySelectorAll("a")].map((it) => new URL(it.href).pathname.split("/").pop());
    if (!found.some((it) => pages.includes(it))) faults.push(`the search for ${word} finds ${found.join(", ") || "nothing"}, and not ${pages.join(" or ")}`);
  }
  return faults;
};

async function main() {
  const [book, profile] = ["book", "chromium"].map((it) => path.join(root, "target", it));
  const built = spawnSync("mdbook", ["build", path.join(root, "book"), "--dest-dir", book], { encoding: "utf8" });
  if (built.status !== 0) throw built.error ?? new Error(built.stderr);
  const faults = built.stderr.split("\n").filter((it) => /WARN|ERROR/.test(it));
  const flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars --remote-debugging-port=0";
  const chromium = spawn(process.env.CHROMIUM ?? "chromium", [...flags.split(" "), `--user-data-dir=${profile}`]);
  const port = await new Promise((found, failed) => {
    chromium.on("error", failed);
    chromium.stderr.on("data", (text) => /ws:\/\/[^:]+:(\d+)/.test(text) && found(Number(RegExp.$1)));
  });
  try {
    await read(await require(tool("chrome-remote-interface"))({ port }), book, faults);
  } finally {
    chromium.kill();
  }
  for (const it of new Set(faults)) console.log(it);
  process.exitCode = faults.length ? 1 : 0;
}

async function read({ Page, Runtime, Log, Network, Emulation }, book, faults) {
  const source = fs.readFileSync(tool("axe-core/axe.min.js"), "utf8");
  const home = pathToFileURL(book).href + "/";
  let name = "";
  Log.entryAdded(({ entry }) => ["error", "warning"].includes(entry.level) && faults.push(`${name}: the console says ${entry.text}`));
  Runtime.exceptionThrown(({ exceptionDetails: it }) => faults.push(`${name}: an error: ${it.exception?.description ?? it.text}`));
  Network.requestWillBeSent(({ request }) => {
    if (![home, "data:", "blob:", "chrome:"].some((it) => request.url.startsWith(it))) faults.push(`${name}: a request goes to ${request.url}`);
  });
  for (const domain of [Page, Runtime, Log, Network]) await domain.enable();
  const evaluate = (expression) => Runtime.evaluate({ expression, awaitPromise: true, returnByValue: true });
  const run = async (code) => (await evaluate(`(${code})()`)).result.value;
  const summary = fs.readFileSync(path.join(root, "book/src/SUMMARY.md"), "utf8");
  const [ids, links, eastAsian] = [new Map(), [], new Map()];
  for (const [, page] of summary.matchAll(/\]\(([^)]+)\.md\)/g)) {
    for (const [width, theme] of [[1280, "light"], [390, "dark"]]) {
      name = `${page} (${theme}, ${width} pixels)`;
      await Emulation.setDeviceMetricsOverride({ width, height: 900, deviceScaleFactor: 1, mobile: false });
      await Emulation.setEmulatedMedia({ features: [{ name: "prefers-color-scheme", value: theme }] });
      await Page.navigate({ url: `${home}${page}.html` });
      // Not the next load event, which may be that of the empty page before.
      await evaluate("new Promise((done) => (document.readyState === 'complete' ? done() : addEventListener('load', done)))");
      await evaluate(source);
      const found = [...(await run(axe)), ...(width < 600 ? await run(narrow) : []), ...(await run(played)), ...(await run(games))];
      faults.push(...found.map((it) => `${name}: ${it}`));
    }
    ids.set(`${home}${page}.html`, new Set(await run(() => [...document.querySelectorAll("[id]")].map((it) => it.id))));
    const there = await run(() => [...document.querySelectorAll("a[href], img[src]")].map((it) => it.href ?? it.src));
    links.push(...there.map((it) => [page, it]));
    for (const word of await run(words)) eastAsian.set(word, [...(eastAsian.get(word) ?? []), `${page}.html`]);
  }
  name = "search";
  faults.push(...(await evaluate(`(${searched})(${JSON.stringify([...eastAsian])})`)).result.value);
  for (const [page, link] of links) {
    const [file, id] = link.split("#");
    const is = link.startsWith("https://") || id?.startsWith("see:") || (ids.has(file) ? !id || ids.get(file).has(decodeURIComponent(id)) : file.startsWith(home) && fs.existsSync(new URL(file)));
    if (!is) faults.push(`${page}: ${link.replace(home, "")} leads nowhere`);
  }
}

main().catch((error) => {
  console.error(`browser.js: ${error.message.split("\n")[0]}`);
  process.exitCode = 1;
});
