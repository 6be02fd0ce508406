// Builds the book, reads each page in Chromium, and prints what is wrong. `README.md` says more.
// With `--picture`, it takes README's picture of the first page, and no more. With `--walk`, it plays the games for some minutes, and no more.
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const { pathToFileURL } = require("node:url");

const root = path.resolve(__dirname, "../..");
/// Only the picture of README is wanted.
const takesPicture = process.argv.includes("--picture");
/// A long walk through each game is wanted, and else a short one.
const walks = process.argv.includes("--walk");
const tool = (name) => path.join(root, "target/tools/node_modules", name);
/// What axe finds in the content of the page that is open.
const axe = async () => {
  for (const it of document.querySelectorAll("details")) it.open = true;
  for (const it of document.querySelectorAll(".level")) it.classList.add("open");
  // Looking at the colour of each word takes most of the time. Of the highlighted words of a listing, one of each kind is enough.
  const seen = new Set();
  for (const word of document.querySelectorAll("pre > code span[class*='hljs']")) {
    const kind = `${word.parentElement.className} ${word.className}`;
    if (seen.has(kind)) word.replaceWith(...word.childNodes);
    seen.add(kind);
  }
  // The page's own observer of sizes hears of that in the next frame, before this one.
  await new Promise((later) => new ResizeObserver(later).observe(document.body));
  const { violations } = await window.axe.run("main", { preload: false, resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => `axe: ${id}: ${help}: ${nodes.length} times, first ${nodes[0].target.join(" ")}`);
};

/// What is wider than the screen and does not scroll by itself, and text of pictures that is too small, cut off, or lies on another.
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
  for (const svg of document.querySelectorAll("main figure svg:not(svg svg)")) {
    const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    texts.forEach(([one, it], n) => {
      for (const [other, that] of texts.slice(n + 1)) {
        const [width, height] = [Math.min(it.right, that.right) - Math.max(it.left, that.left), Math.min(it.bottom, that.bottom) - Math.max(it.top, that.top)];
        // The room above and below the letters may be that of two lines.
        if (width > 2 && height > it.height / 3) faults.push(`in ${svg.querySelector("title")?.textContent}, "${one}" and "${other}" lie on each other`);
      }
    });
  }
  return faults;
};

/// What plays before it is near the screen, which would keep the page from answering.
const early = () => {
  const plays = [...document.querySelectorAll("figure.player:has(.panel)")];
  return plays.filter((it) => it.getBoundingClientRect().top > 4 * innerHeight).map((it) => `${it.id} plays before it is near the screen`);
};

/// Steps each player to its end: what it shows must be what Rust computed. A player begins when it comes near the screen.
const played = async () => {
  const faults = [];
  for (const player of document.querySelectorAll("figure.player:has(script)")) {
    player.scrollIntoView();
    // Within six frames, which are 100 ms on an idle machine.
    let frames = 0;
    for (; !player.querySelector(".panel"); frames++) await new Promise(requestAnimationFrame);
    if (frames > 6) faults.push(`${player.id}: it plays ${frames} frames after it has come to the screen`);
    const { steps } = JSON.parse(player.querySelector("script").textContent);
    const button = (name) => [...player.querySelectorAll(".controls button")].find((it) => it.textContent === name);
    if (!player.matches(".code")) button("code")?.click();
    button("start over").click();
    for (const [n, [, its]] of steps.entries()) {
      const listing = player.querySelector(".listing").getBoundingClientRect();
      // Of two runs' lines, that of the first.
      const mark = [...player.querySelectorAll(".mark")].at(-1)?.getBoundingClientRect();
      const isSeen = mark?.height > 0 && mark.top >= listing.top && mark.bottom <= listing.bottom;
      if (its.length && !isSeen) faults.push(`${player.id}: step ${n}: the line at work is not to be seen`);
      const [says, said] = [".says", `details li:nth-child(${n})`].map((it) => player.querySelector(it)?.textContent);
      if (n && says !== said) faults.push(`${player.id}: step ${n} says ${says}`);
      button("step").click();
    }
  }
  return faults;
};

