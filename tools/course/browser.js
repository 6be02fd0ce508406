// Builds the book and reads it in Chromium: each page in both themes and on a phone's screen, with every answer unfolded.
// With `--screenshots FOLDER`, takes pictures instead. `README.md` says what to install.
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const { pathToFileURL } = require("node:url");

const root = path.resolve(__dirname, "../..");
const tool = (name) => path.join(root, "target/tools/node_modules", name);
const [option, shots] = process.argv.slice(2);
const help = "node tools/course/browser.js [--screenshots FOLDER]: reads the built book in Chromium";
if (option === "--help") {
  console.log(help);
  process.exit(0);
}
if (option !== undefined && (option !== "--screenshots" || shots === undefined)) {
  console.error(`browser.js: unknown argument ${option}: ${help}`);
  process.exit(2);
}

/// By the rule of axe, what is mdBook's own frame around each page.
const THEIRS = {
  "aria-allowed-attr": ["#mdbook-sidebar-toggle"],
  "aria-prohibited-attr": ["#mdbook-sidebar-toggle"],
  region: ["#mdbook-sidebar-toggle", ".menu-title", ".right-buttons"],
};

/// What axe finds on the page that is open. A whole stage stays folded: its listings are like all others.
const axe = async (theirs) => {
  for (const it of document.querySelectorAll("details")) it.open = it.className !== "whole";
  // The page's own observer of sizes hears of that in the next frame, before this one.
  await new Promise((later) => new ResizeObserver(later).observe(document.body));
  const { violations } = await window.axe.run(document, { preload: false, resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => {
    const ours = nodes.map((it) => it.target.join(" ")).filter((it) => !theirs[id]?.includes(it));
    return ours.length ? [`axe: ${id}: ${help}: ${ours.length} times, first ${ours[0]}`] : [];
  });
};

/// What is wider than the screen and does not scroll by itself, and text of pictures that is too small or cut off.
const narrow = () => {
  const faults = [];
  for (const frame of document.querySelectorAll("html, body, .page-wrapper, .page, .content, main")) {
    if (frame.scrollWidth > frame.clientWidth) faults.push(`the page is ${frame.scrollWidth} pixels wide`);
  }
  for (const svg of document.querySelectorAll("main figure svg[viewBox]")) {
    const [box, name] = [svg.getBoundingClientRect(), svg.querySelector("title")?.textContent];
    for (const text of svg.querySelectorAll("text:not(.picture svg:not(.machine) > [class*='in-']:not(.in-00) text)")) {
      const it = text.getBoundingClientRect();
      if (it.height < 9) faults.push(`in the picture ${name}, "${text.textContent}" is ${it.height} pixels high`);
      if (it.left < box.left - 1 || it.right > box.right + 1) faults.push(`in the picture ${name}, "${text.textContent}" is cut off`);
    }
  }
  return faults;
};

/// Steps each recorded run to its end and back, and compares what is shown with the states that Rust computed. In a model, makes
/// each step of each thread from each situation.
const played = () => {
  const faults = [];
  // So many changes of the address in a moment would be ignored.
  history.replaceState = () => {};
  for (const player of document.querySelectorAll("figure.player:has(script)")) {
    const { cells, lines, tasks, steps, situations } = JSON.parse(player.querySelector("script").textContent);
    const choices = player.querySelectorAll(".choice");
    const ways = new Map(situations && [[0, []]]);
    for (const [at, way] of ways) {
      for (const [thread, [, line, to]] of situations[at][1].entries()) {
        player.querySelector(".controls button").click();
        for (const it of [...way, thread + 1]) choices[it - 1].click();
        const [end, , ...values] = situations[to < 0 ? at : to];
        const shown = [...player.querySelectorAll("td")].map((it) => it.innerHTML);
        const marked = [".says .done", ".says .lost", ".trail .fatal", ".mark"].map((it) => player.querySelector(it) !== null);
        const wrong = shown.join("|") !== values.map((it) => cells[it]).join("|") || marked.slice(0, 3).join() !== [end === 2, end === 1, end === 1].join() || (to >= 0 && marked[3] !== (lines[line] !== ""));
        if (wrong || (choices[thread].ariaDisabled === "true") < (to < 0)) faults.push(`${player.id}: after ${way} and ${thread + 1} it shows ${shown.join(", ")}`);
        if (to >= 0 && !ways.has(to)) ways.set(to, [...way, thread + 1]);
      }
    }
    if (situations) {
      if (ways.size !== situations.length) faults.push(`${player.id}: ${ways.size} of ${situations.length} situations can be reached`);
      continue;
    }
    const said = [...player.querySelectorAll("details li")].map((it) => it.textContent);
    const name = (html) => html.replace(/\{(\d+)\}/g, (_, task) => tasks[task]);
    const text = (html) => Object.assign(document.createElement("p"), { innerHTML: name(html) }).textContent;
    const button = (name) => [...player.querySelectorAll(".controls button")].find((it) => it.textContent === name);
    const check = (n) => {
      const wanted = steps[n].slice(4).map((it) => text(cells[it]));
      const shown = [...player.querySelectorAll("td")].map((it) => it.textContent);
      const at = player.querySelector("input").valueAsNumber;
      const says = n ? said[n - 1] : "Before the first step.";
      const lit = lines[steps[n][1]] === undefined ? null : player.querySelector(".mark");
      if (at !== n || shown.join("|") !== wanted.join("|") || player.querySelector(".says").textContent !== says || lit === undefined) {
        faults.push(`${player.id}: step ${n} shows ${at}: ${shown.join(", ")}`);
      }
      const [mark, listing] = [lit?.getBoundingClientRect(), player.querySelector(".listing").getBoundingClientRect()];
      if (lit === null && lines[steps[n][1]] !== undefined) faults.push(`${player.id}: step ${n} has no line at work`);
      else if (mark && (mark.height === 0 || mark.top < listing.top || mark.bottom > listing.bottom)) faults.push(`${player.id}: step ${n}: the line at work is not to be seen`);
    };
    const last = steps.length - 1;
    button("code")?.click();
    for (let n = 0; n <= last; n++) {
      check(n);
      if (n < last) button("step").click();
    }
    for (let n = last; n > 0; n--) {
      button("back").click();
      check(n - 1);
    }
  }
  return faults;
};

/// What a reader finds who looks for a word, and then for another.
const searched = async (words) => {
  const results = document.querySelector("#mdbook-searchresults");
  const field = document.querySelector("#mdbook-searchbar");
  const until = async (is) => {
    for (let n = 0; n < 100 && !is(); n++) await new Promise((later) => setTimeout(later, 50));
  };
  document.querySelector("#mdbook-search-toggle").click();
  await until(() => !field.disabled);
  const faults = [];
  for (const word of words) {
    results.replaceChildren();
    field.value = word;
    field.dispatchEvent(new KeyboardEvent("keyup"));
    await until(() => results.textContent.includes(word));
    if (!results.textContent.includes(word)) faults.push(`the search doesn't find ${word}`);
  }
  return faults;
};

const linked = () => ({
  ids: [...document.querySelectorAll("[id]")].map((it) => it.id),
  links: [...document.querySelectorAll("a[href], img[src]")].map((it) => it.href ?? it.src),
});

async function main() {
  const book = fs.mkdtempSync(path.join(os.tmpdir(), "book-"));
  const built = spawnSync("mdbook", ["build", path.join(root, "book"), "--dest-dir", book], { encoding: "utf8" });
  if (built.status !== 0) throw built.error ?? new Error(built.stderr);
  spawnSync(process.execPath, [path.join(__dirname, "search.js"), book]);
  const faults = built.stderr.split("\n").filter((it) => /WARN|ERROR/.test(it));
  const flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars --remote-debugging-port=0";
  const chromium = spawn(process.env.CHROMIUM ?? "chromium", [...flags.split(" "), `--user-data-dir=${book}/.profile`]);
  try {
    const port = await new Promise((found, failed) => {
      chromium.on("error", failed);
      chromium.stderr.on("data", (text) => /ws:\/\/[^:]+:(\d+)/.test(text) && found(Number(RegExp.$1)));
    });
    const client = await require(tool("chrome-remote-interface"))({ port });
    await read(client, book, faults);
    await client.close();
  } finally {
    chromium.kill();
    await new Promise((ended) => chromium.on("exit", ended));
    // Its other processes may still write there for a moment.
    fs.rmSync(book, { recursive: true, force: true, maxRetries: 10 });
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
  const run = async (code, ...given) => {
    const expression = typeof code === "string" ? code : `(${code})(${given.map((it) => JSON.stringify(it))})`;
    return (await Runtime.evaluate({ expression, awaitPromise: true, returnByValue: true })).result.value;
  };
  const open = async (page, width, theme) => {
    name = `${page} (${theme}, ${width} pixels)`;
    await Emulation.setDeviceMetricsOverride({ width, height: 900, deviceScaleFactor: 1, mobile: false });
    await Emulation.setEmulatedMedia({ features: [{ name: "prefers-color-scheme", value: theme }] });
    const loaded = Page.loadEventFired();
    await Page.navigate({ url: home + page });
    await loaded;
  };
  const summary = fs.readFileSync(path.join(root, "book/src/SUMMARY.md"), "utf8");
  const pages = [...summary.matchAll(/\]\(([^)]+)\.md\)/g)].map((it) => `${it[1]}.html`);
  const ids = new Map();
  const links = [];
  for (const page of pages) {
    for (const [width, theme] of [[1280, "light"], [1280, "dark"], [390, "light"]]) {
      await open(page, width, theme);
      if (shots !== undefined) {
        fs.mkdirSync(shots, { recursive: true });
        const { data } = await Page.captureScreenshot({ captureBeyondViewport: true, clip: { x: 0, y: 0, width, height: 8000, scale: 1 } });
        fs.writeFileSync(path.join(shots, `${page.replace(".html", "")}-${theme}-${width}.png`), data, "base64");
        continue;
      }
      await run(source);
      const found = await run(axe, THEIRS);
      if (width < 600) found.push(...(await run(narrow)));
      found.push(...(await run(played)));
      faults.push(...found.map((it) => `${name}: ${it}`));
    }
    const there = await run(linked);
    ids.set(home + page, new Set(there.ids));
    links.push(...there.links.map((it) => [page, it]));
  }
  if (shots === undefined) faults.push(...(await run(searched, ["epoll", "futurelock", "steal_batch_and_pop"])));
  for (const [page, link] of shots === undefined ? links : []) {
    const [file, id] = link.split("#");
    const is = link.startsWith("https://") || id?.startsWith("see:") || (ids.has(file) ? !id || ids.get(file).has(decodeURIComponent(id)) : file.startsWith(home) && fs.existsSync(new URL(file)));
    if (!is) faults.push(`${page}: ${link.replace(home, "")} leads nowhere`);
  }
}

main().catch((error) => {
  console.error(`browser.js: ${error.message.split("\n")[0]}`);
  process.exitCode = 1;
});
