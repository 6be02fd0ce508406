"use strict";

// *Drag the timer*: the reader moves the moment at which a timer fires. The orders, and what is said of each, are computed in Rust.
// The page with all chapters is for paper, and keeps the drawing.
if (!location.pathname.endsWith("/print.html")) {
  const figure = document.getElementById("drag");
  const { axis, figures, says, cure, lanes, yours } = JSON.parse(figure.querySelector("script").textContent);
  const listings = [...figure.querySelectorAll(".listing code")].map((it) => it.textContent.split("\n"));
  const codes = listings.map((lines) => lines.join("\n").trim().split(/\n{2,}/));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let [x, lock, touched, judged, moves, W, last] = [54, 0, false, false, 0, 0];
  const seen = [new Set(), new Set()];
  const sign = (how) => (how === "lost" ? "✗" : "✓");
  const from = (n) => figures[lock][n - 1]?.[0][0] ?? axis[0];
  // Where the timer loses its wake.
  const fatal = figures[0].findIndex(([, how]) => how === "lost");
  // The gap, from the check to the store, which the timer doesn't move.
  const gap = ["flag", "waker"].map((place) => figures[0][fatal][3].find(([thread, , , , touches]) => !thread && touches === place)[2][0]);
  const found = () => seen[0].has(figures[0][fatal][0][1]);
  // A step that touches nothing but a lock has no number.
  for (const [figure, order] of figures.flatMap((orders, figure) => orders.map((order) => [figure, order]))) {
    let number = 0;
    order[3] = order[3].map(([thread, label, [a, b], [, from], touches]) => {
      const n = touches === "lock" ? "" : ++number;
      const line = listings[figure][from].trim();
      return { thread, label, line, touches, n, a, b };
    });
  }

  // The line with which the gap ends.
  const gapEnd = figures[0][fatal][3].findLast(({ thread }) => !thread).line;

  const make = (name, parent, values = {}) => parent.appendChild(Object.assign(document.createElement(name), values));
  const panel = make("div", figure);
  figure.querySelector(".still").replaceWith(panel);
  const verdict = make("p", panel, { className: "verdict", role: "status" });
  const plot = make("div", panel, { className: "plot" });
  const hatched = make("div", plot, { className: "gap" });
  make("i", plot); // The drawing takes its place.
  const input = make("input", plot, { type: "range", min: axis[0], max: axis[1], step: 0.5, ariaLabel: "Drag the timer: when does it fire?" });
  const bar = make("div", panel, { className: "bar" });
  const toggle = make("button", bar, { role: "switch", ariaChecked: "false", innerHTML: "<i></i><span><b>one lock</b> <small>around check and store</small></span>" });
  const chips = make("div", bar, { className: "chips" });
  const tally = make("span", bar, { className: "tally" });
  const why = make("p", panel, { className: "why" });
  const panes = make("div", panel, { className: "panes" });

  function draw() {
    const [, ends, , steps] = last;
    const narrow = W < 700;
    const [left, right, size] = narrow ? [0, 28, 11] : [150, 6, 13];
    const X = (t) => left + (t / 100) * (W - left - right);
    const [now, end, open, shut] = [x, 100, ...gap].map(X);
    const [mine, executor, flag, waker, timer] = narrow ? [18, 96, 168, 220, 296] : [20, 96, 162, 210, 278];
    for (const it of steps) it.at = X(it.a + it.b * x);
    const does = (thread, place) => (it) => it.thread === thread && it.touches.includes(place);
    const [check, store] = ["flag", "waker"].map((place) => steps.find(does(0, place)));
    const [raise, look, wake] = ["flag", "waker", "executor"].map((place) => steps.find(does(1, place)));
    const lost = ends === "lost";
    const ready = !lost && steps.findLast(does(0, "flag"));
    let out = "";
    const path = (d, look) => (out += `<path d="${d}" class="${look}"/>`);
    const box = (from, to, y, half, look, round = 6) =>
      (out += `<rect x="${from}" y="${y - half}" width="${Math.max(0, to - from)}" height="${2 * half}" rx="${round}" class="${look}"/>`);
    const text = (at, y, what, look = "") => (out += `<text x="${at}" y="${y}" class="${look}">${what}</text>`);
    const padlock = (at, y, half, look) => {
      path(`M${at - half / 2} ${y - half * 0.7}v${-half * 0.45}a${half / 2} ${half / 2} 0 0 1 ${half} 0v${half * 0.45}`, `bow ${look}`);
      box(at - half, at + half, y + half * 0.05, half * 0.85, `solid ${look}`, 4);
    };
    const station = ({ at, n }, y, look) => {
      if (lock) out += `<circle cx="${at}" cy="${y}" r="${size}" class="solid ${look}"/>`;
      else padlock(at, y, size, look);
      text(at, y + 5, n, "number mid");
    };
    const wire = ({ at }, from, to, look) => {
      path(`M${at} ${from}V${to}`, `wire ${look}`);
      out += `<circle cx="${at}" cy="${to}" r="5" class="end ${look}"/>`;
    };

    // The reader's code sleeps from the poll until it is ready.
    const [begin, to] = [open - (narrow ? 14 : 28), ready ? ready.at + 28 : end];
    text(left, mine + 5, yours[0], "mono");
    box(begin, to, mine, 15, lost ? "night lost" : "calm");
    if (to - begin > 64) text(begin + 8, mine + 5, to - begin > 290 ? yours[1] : ".await", `mono b ${lost ? "pale" : ""}`);
    if (ready) text(to + 8, mine + 5, `${yours[2]} ✓`, "mono b ok");
    else text(end - 10, mine + 5, yours[2], "mono never far");

    // The executor: it polls, sleeps, and perhaps polls again.
    const above = executor - size * 1.6 - 6;
    path(`M${left} ${executor}H${end}`, "line thin");
    if (store) {
      const [from, to] = [store.at, wake ? wake.at : end];
      box(from, to, executor, 14, "night");
      if (to - from > 90) text(from + size + 12, executor + 5, "asleep", "pale");
      text((check.at + from) / 2, above, "poll", "ex b mid");
    }
    const poll = (first, last) => box(first.at - size - 7, last.at + size + 7, executor, 19, "tint ex", 9);
    poll(check, store ?? check);
    if (wake) poll(ready, ready);
    if (ready) text(ready.at + size + 13, executor + 5, "Ready", "mono b ok");

    // The flag and the waker, and who holds their lock.
    const up = raise.at;
    if (lock) {
      box(check.at - 13, (store ?? check).at + 13, (flag + waker) / 2, (waker - flag) / 2 + 27, "tint held ex", 9);
      padlock((store ?? check).at + 13, flag - 24, 9, "ex");
    } else if (found()) text((open + shut) / 2, executor + 36, "the gap", "b bad mid");
    box(up, end, flag, 10, "raised", 0);
    path(`M${left} ${flag + 10}H${up}V${flag - 10}H${end}`, "line");
    path(`M${up} ${flag - 10}l24 7l-24 7z`, "solid ti");
    if (up - left > 44) text(left, flag + 5, "down", "muted");
    if (![check, store].some((it) => it && it.at > up + 20 && it.at < up + 48)) text(up + 28, flag + 6, "up", "muted");
    path(`M${left} ${waker}H${end}`, "line dots");
    if (look.at - left > 90 && up - left > 44) text(left, waker - 6, "none", "muted");
    if (store) {
      const [from, to] = [store.at, wake ? look.at : end];
      box(from, to, waker, 12, "tint ex", 12);
      // Where the raising of the flag doesn't cross it.
      const ends = [from, ...[raise.at].filter((it) => it > from && it < to), to];
      const [room, at] = ends.slice(1).map((it, n) => [it - ends[n], ends[n]]).reduce((one, other) => (other[0] > one[0] ? other : one));
      if (room > 62) text(at + 9, waker + 5, "stored", "ex");
    }
    for (const it of [check, ready || check]) wire(it, executor + 16, raise.at < it.at ? flag - 10 : flag + 10, "ex");
    if (store) wire(store, executor + 16, waker, "ex");
    if (raise !== look || wake) wire(raise, timer - 20, flag - 10, "ti");
    wire(look, timer - 20, waker, lost ? "bad" : wake ? "ti" : "hollow ti");
    if (!wake) text(look.at + 10, waker + 23, "none", lost ? "b bad" : "muted");
    if (wake) {
      path(`M${wake.at} ${timer - 22}V${executor + 30}`, "wire wake");
      path(`M${wake.at - 8} ${executor + 32}l8-13l8 13z`, "solid ok");
      text(wake.at + 10, (waker + timer) / 2 + 4, "wake", "b ok");
    }
    for (const it of steps) if (it.n && !it.thread) station(it, executor, "ex");
    text(check.at, above, "check", "ex mid");
    if (store) text(store.at, above, narrow ? "store" : "store, return Pending", narrow ? "ex mid" : "ex");

    // The timer thread, on the stretches that the reader has tried. At a lock that is held, it waits.
    path(`M${left} ${timer}H${end}`, "track");
    figures[lock].forEach(([[to, id], how], n) => {
      if (seen[lock].has(id)) path(`M${X(from(n))} ${timer}H${X(to)}`, `track ${how === "lost" ? "bad" : "ok"}`);
    });
    const [waits, room] = [raise.at > now + 1, size + 9];
    const [head, tail] = [now - room, (waits ? now : (wake ?? look).at) + room];
    if (waits) box(now, (wake ?? look).at + room, timer, 22, "waits", 11);
    if (waits && raise.at - now > 36) text(now, timer + 38, "waits", "ti mid");
    box(head, tail, timer, 22, "grip", 11);
    path(`M${head - 9} ${timer - 8}l-8 8l8 8M${tail + 9} ${timer - 8}l8 8l-8 8`, "wire ti");
    for (const it of steps) if (it.n && it.thread && it !== wake) station(it, timer, "ti");
    if (wake) text(wake.at, timer + 5, wake.n, "b ok mid");
    for (const it of [raise, look]) text(it.at + 6 * (it === look), timer + 38, it.label, "ti mid");
    if (!touched) text(head - 12, timer + 32, "drag the timer", "b ti hint far");

    lanes.forEach(([name, more], lane) => {
      const y = [mine, executor, flag, waker, timer][lane];
      const look = `b ${["", "ex", "", "", "ti"][lane]}`;
      if (!narrow) text(0, y + (more ? 0 : 5), name, look), text(0, y + 16, more, "muted");
      else if (lane === 1 || (lane === 4 && raise.at > 125)) text(0, y - (lane === 1 ? 38 : 28), name, look);
      else if (lane) text(end, y - (lane === 4 ? -38 : 17), name, `${look} far`);
    });
    if (!lock) for (const y of [flag, waker]) padlock(narrow ? W - 10 : left - 24, y + 3, 8, "gray");

    plot.children[1].outerHTML = `<svg aria-hidden="true" viewBox="0 0 ${W} ${timer + 44}">${out}</svg>`;
    const half = lock || !found() ? 0 : (shut - open) / 2;
    hatched.style.cssText = `left: ${(open + shut) / 2 - half}px; top: ${executor}px; width: ${2 * half}px; height: ${timer + 24 - executor}px`;
    // Its own handle, unseen, is 16 wide.
    Object.assign(input.style, { left: `${X(axis[0] + (lock ? 0 : 4.5)) - 8}px`, width: `${X(axis[1]) - X(axis[0]) + 16}px` });
  }

  // Of each thread, the line that decides is marked.
  function mark() {
    const [, ends, , steps] = last;
    const decides = ends === "ready" ? "flag" : "waker";
    panes.replaceChildren();
    codes[lock].forEach((source, thread) => {
      const [name, does] = lanes[thread ? 4 : 1];
      const pane = make("div", panes, { className: thread ? "ti" : "ex", innerHTML: `<p><b>${name}</b> ${does}</p>` });
      const pre = make("pre", pane);
      // With one lock, the code has a line or two more, and its place is the same.
      pre.style.setProperty("--lines", Math.max(...codes.map((it, n) => it[thread].split("\n").length + Number(!n && !thread))));
      for (const text of source.split("\n")) {
        // Between the check and the store. Its room is kept, so that nothing moves.
        if (!lock && text.trim() === gapEnd) make("div", pre, { className: `gap ${found() ? "" : "later"}`, innerHTML: "<span>the gap: the timer may fire here</span>" });
        const here = steps.filter((it) => it.thread === thread && it.line === text.trim());
        const line = make("div", pre, { textContent: text, className: here.some((it) => it.touches.includes(decides)) ? "here" : "" });
        const numbers = here.map((it) => it.n).join(" ").trim();
        if (numbers) make("b", line, { textContent: numbers });
      }
    });
  }

  function show() {
    W = plot.clientWidth || W;
    const it = figures[lock].find(([[to]]) => x < to) ?? figures[lock].at(-1);
    const [[, id], ends, because] = it;
    const same = it === last && touched === judged;
    // A step that waits for the lock doesn't move with the timer.
    const waited = lock && it[3].some(({ thread, touches, b }) => thread && touches.includes("flag") && !b) ? "The timer wanted to fire in the gap, but had to wait for the lock. So the waker was stored when it looked. " : "";
    [last, judged] = [it, touched];
    // Until the reader moves the timer, no order is judged or counted.
    if (touched) seen[lock].add(id);
    panel.className = touched ? ends : "";
    draw();
    input.value = x;
    if (same) return;
    verdict.textContent = touched ? `${sign(ends)} ${says[ends]}` : "Drag the timer. When is the wake lost?";
    why.innerHTML = touched ? lock ? `${waited || because} ${cure}` : because : "The executor polls your code, and the timer thread wakes it. Each takes a few steps, and the moment at which the timer fires decides in which order they are taken.";
    input.ariaValueText = verdict.textContent;
    mark();
    // A chip for each order. They stay, so that the one that has the focus keeps it.
    const orders = figures[lock].filter(([[, number]], n, all) => all[n - 1]?.[0][1] !== number);
    while (chips.children.length > orders.length) chips.lastChild.remove();
    for (const [n, [[, number], how]] of orders.entries()) {
      const known = seen[lock].has(number) && how;
      Object.assign(chips.children[n] ?? make("button", chips), {
        className: known || "",
        textContent: known ? sign(how) : "?",
        ariaLabel: `Order ${number + 1}: ${known ? says[how] : "not tried yet"}`,
        ariaCurrent: String(number === id),
        onclick: () => {
          const n = figures[lock].findIndex(([[, it]]) => it === number);
          glide((from(n) + figures[lock][n][0][0]) / 2, 350);
        },
      });
    }
    const [count, tried] = [orders.length, seen[lock].size];
    const counted = `${tried} of ${count} orders tried${tried < count ? "" : `: ${1 - lock || "none"} loses the wake`}`;
    tally.textContent = touched ? counted : `${count} orders`;
  }

  function glide(to, ms) {
    const [move, from, start] = [++moves, x, performance.now()];
    touched = true;
    const go = (now) => {
      if (move !== moves) return;
      const part = still ? 1 : Math.min(1, Math.max(0, (now - start) / ms));
      x = from + (to - from) * part * (2 - part);
      show();
      if (part < 1) requestAnimationFrame(go);
      else keep();
    };
    go(start);
  }

  const set = (at, locked = lock) => {
    [x, lock, touched, moves] = [at, locked, true, moves + 1];
    toggle.ariaChecked = String(lock === 1);
    show();
  };
  // What the reader has reached can be shared by the page's address. It's won when the timer is let go there.
  function keep() {
    history.replaceState(null, "", `#see:drag:${lock ? "one-lock" : "two-locks"}:${x.toFixed(1)}`);
    figure.dispatchEvent(new CustomEvent("played", { bubbles: true, detail: last[1] === "lost" }));
  }
  function follow() {
    const [, lock, at] = /^#see:drag:(one-lock|two-locks):([\d.]+)$/.exec(location.hash) ?? [];
    if (at) set(Math.min(Math.max(Number(at), axis[0]), axis[1]), Number(lock === "one-lock"));
  }
  addEventListener("hashchange", follow);
  input.oninput = () => set(Number(input.value));
  input.onchange = keep;
  input.onpointerdown = () => (input.step = 0.5);
  input.onkeydown = (event) => {
    input.step = 2;
    event.stopPropagation(); // It would turn the page.
  };
  toggle.onclick = () => {
    set(x, 1 - lock);
    keep();
  };
  addEventListener("beforeprint", () => set(29.5, 0));
  new ResizeObserver(show).observe(plot);
  show();
  follow();
}
