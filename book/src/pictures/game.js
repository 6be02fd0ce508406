"use strict";

// *You are the scheduler*: the reader decides which thread makes the next step. Every situation was computed in Rust and is part of the
// page: this shows it.
// A page has a line for it at each of its figures, and the first one is enough for all. The page with all chapters is for paper.
if (!window.gamesAreOn && !location.pathname.endsWith("/print.html")) {
  window.gamesAreOn = true;
  // A figure begins to play when it comes near the screen, or when the page's address names it.
  const near = new IntersectionObserver(
    (changes) => changes.filter((change) => change.isIntersecting).forEach((change) => start(change.target)),
    { rootMargin: "600px" },
  );
  const start = (figure) => {
    near.unobserve(figure);
    if (!figure.querySelector(".panel")) playGame(figure);
  };
  const startNamed = () => {
    const [, name] = /^#see:([\w-]+):/.exec(location.hash) ?? [];
    const figure = name && document.getElementById(name);
    if (figure?.matches(".game")) start(figure);
  };
  document.querySelectorAll("figure.game").forEach((it) => near.observe(it));
  addEventListener("hashchange", startNamed);
  startNamed();
}

function playGame(figure) {
  const { fixed, rows, cells, lines, threads, texts, ends, whys, fatal, verdict: lostWords, gap, cure, longest, situations } = JSON.parse(figure.querySelector("script").textContent);
  const blocks = [...figure.querySelectorAll(".listing code")].map((it) => it.textContent.trimEnd().split("\n"));
  const [caption, glossary] = ["figcaption", ".words"].map((it) => figure.querySelector(it));
  const inWords = figure.querySelector(":scope > :is(details:not(.words), p)");
  // Where no order loses the wake, which of the orders to play the reader has played.
  const played = new Set();
  // The gap is seen after the first order that the reader has played, and from the beginning on where it's known from another figure.
  let showsGap = Boolean(fixed);
  const isInGap = ({ at }) => gap?.at.includes(at);
  const [gapSteps, gapNote] = gap?.name.split(/(?=, )/) ?? [];
  const looks = ["ex", "ti"];
  const text = (html) => Object.assign(document.createElement("p"), { innerHTML: html }).textContent;
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  // Each situation that the reader has reached, and the thread whose step led there.
  const way = [{ at: 0 }];
  const here = () => situations[way.at(-1).at];
  const goesOn = (at, thread) => situations[at][1][thread][2] >= 0;
  // What a thread waits for, as the lanes call it. One that has no more to do waits for nothing.
  const waits = (at, thread) => (goesOn(at, thread) ? "" : situations[at][1][thread][3]);
  // Only a wake ends a sleep. A lock that is released, or an event of the kernel, isn't one.
  const isAsleep = (at, thread) => waits(at, thread) && !waits(at, thread).startsWith("waits");
  const isOver = () => here()[1].every(([, , to]) => to < 0 || to === way.at(-1).at);

  const make = (name, parent, values = {}) => parent.appendChild(Object.assign(document.createElement(name), values));
  const panel = document.createElement("div");
  panel.className = "panel";
  // A phone has no room for what explains the words, unless the reader asks for it.
  if (innerWidth <= 740) glossary?.removeAttribute("open");
  figure.prepend(caption, glossary ?? "", panel);
  const goals = make("p", panel, { className: "goals" });
  const lanes = make("div", panel, { className: "state" });
  const order = make("p", panel, { className: "order" });
  const says = make("p", panel, { className: "says", role: "status" });
  const bar = make("div", panel, { className: "bar" });
  const cards = make("div", panel, { className: "cards" });
  const button = (textContent, onclick) => make("button", bar, { type: "button", textContent, onclick });
  const back = button("back", () => go(way.slice(0, -1)));
  const restart = button("start over", () => go(way.slice(0, 1)));
  back.dataset.key = "←";
  const link = make("a", bar, { className: "place", title: "A link to this position" });

  // The lanes, from above: the first thread, what the threads share, and the second thread.
  const shared = [...rows.keys()].filter((row) => rows[row][1] === null);
  const drawn = [{ thread: 0 }, ...shared.map((row) => ({ row })), { thread: 1 }];
  const names = make("div", lanes, { className: "names" });
  for (const lane of drawn) {
    const { thread } = lane;
    if (thread !== undefined) lane.row = rows.findIndex(([, of]) => of === thread);
    lane.look = looks[thread] ?? "";
    const line = make("div", names, { className: lane.look });
    make("b", line, { textContent: (threads[thread] ?? rows[lane.row][0]).replace("the ", "") });
    if (lane.row >= 0) lane.value = make("span", line, { className: "value" });
    lane.line = line;
  }
  const plot = make("div", lanes, { className: "plot" });
  let [measured, opens] = [0, false];

  // A card is a thread's next step, with its code below.
  const choices = threads.map((name, thread) => {
    const card = make("div", cards, { className: `card ${looks[thread]}` });
    const choice = make("button", card, { type: "button", onclick: () => choose(thread) });
    choice.dataset.key = thread + 1;
    const places = situations.map((it) => lines[it[1][thread][1]]).filter(Boolean);
    const code = make("pre", card, { tabIndex: 0, role: "group", ariaLabel: `The code of ${name}` });
    const size = (it) => piece(it).to - piece(it).from + gaps(piece(it), it[0]).length;
    code.style.setProperty("--lines", Math.min(16, Math.max(...places.map(size))));
    return { choice, code, first: places[0] };
  });

  // The lines around a place, up to an empty one.
  function piece([block, first, last]) {
    const all = blocks[block];
    const isEmpty = (it) => !(all[it] ?? "").trim();
    let [from, to] = [first, last + 1];
    while (!isEmpty(from - 1)) from--;
    while (!isEmpty(to)) to++;
    // What stands above a function is for its other readers.
    while (from < first && /^\s*(\/\/\/|#\[)/.test(all[from])) from++;
    return { all, from, to };
  }

  // The lines of a piece before which there is the gap.
  function gaps({ from, to }, of) {
    const inside = (gap?.before ?? []).filter(([block, line]) => block === of && line >= from && line < to);
    return inside.map((it) => it[1]);
  }

  // The name of a step with what came of it, and its lines.
  const labelOf = (step) => situations[way[step - 1].at][1][way[step].thread][3];
  const placeOf = (step) => lines[situations[way[step - 1].at][1][way[step].thread][1]];
  const named = (step) => `${step} (${labelOf(step)})`;

  const row = (name, what) => `<span class="row"><b>${name}</b> ${what}</span>`;

  // At the end of an order that loses the wake: which step decided, and what the cure is.
  function summary(lost) {
    const opens = way.findLastIndex((it, n) => n < lost && isInGap(it) && !isInGap(way[n - 1]));
    const closes = way.findIndex((it, n) => n > lost && !it.thread);
    return row("Where", `step ${named(lost)} of ${threads[1]} came between steps ${named(opens)} and ${named(closes)} of ${threads[0]}.`) + row("Cure", cure);
  }

  // The steps that `#see:` or the opening names, by the numbers of their threads.
  function take(steps) {
    way.splice(1);
    for (const it of steps) {
      const to = here()[1][it - 1]?.[2] ?? -1;
      if (to >= 0) way.push({ at: to, thread: it - 1 });
    }
  }

  function show() {
    const { at, thread: latest } = way.at(-1);
    const [end, moves, reached, ...values] = situations[at];
    const before = situations[way.at(-2)?.at ?? at].slice(3);
    const lost = way.findIndex((it) => situations[it.at][0] === 1);
    for (const { row, value } of drawn) {
      if (!value) continue;
      value.innerHTML = cells[values[row]];
      value.parentElement.classList.toggle("new", values[row] !== before[row]);
    }
    if (fixed && isOver()) for (const it of way.flatMap(({ at }) => situations[at][2])) played.add(it);
    const left = (fixed?.orders ?? []).filter((_, n) => !played.has(n));
    const goal = (it) => `<span class="${left.includes(it) ? "" : "got"}">${left.includes(it) ? "☐" : "☑"} ${it}</span> `;
    goals.innerHTML = fixed ? `Play both orders: ${fixed.orders.map(goal).join("")}` : `Goal, all at once: ${cells[reached]}`;
    const isWon = isOver() && (fixed ? !left.length : end === 1);
    const did = way.length > 1 ? `${capital(threads[latest])} ${texts[situations[way.at(-2).at][1][latest][0]]}.` : "Choose the thread that makes the first step.";
    const isLost = isOver() && end === 1;
    const name = (step) => (isOver() ? labelOf(step) : labelOf(step).split(":")[0]);
    let ending = end ? ends[end].replaceAll("#", lost) : "";
    const why = end === 2 && whys.find(([, at]) => way.some((it) => at.includes(it.at)));
    if (why) [ending] = why;
    // The step to which it's due that the wake isn't lost.
    const due = why?.[2];
    const saved = due ? way.findLastIndex((_, n) => n && placeOf(n)?.[0] === due[0] && placeOf(n)[1] <= due[1] && placeOf(n)[2] >= due[1]) : -1;
    // Why nothing can save the wake any more is said at the step that loses it.
    let words = way.length - 1 === lost ? ending : `${did} ${lost > 0 ? "Nothing can save the wake any more." : ending}`;
    if (end === 2 && !fixed) words = `<b>The wake isn't lost.</b> ${ending} Go back, and try another order.`;
    if (fixed && isOver()) {
      const which = left.length > 1 ? "these orders" : "the other order";
      const next = isWon ? inWords.textContent : `Start over, and play ${which}: ${left.join(", and ")}.`;
      words = `<b>${isWon ? "You've played both kinds of orders, and the wake was never lost." : "The wake isn't lost."}</b> ${ending}${saved > 0 ? row("Where", `step ${named(saved)} of ${threads[way[saved].thread]}`) : " "}${next}`;
    }
    if (isLost) words = `<b>${lostWords}</b>${summary(lost)}`;
    // Where the lanes have no room for the names of the steps, they stand here, and at the end in any case.
    const names = way.slice(1).map((_, n) => `<b class="${lookOf(n + 1, lost, saved)}">${n + 1} ${name(n + 1)}</b>`);
    order.innerHTML = `Order: ${names.join(" → ")}${isOver() ? "" : names.length ? " → ?" : "?"}`;
    order.classList.toggle("over", isOver());
    says.innerHTML = opens ? fixed.says : words;
    says.className = `says ${isLost ? "bad" : fixed && isOver() ? "ok" : ""}`;
    showsGap ||= isOver();
    // It's said at the end.
    if (inWords && fixed) inWords.hidden = true;
    link.textContent = "link to this step";
    link.href = `#see:${figure.id}:${way.slice(1).map((it) => it.thread + 1).join("") || 0}`;
    const busy = document.activeElement;
    back.disabled = way.length === 1;
    restart.disabled = back.disabled;
    restart.classList.toggle("next", fixed && isOver() && !isWon);
    // A button that is disabled loses the focus, and the keys would go with it.
    if (figure.contains(busy) && busy.disabled) figure.focus({ preventScroll: true });
    moves.forEach(([does, line, to], thread) => {
      const { choice, code, first } = choices[thread];
      // What comes of the step is said after it.
      choice.innerHTML = `<b>${threads[thread]}</b> ${to < 0 ? texts[does] : texts[does].split(": ")[0]}`;
      choice.ariaDisabled = String(to < 0);
      // At the end, the code is at the step that has lost or saved the wake, and of the other thread at the step with which that one met.
      const [key, isIts] = [isLost ? lost : saved, (it, n) => n && it.thread === thread];
      let its = isOver() ? key : -1;
      if (its > 0 && way[key].thread !== thread) its = isLost ? way.findIndex((it, n) => n > key && isIts(it, n)) : way.findLastIndex((it, n) => n < key && isIts(it, n));
      const place = its > 0 ? placeOf(its) : lines[line];
      // A thread that stands nowhere has the code of its last step.
      const latest = way.findLastIndex((it, n) => it.thread === thread && placeOf(n));
      showCode(code, place ?? (latest > 0 ? placeOf(latest) : first), place);
    });
    draw(lost, saved);
    figure.dispatchEvent(new CustomEvent("played", { bubbles: true, detail: isWon }));
  }

  // The step that loses the wake, what it makes go wrong later, and the step that saves the wake have a colour of their own.
  const lookOf = (step, lost, saved) => (step === lost || (lost > 0 && step > lost && labelOf(step).includes(":")) ? "bad" : step === saved ? "ok" : looks[way[step].thread]);

  function showCode(code, shown, place) {
    const { all, from, to } = piece(shown);
    const texts = all.slice(from, to);
    const indent = Math.min(...texts.map((it) => it.search(/\S/)));
    code.replaceChildren();
    let first;
    const before = gaps({ from, to }, shown[0]);
    texts.forEach((it, n) => {
      // Its room is kept, so that nothing moves.
      if (before.includes(from + n)) make("div", code, { className: `gap ${fixed ? "gray" : ""} ${showsGap ? "" : "later"}`, innerHTML: `<span>the gap${gapNote ?? ": other threads may run here"}</span>` });
      const isHere = from + n >= shown[1] && from + n <= shown[2];
      const line = make("div", code, { textContent: it.slice(indent), className: isHere ? (place ? "here" : "did") : "" });
      if (isHere) first ??= line;
    });
    // By whole lines, with the one above if there is room for it.
    const above = first?.previousElementSibling;
    const fits = above && first.offsetTop + first.offsetHeight - above.offsetTop < code.clientHeight;
    code.scrollTop = code.scrollHeight > code.clientHeight ? ((fits ? above : first)?.offsetTop ?? 0) : 0;
  }

  // The height of the names' column beside each lane, whatever is written there, so that nothing is cut off or moves.
  function measure() {
    const room = make("div", lanes, { className: "names room" });
    const copies = drawn.map((lane) => {
      const all = new Set(lane.value ? situations.map((it) => cells[it[3 + lane.row]]) : [""]);
      return [...all].map((it) => {
        const copy = room.appendChild(lane.line.cloneNode(true));
        copy.style.height = "auto";
        if (lane.value) copy.querySelector(".value").innerHTML = it;
        return copy;
      });
    });
    drawn.forEach((lane, n) => (lane.room = Math.ceil(Math.max(...copies[n].map((it) => it.getBoundingClientRect().height)))));
    room.remove();
  }

  function draw(lost, saved) {
    const [W, narrow] = [plot.clientWidth, figure.clientWidth < 700];
    if (!W) return;
    const steps = way.length - 1;
    const columns = Math.max(longest, steps + (isOver() ? 0 : 1));
    const column = W / columns;
    const X = (step) => (step - 0.5) * column;
    const size = Math.min(narrow ? 10 : 13, column / 2 - 1);
    const edge = isOver() ? W : Math.min(W, X(steps + 1));
    const top = narrow ? 24 : 20;
    let y = top;
    if (measured !== W) measure();
    measured = W;
    for (const lane of drawn) {
      const least = lane.thread === undefined ? 26 : narrow ? 36 : 54;
      const height = Math.max(least, lane.room);
      lane.line.style.height = `${height}px`;
      lane.y = y + height / 2;
      y += height;
    }
    names.style.paddingTop = `${top}px`;
    const of = (thread) => drawn.find((it) => it.thread === thread);
    const value = (step, row) => situations[way[step].at][3 + row];
    const isOn = (step, row) => /class=.on/.test(cells[value(step, row)]);
    let out = "";
    const line = (d, look) => (out += `<path d="${d}" class="${look}"/>`);
    const box = (from, to, y, half, look, round = 0) =>
      to > from && (out += `<rect x="${from}" y="${y - half}" width="${to - from}" height="${2 * half}" rx="${round}" class="${look}"/>`);
    const write = (x, y, what, look) => (out += `<text x="${x}" y="${y}" class="${look}">${what}</text>`);
    const dot = (x, y, r, look) => (out += `<circle cx="${x}" cy="${y}" r="${r}" class="${look}"/>`);

    // Where the other figure lost the wake with the same steps.
    const moves = way.slice(1).map((it) => it.thread + 1).join("");
    const wasLost = fixed && moves.startsWith(fixed.opens) && (fixed.opens.length + 0.02) * column;
    // The names of the steps: first those that decide, and then from the last one on. On a phone, one that would meet another, or
    // stand at another step, is left out. Where there is room, it's said what came of the step, but not across the line of the loss.
    const labels = [];
    const halfOf = (what) => 2.95 * what.length + 4.5;
    const isFree = (thread, from, to, step) => !labels.some((it) => it.step !== step && way[it.step].thread === thread && it.to > from && it.from < to);
    const place = (step, what, middle) => {
      const [half, { thread }] = [halfOf(what) + 1.5, way[step]];
      const [from, to] = [middle - half, middle + half];
      const covers = (it, n) => n && n !== step && it.thread === thread && X(n) > from && X(n) < to;
      if (from < -1.5 || to > W + 1.5 || (narrow && way.some(covers)) || !isFree(thread, from, to, step)) return false;
      const label = labels.find((it) => it.step === step);
      if (label) Object.assign(label, { what, from, to, middle });
      else labels.push({ step, what, from, to, middle });
      return true;
    };
    const rank = (step) => (step === lost || step === saved ? 0 : labelOf(step).includes(":") ? 1 : 2);
    const ranked = way.map((_, n) => n).slice(1).sort((one, two) => rank(one) - rank(two) || two - one);
    for (const step of ranked) {
      const what = labelOf(step).split(":")[0];
      const half = halfOf(what);
      place(step, what, Math.min(Math.max(X(step), half), W - half));
    }
    for (const step of ranked) {
      const what = labelOf(step);
      const side = halfOf(what) - size;
      const isCrossed = (it) => !way[step].thread && Math.abs(X(step) + it - (wasLost || (step !== lost && X(lost)))) < side + size;
      if (what.includes(":")) [0, side, -side].some((it) => !isCrossed(it) && place(step, what, X(step) + it));
    }

    // Where each lane will go on.
    for (const { y } of drawn) line(`M0 ${y}H${W}`, "rail");
    // Between its two steps is the gap. Its name stands below the lanes.
    for (let step = 1, from = 0; showsGap && step <= steps; step++) {
      const isOpen = isInGap(way[step]);
      if (isOpen) from ||= step;
      if (!from || (isOpen && step < steps)) continue;
      const [left, right] = [X(from), isOpen ? edge : X(step)];
      out += `<path d="M${left} ${of(0).y}H${right}V${y}H${left}z" fill="url(#${figure.id}-gap)" class="gap"/>`;
      const name = `the gap: ${gapSteps}${narrow ? "" : (gapNote ?? "")}`;
      const half = name.length * 3.9;
      write(Math.min(Math.max((left + right) / 2, half), W - half), y + (narrow ? 20 : 16), name, `mid b ${fixed ? "" : "bad"}`);
      from = 0;
    }
    // From the step that loses the wake on, nothing saves it.
    if (lost > 0) {
      box(X(lost), W, (18 + y) / 2, (y - 18) / 2, "over");
      // It leaves out the label of that step.
      line(`M${X(lost)} 18V${of(1).y}`, "wire bad");
      const words = `step ${lost}${narrow ? "" : ` (${labelOf(lost).split(":")[0]})`} ${fatal}`;
      const half = words.length * 3.9;
      write(Math.min(Math.max(X(lost), half), W - half), 13, words, "b bad mid");
    }
    if (wasLost) {
      line(`M${wasLost} 18V${of(1).y}`, "was");
      write(wasLost + 6, 13, "here it was lost", "bad");
    }
    // The lines of the steps, to what each has looked at or changed.
    const touched = (step) => drawn.filter(({ row, thread }) => thread === undefined && (value(step, row) !== value(step - 1, row) || row === situations[way[step - 1].at][1][way[step].thread][4]));
    // The threads whose sleep a step ends.
    const woken = (step) => [...threads.keys()].filter((it) => it !== way[step].thread && isAsleep(way[step - 1].at, it) && goesOn(way[step].at, it));
    const wires = way.slice(1).map(({ thread }, n) => {
      const ys = [of(thread), ...touched(n + 1), ...woken(n + 1).map(of)].map((it) => it.y);
      return { x: X(n + 1), top: Math.min(...ys), bottom: Math.max(...ys) };
    });
    for (const { thread, row, look, y } of drawn) {
      // What the threads share is a strip where it is set, in the colour of the thread that has set it.
      if (thread === undefined) {
        line(`M0 ${y}H${edge}`, "line dots");
        for (let step = 0, from; step <= steps; step++) {
          if (!isOn(step, row)) continue;
          if (step === 0 || value(step - 1, row) !== value(step, row)) from = step;
          if (step < steps && value(step + 1, row) === value(step, row)) continue;
          const [left, right, look] = [from ? X(from) : 0, step < steps ? X(step + 1) : edge, looks[way[from].thread] ?? "gray"];
          box(left, right, y, narrow ? 8 : 10, `tint ${look}`, 4);
          // What is there, where no line of a step crosses it.
          const what = text(cells[value(from, row)]);
          const ends = [left, ...wires.filter((it) => it.x > left && it.x < right && it.top <= y && it.bottom >= y).map((it) => it.x), right];
          const rooms = ends.slice(1).map((end, n) => [end - ends[n], ends[n]]);
          const [room, at] = rooms.reduce((most, it) => (it[0] > most[0] ? it : most));
          if (what.length * 6.6 < room - 14) write(at + 8, y + 4, what, `what ${look}`);
        }
        continue;
      }
      // A thread is a line until it has no more to do, and a dark bar while it waits.
      const ended = way.findIndex(({ at }) => !goesOn(at, thread) && !waits(at, thread));
      line(`M0 ${y}H${ended < 0 ? edge : X(ended)}`, `line thin ${look}`);
      for (let step = 0, from = -1; step <= steps; step++) {
        const waiting = waits(way[step].at, thread);
        if (waiting && from < 0) from = step;
        if (from < 0 || (waiting && step < steps)) continue;
        const last = way[waiting ? step : step - 1].at;
        const forever = waiting && isOver() && lost > 0 && situations[last][1][thread][4];
        const [start, end, asleep] = [from && X(from), waiting ? edge : X(step), isAsleep(last, thread)];
        box(start, end, y, narrow ? 9 : 12, asleep ? `night ${forever ? "lost" : ""}` : `blocked ${look}`, 6);
        const names = [forever, waits(last, thread)].filter(Boolean);
        const word = names.find((it) => end - start - size > it.length * 7) ?? names[0];
        if (end - start - size > word.length * 7) write(start + size + 6, y + 5, word, asleep ? "pale" : look);
        else if (waiting && W - end - 6 > word.length * 7) write(end + 6, y + 5, word, look);
        else if (!asleep && !narrow) {
          const half = word.length * 3.3;
          const middle = Math.min(Math.max((start + end) / 2, half), W - half);
          // Not on the name of a step of this thread.
          if (isFree(thread, middle - half, middle + half)) write(middle, y + 23, word, `mid ${look}`);
        }
        from = -1;
      }
    }
    // Each step: what it has changed, what it has looked at, and whom it has woken.
    for (let step = 1; step <= steps; step++) {
      const { thread } = way[step];
      const [{ y: from }, look, x] = [of(thread), looks[thread], X(step)];
      for (const { row, y } of touched(step)) {
        const changes = value(step, row) !== value(step - 1, row);
        line(`M${x} ${from}V${y}`, `wire ${look}`);
        dot(x, y, narrow ? 4 : 5, `end ${look} ${changes ? "" : "hollow"}`);
      }
      for (const other of woken(step)) {
        const to = of(other).y + (from > of(other).y ? 14 : -14);
        const back = from > to ? 13 : -13;
        line(`M${x} ${from}V${to + back}`, "wire wake");
        line(`M${x - 7} ${to + back}L${x} ${to}L${x + 7} ${to + back}z`, "solid ok");
      }
    }
    for (let step = 1; step <= steps; step++) {
      const [{ y }, look, label] = [of(way[step].thread), lookOf(step, lost, saved), labels.find((it) => it.step === step)];
      dot(X(step), y, size, `solid ${look}`);
      write(X(step), y + 4.5, step, "number mid");
      if (label) write(label.middle, way[step].thread ? y + size + 13 : y - size - 5, label.what, `mid ${look}`);
    }
    // The steps that may come next, which can be clicked, too.
    threads.forEach((_, thread) => {
      if (!goesOn(way[steps].at, thread)) return;
      out += `<g data-thread="${thread}">`;
      dot(X(steps + 1), of(thread).y, size, `ghost ${looks[thread]}`);
      write(X(steps + 1), of(thread).y + 4.5, "?", `mid b ${looks[thread]}`);
      out += "</g>";
    });
    const height = y + (gap ? (narrow ? 26 : 22) : 4);
    const hatch = `<pattern id="${figure.id}-gap" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M2 0V8"/></pattern>`;
    plot.innerHTML = `<svg aria-hidden="true" viewBox="0 0 ${W} ${height}" height="${height}" class="${fixed ? "fixed" : ""}">${hatch}${out}</svg>`;
    for (const it of plot.querySelectorAll("g")) it.onclick = () => choose(Number(it.dataset.thread));
  }

  function choose(thread) {
    const to = here()[1][thread]?.[2] ?? -1;
    if (to >= 0) go([...way, { at: to, thread }]);
    else if (!isOver()) says.innerHTML = `${capital(threads[thread])} can't make a step: it ${texts[here()[1][thread][0]]}.`;
  }

  // What the reader has reached can be shared by the page's address.
  function go(to) {
    opens = false;
    way.splice(0, Infinity, ...to);
    show();
    history.replaceState(null, "", link.href);
  }

  figure.tabIndex = -1;
  figure.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: () => back.click(), Home: () => restart.click() };
    const move = keys[event.key] ?? (choices[event.key - 1] && (() => choose(event.key - 1)));
    if (event.key.startsWith("Arrow")) event.stopPropagation(); // mdBook would turn the page.
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    // Somebody who has come to the code with the keyboard scrolls it.
    if (event.target.matches("pre:focus-visible")) return;
    event.preventDefault();
    move();
  });

  // `#see:NAME:` and the numbers of the threads.
  function follow() {
    const [, named, steps] = /^#see:([\w-]+):(\d+)$/.exec(location.hash) ?? [];
    if (figure.id !== named) return;
    opens = false;
    take(steps);
    show();
    figure.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  // A fixed figure opens at the moment at which the other one lost the wake.
  if (fixed) {
    take(fixed.opens);
    opens = true;
  }
  show();
  // A page that is narrow for a moment loses the place in the code, too.
  let width = plot.clientWidth;
  new ResizeObserver(() => width !== (width = plot.clientWidth) && show()).observe(plot);
  follow();
}