/// How many steps the players of the page have.
const steps = () => {
  const players = [...document.querySelectorAll("figure.player:has(script)")];
  return players.reduce((sum, it) => sum + JSON.parse(it.querySelector("script").textContent).steps.length, 0);
};

/// Walks so many clicks at random through each game of threads. What is shown must be what Rust computed of the situation that the reader
/// has reached, and a game is won where the wake is lost, or else when the orders that it names are played. Then it plays those that are left.
const walked = async (clicks) => {
  const faults = [];
  // Numbers that look random, and are the same each time.
  let seed = 1;
  const random = (n) => Math.floor(((seed = (seed * 48271) % 2147483647) / 2147483647) * n);
  const text = (html) => Object.assign(document.createElement("p"), { innerHTML: html }).textContent;
  for (const game of document.querySelectorAll("figure.game:has(script)")) {
    if (game.closest(".level")) location.hash = game.id;
    game.scrollIntoView();
    while (!game.querySelector(".plot")?.clientWidth) await new Promise(requestAnimationFrame);
    const { fixed, rows, cells, lines, threads, longest, gap, situations } = JSON.parse(game.querySelector("script").textContent);
    const button = (name) => [...game.querySelectorAll(".bar button")].find((it) => it.textContent === name);
    const playable = new Set(situations.flatMap(([, , it]) => (fixed ? it : [])));
    let [isWon, way, played, showsGap, first] = [false, [0], new Set(), Boolean(fixed)];
    const isInGap = (at) => Boolean(gap?.at.includes(at));
    game.addEventListener("played", ({ detail }) => (isWon = detail));
    const check = () => {
      const at = way.at(-1);
      const [end, moves, reached, ...values] = situations[at];
      const isOver = moves.every(([, , to]) => to < 0 || to === at);
      if (fixed && isOver) for (const it of way.flatMap((at) => situations[at][2])) played.add(it);
      const says = (what, shown, wanted) => shown === wanted || faults.push(`${game.id}: after ${way.join(" ")}, ${what} shows ${shown}, and not ${wanted}`);
      const shown = rows.map(([name]) => [...game.querySelectorAll(".names > div")].find((it) => it.querySelector("b").textContent === name.replace("the ", "")).querySelector(".value").textContent);
      says("the state", shown.join("|"), values.map((it) => text(cells[it])).join("|"));
      const goals = fixed ? fixed.orders.map((it, n) => `${played.has(n) ? "☑" : "☐"} ${text(it)} `).join("") : text(cells[reached]);
      says("the goal", game.querySelector(".goals").textContent.replace(/^[^:]*: /, ""), goals);
      says("the picture", game.querySelectorAll(".plot .number").length, way.length - 1);
      says("the place", /:(\d+)$/.exec(game.querySelector(".place").href)?.[1].replace(/^0$/, "").length, way.length - 1);
      showsGap ||= isOver;
      says("the gap", game.querySelectorAll(".plot .gap").length, way.filter((at, n) => showsGap && isInGap(at) && !isInGap(way[n - 1])).length);
      says("the order", game.querySelectorAll(".order b").length, way.length - 1);
      says("a mark at the lost wake", game.querySelectorAll(".plot .over").length, Number(end === 1));
      says("a win", isWon, isOver && (fixed ? played.size === playable.size : end === 1));
      if (game.closest(".level")) says("the card of a win", !game.querySelector(".won").hidden, isWon);
      for (const it of game.querySelectorAll(".names:not(.room) .value b")) {
        const [box, lane] = [it, it.closest(".names > div")].map((one) => one.getBoundingClientRect());
        const hasBox = parseFloat(getComputedStyle(it).borderTopWidth) > 0;
        if (hasBox && (box.top < lane.top || box.bottom > lane.bottom)) faults.push(`${game.id}: after ${way.join(" ")}, the box of "${it.textContent}" is cut off`);
      }
      // Until it's over, the choices stay where they are, but for a line.
      const top = game.querySelector(".card").offsetTop;
      first ??= top;
      if (!isOver && Math.abs(top - first) > 24) faults.push(`${game.id}: after ${way.join(" ")}, the choices have moved by ${top - first} pixels`);
      moves.forEach(([, line, to], thread) => {
        const card = game.querySelectorAll(".card")[thread];
        says("a choice", card.querySelector("button").ariaDisabled, String(to < 0));
        const here = [...card.querySelectorAll(".here")].map((it) => it.getBoundingClientRect());
        const code = card.querySelector("pre")?.getBoundingClientRect();
        if (lines[line] && !(here[0]?.top >= code.top - 1 && here[0].bottom <= code.bottom + 1)) faults.push(`${game.id}: after ${way.join(" ")}, the next line of ${threads[thread]} is not to be seen`);
      });
    };
    button("start over").click();
    way = [0];
    check();
    for (let n = 0; n < clicks; n++) {
      const choice = random(threads.length + 1);
      const to = situations[way.at(-1)][1][choice]?.[2] ?? -1;
      if (choice < threads.length && (to !== way.at(-1) || way.length < 2 * longest)) {
        // A thread that can't go on changes nothing.
        if (to >= 0) way.push(to);
        game.querySelectorAll(".card > button")[choice].click();
      } else if (way.length > 1 && random(longest) === 0) {
        way = [0];
        button("start over").click();
      } else {
        if (way.length > 1) way.pop();
        button("back").click();
      }
      check();
    }
    // The steps by which each order that is named can be played.
    const steps = (order, way = [0], has = false) => {
      const at = way.at(-1);
      const [, moves, met] = situations[at];
      const goesOn = [...moves.keys()].filter((thread) => moves[thread][2] >= 0 && moves[thread][2] !== at);
      if (!goesOn.length) return (has || met.includes(order)) && [];
      for (const thread of goesOn) {
        const rest = steps(order, [...way, moves[thread][2]], has || met.includes(order));
        if (rest) return [thread, ...rest];
      }
    };
    for (const order of playable) {
      button("start over").click();
      way = [0];
      for (const thread of steps(order)) {
        way.push(situations[way.at(-1)][1][thread][2]);
        game.querySelectorAll(".card > button")[thread].click();
      }
      check();
    }
    if (fixed && !isWon) faults.push(`${game.id}: each order that it names is played, and it isn't won`);
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

/// Where to click in the first player that is not a button: its caption, or else its lanes.
const anywhere = () => {
  const player = document.querySelector("figure:is(.player, .game):has(.panel)");
  const place = [...(player?.querySelectorAll("figcaption, .lanes, .state") ?? [])].find((it) => it.clientHeight);
  place?.scrollIntoView({ block: "center" });
  const { left, top, height } = place?.getBoundingClientRect() ?? {};
  return place && [left + 5, top + height / 2];
};

/// Which page is shown, and how far its first player has come.
const shown = () => [location.pathname, document.querySelector("figure:is(.player, .game) .place")?.href].join(" ");

/// README's picture is the figure of the first page, with the timer in the gap. It is compared pixel by pixel, and may differ by
/// what another machine's fonts do to the letters.
async function compareFirstScreen({ Page, run, report }) {
  const file = path.join(root, ".github/first-screen.png");
  const clip = await run(async () => {
    const input = document.querySelector(".drag input");
    Object.assign(input, { value: 29.5 }).dispatchEvent(new Event("input"));
    await document.fonts.ready;
    // The hatched place glides to where it is.
    await new Promise(requestAnimationFrame);
    await Promise.all(document.getAnimations().map((it) => it.finished));
    const { left, top, width } = document.querySelector("main").getBoundingClientRect();
    const { bottom } = document.querySelector(".drag .panes").getBoundingClientRect();
    return { x: left - 8, y: top, width: width + 16, height: bottom - top + 8, scale: 1 };
  });
  const { data } = await Page.captureScreenshot({ format: "png", clip });
  if (takesPicture) return fs.writeFileSync(file, data, "base64");
  const differs = async (...images) => {
    const pixels = [];
    for (const image of images) {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${image}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas.drawImage(bitmap, 0, 0);
      pixels.push(canvas.getImageData(0, 0, bitmap.width, bitmap.height));
    }
    const [one, two] = pixels;
    if (one.width !== two.width || one.height !== two.height) return 1;
    return one.data.filter((value, n) => Math.abs(value - two.data[n]) > 64).length / one.data.length;
  };
  const part = await run(differs, data, fs.readFileSync(file, "base64"));
  if (!(part < 0.02)) report([`README's picture is not the first page's: ${Math.round(part * 100)} % of it differs. Take it again with: node tools/course/browser.js --picture`]);
}

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

/// Starts a browser with a profile of its own, and connects to it.
async function start(number, started) {
  const profile = path.join(root, "target", `chromium-${number}`);
  // What an earlier run has left there is part of what a page shows.
  fs.rmSync(profile, { recursive: true, force: true });
  // A walk changes the address at each click, and a drag at each place, which is too fast for the protection.
  const flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-ipc-flooding-protection --hide-scrollbars --remote-debugging-port=0";
  const chromium = spawn(process.env.CHROMIUM ?? "chromium", [...flags.split(" "), `--user-data-dir=${profile}`]);
  started.push(chromium);
  const port = await new Promise((found, failed) => {
    chromium.on("error", failed);
    chromium.stderr.on("data", (text) => /ws:\/\/[^:]+:(\d+)/.test(text) && found(Number(RegExp.$1)));
  });
  return require(tool("chrome-remote-interface"))({ port });
}

/// What opens pages in a browser, and says of each fault on which page it is.
async function reader({ Page, Runtime, Log, Network, Emulation, Input, Performance }, home, faults) {
  const source = fs.readFileSync(tool("axe-core/axe.min.js"), "utf8");
  let name = "";
  const report = (found) => faults.push(...found.map((it) => `${name}: ${it}`));
  Log.entryAdded(({ entry }) => ["error", "warning"].includes(entry.level) && report([`the console says ${entry.text}`]));
  Runtime.exceptionThrown(({ exceptionDetails: it }) => report([`an error: ${it.exception?.description ?? it.text}`]));
  Network.requestWillBeSent(({ request }) => {
    if (![home, "data:", "blob:", "chrome:"].some((it) => request.url.startsWith(it))) report([`a request goes to ${request.url}`]);
  });
  for (const domain of [Page, Runtime, Log, Network, Performance]) await domain.enable();
  // The page with all chapters would ask for a printer.
  await Page.addScriptToEvaluateOnNewDocument({ source: "window.print = () => {}" });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await Runtime.evaluate({ expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) report([exceptionDetails.exception?.description ?? exceptionDetails.text]);
    return exceptionDetails ? [] : result.value;
  };
  const run = (code, ...values) => evaluate(`(${code})(${values.map((it) => JSON.stringify(it)).join(", ")})`);
  const layouts = async () => (await Performance.getMetrics()).metrics.find((it) => it.name === "LayoutCount").value;
  async function open(page, width, theme) {
    name = `${page} (${theme}, ${width} pixels)`;
    await Emulation.setDeviceMetricsOverride({ width, height: 900, deviceScaleFactor: 1, mobile: false });
    await Emulation.setEmulatedMedia({ features: [{ name: "prefers-color-scheme", value: theme }] });
    // An address from elsewhere may be malformed.
    await Page.navigate({ url: `${home}${page}.html${width > 600 ? "#see:%" : ""}` });
    // Not the next load event, which may be that of the empty page before.
    await evaluate("new Promise((done) => (document.readyState === 'complete' ? done() : addEventListener('load', done)))");
    await evaluate(source);
  }
  return { Page, Input, run, open, report, layouts };
}

/// All that is looked at on a page, wide and narrow.
async function readPage(it, page, found) {
  const { Input, run, open, report, layouts } = it;
  for (const [width, theme] of [[1280, "light"], [390, "dark"]]) {
    await open(page, width, theme);
    if (page === "introduction" && width > 600) await compareFirstScreen(it);
    report(await run(early));
    report((await run(walked, 30)).slice(0, 9));
    const before = await layouts();
    report(await run(played));
    const each = ((await layouts()) - before) / (await run(steps));
    // To look at a step takes one layout, too.
    if (each > 3) report([`the page is laid out ${each.toFixed(1)} times for each step of its players`]);
    for (const look of [games, axe]) report(await run(look));
    if (width < 600) report(await run(narrow));
    const place = width > 600 && (await run(anywhere));
    if (!place) continue;
    for (const type of ["mousePressed", "mouseReleased"]) await Input.dispatchMouseEvent({ type, x: place[0], y: place[1], button: "left", clickCount: 1 });
    const from = await run(shown);
    for (const type of ["keyDown", "keyUp"]) await Input.dispatchKeyEvent({ type, key: "ArrowLeft", code: "ArrowLeft", windowsVirtualKeyCode: 37 });
    const to = await run(shown);
    if (to === from || to.split(" ")[0] !== from.split(" ")[0]) report([`after a click on the player's caption, the left arrow key leads from ${from} to ${to}`]);
  }
  found.ids.set(page, new Set(await run(() => [...document.querySelectorAll("[id]")].map((it) => it.id))));
  const there = await run(() => [...document.querySelectorAll("a[href], img[src]")].map((it) => it.href ?? it.src));
  found.links.push(...there.map((it) => [page, it]));
  for (const word of await run(words)) found.eastAsian.set(word, [...(found.eastAsian.get(word) ?? []), `${page}.html`]);
}

async function readPrint({ run, open, report }) {
  await open("print", 1280, "light");
  const playing = await run(() => document.querySelectorAll(".panel, .verdict").length);
  if (playing) report([`${playing} figures play, which takes a browser many seconds`]);
}

/// The links that lead to no file, or to no place in it.
function broken({ ids, links }, home) {
  const leads = (link) => {
    const [file, id] = link.split("#");
    const there = ids.get(file.slice(home.length).replace(/\.html$/, ""));
    return there ? !id || there.has(decodeURIComponent(id)) : file.startsWith(home) && fs.existsSync(new URL(file));
  };
  const wrong = links.filter(([, link]) => !link.startsWith("https://") && !link.includes("#see:") && !leads(link));
  return wrong.map(([page, link]) => `${page}: ${link.replace(home, "")} leads nowhere`);
}

async function main() {
  const book = path.join(root, "target/book");
  const built = spawnSync("mdbook", ["build", path.join(root, "book"), "--dest-dir", book], { encoding: "utf8" });
  if (built.status !== 0) throw built.error ?? new Error(built.stderr);
  const faults = built.stderr.split("\n").filter((it) => /WARN|ERROR/.test(it));
  const home = pathToFileURL(book).href + "/";
  const found = { ids: new Map(), links: [], eastAsian: new Map() };
  const summary = fs.readFileSync(path.join(root, "book/src/SUMMARY.md"), "utf8");
  const pages = ["print", "play/index", ...[...summary.matchAll(/\]\(([^)]+)\.md\)/g)].map((it) => it[1])];
  const started = [];
  try {
    const count = takesPicture || walks ? 1 : os.availableParallelism();
    const clients = await Promise.all(Array.from({ length: count }, (_, number) => start(number, started)));
    const readers = await Promise.all(clients.map((it) => reader(it, home, faults)));
    const [first] = readers;
    if (takesPicture) {
      await first.open("introduction", 1280, "light");
      return await compareFirstScreen(first);
    }
    if (walks) {
      await first.open("play/index", 1280, "light");
      first.report((await first.run(walked, 2000)).slice(0, 9));
    } else {
      // Each browser reads the page that is next, until there is none.
      const read = async (it) => {
        for (let page; (page = pages.shift()); ) await (page === "print" ? readPrint(it) : readPage(it, page, found));
      };
      await Promise.all(readers.map(read));
      await first.open("introduction", 1280, "light");
      first.report(await first.run(searched, [...found.eastAsian]));
      faults.push(...broken(found, home));
    }
  } finally {
    for (const chromium of started) chromium.kill();
  }
  for (const it of new Set(faults)) console.log(it);
  process.exitCode = faults.length ? 1 : 0;
}

main().catch((error) => {
  console.error(`browser.js: ${error.message.split("\n")[0]}`);
  process.exitCode = 1;
});
