"use strict";

// *Be the executor*: the reader chooses which task to poll and when to sleep. Where each choice leads was computed in Rust and is part of
// the page: this shows it.
// The page with all chapters is for paper, and keeps the drawing.
if (!location.pathname.endsWith("/print.html")) {
  const figure = document.querySelector(".executor");
  const { modes, ends, again, guessed, says, game } = JSON.parse(figure.querySelector("script").textContent);
  const letters = "ABCDz";
  let [wakers, at, polls, wasted, late, chosen] = [0];
  // What the reader's latest end without wakers has cost.
  let guesses = "";

  const make = (name, parent, values = {}) => parent.appendChild(Object.assign(document.createElement(name), values));
  const panel = make("div", figure);
  const lanes = figure.querySelector(".lanes");
  figure.prepend(panel);
  const verdict = make("p", panel, { role: "status" });
  const cards = make("div", panel, { className: "bar cards" });
  const choices = [0, 1, 2, 3].map((n) => make("button", cards, { className: letters[n], onclick: () => go(n) }));
  const bar = make("div", panel, { className: "bar" });
  const queue = make("div", bar, { className: "queue" });
  const clock = make("b", bar);
  const sleep = make("button", bar, { onclick: () => go(4) });
  // The reader's lane begins as every lane does, with the first poll of each task.
  const yours = lanes.children[0].cloneNode(true);
  const [name, cost, cells] = yours.children;
  const first = [...cells.children].slice(0, 8); // the ticks of the timers, and these polls
  const others = document.createElement("small");
  lanes.prepend(yours, others);
  name.textContent = "you";
  const modeBar = make("div", panel, { className: "bar" });
  const toggle = make("button", modeBar, { role: "switch", innerHTML: "<i></i><b>wakers</b>", onclick: () => begin(1 - wakers) });
  make("button", modeBar, { textContent: "start over", onclick: () => begin(wakers) });

  function show(text, sign) {
    const [ms, pending, woken] = game.moments[at];
    const [, what, queued, sleeps] = modes[wakers];
    const inside = wakers ? woken : pending;
    verdict.className = `verdict ${sign}`;
    verdict.innerHTML = text;
    choices.forEach((card, n) => {
      const is = pending.includes(n) ? (inside.includes(n) ? queued : "pending") : "finished";
      card.innerHTML = `<b>${letters[n]}</b> <span>${is}</span> <em>${is === "finished" ? "✓" : "poll"}</em>`;
      card.ariaDisabled = String(is === "finished");
      card.classList.toggle("woken", is === "woken");
    });
    const chips = inside.map((n) => `<i class="${letters[n]}">${letters[n]}</i>`);
    queue.innerHTML = `<b>queue</b> ${chips.join(" ") || "empty"} <small>${what}</small>`;
    clock.textContent = `${ms} ms`;
    sleep.textContent = sleeps;
    sleep.disabled = !pending.length;
    // Where a timer fires is seen when it has fired, or without wakers, when a poll has found that out.
    first.slice(0, 4).forEach((tick, n) => (tick.hidden = wakers ? tick.style.getPropertyValue("--at") > ms : pending.includes(n)));
    others.textContent = pending.length ? "For comparison, when you've finished:" : "For comparison, chapter 04's executors:";
    cost.textContent = `${polls} polls, ${wasted} wasted, ${late} ms late`;
    toggle.ariaChecked = String(wakers === 1);
    figure.className = `picture executor ${pending.length ? "on" : "over"}`;
  }

  // Chooses, and puts what the reader has reached into the page's address, by which it can be shared.
  function go(n) {
    choose(n);
    history.replaceState(null, "", `#see:${figure.id}:${wakers ? "wakers" : "queue"}:${chosen}`);
  }

  function choose(n) {
    const [from, left, before, choices] = game.moments[at];
    // A finished future must not be polled again.
    if (n < 4 && !left.includes(n)) return;
    const [to, key, by] = choices[n === 4 ? 4 + wakers : n];
    const [until, pending, woken] = game.moments[to];
    const does = game.does[key];
    if (to !== at) chosen += letters[n];
    if (to !== at) make("i", cells, { className: `${letters[n]} ${does}`, textContent: letters[n], style: `--at: ${from}; --to: ${until}` });
    polls += to !== at && n < 4;
    wasted += does === "wasted";
    late += by;
    const end = does === "ready" && !pending.length && ends[wakers][+(wasted > 0)][+(late > 0)];
    const now = wakers ? woken.filter((it) => !before.includes(it)).map((it) => ` ${letters[it]} is in the queue now.`) : [];
    at = to;
    if (end && !wakers) guesses = guessed.replace("{wasted}", wasted).replace("{late}", late);
    const more = wakers ? (wasted + late ? "" : guesses) : again;
    const text = end ? end.replace("</small>", `${more}</small>`) : says[does].replace("{task}", letters[n]).replace("{late}", by);
    show(now.length ? `${text} <small>${now.join("")}</small>` : text, { wasted: "bad", ready: end && wasted + late ? "" : "ok" }[does]);
    figure.dispatchEvent(new CustomEvent("played", { bubbles: true, detail: Boolean(end && !wasted && !late) }));
  }

  function begin(mode) {
    [wakers, at, polls, wasted, late, chosen] = [mode, 0, 4, 0, 0, ""];
    cells.replaceChildren(...first);
    show(modes[wakers][0]);
    figure.dispatchEvent(new CustomEvent("played", { bubbles: true, detail: false }));
  }

  function follow() {
    const [, named, mode, steps] = /^#see:([\w-]+):(queue|wakers):([A-Dz]*)$/.exec(location.hash) ?? [];
    if (figure.id !== named) return;
    begin(Number(mode === "wakers"));
    for (const it of steps) choose(letters.indexOf(it));
  }
  addEventListener("hashchange", follow);
  begin(0);
  follow();
}
