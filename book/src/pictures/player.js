"use strict";

// Steps through a recorded run. Each state was computed in Rust and is part of the page: this shows it. Without the script, the lanes
// and the list of steps can still be read.
// A page has a line for it at each of its figures, and the first one is enough for all. The page with all chapters is for paper.
if (!window.playersAreWatched && !location.pathname.endsWith("/print.html")) {
  window.playersAreWatched = true;
  // To show a figure means to measure it, which takes time. So a figure begins to play when it comes near the screen, or when the
  // page's address names it.
  const near = new IntersectionObserver(
    (changes) => changes.filter((change) => change.isIntersecting).forEach((change) => start(change.target)),
    { rootMargin: "600px" },
  );
  const start = (figure) => {
    near.unobserve(figure);
    if (!figure.querySelector(".panel")) play(figure);
  };
  const startNamed = () => named().figure && start(named().figure);
  for (const figure of document.querySelectorAll("figure.player:has(script)")) near.observe(figure);
  addEventListener("hashchange", startNamed);
  startNamed();
}

// `#see:12` names step 12 of the page's first player, `#see:NAME:12` that of another one.
function named() {
  const [, name, steps] = /^#see:(?:([\w-]+):)?(\d+)$/.exec(location.hash) ?? [];
  const players = "figure.player:has(script)";
  return { steps, figure: steps && document.querySelector(name ? `#${CSS.escape(name)}:is(${players})` : players) };
}

function play(figure) {
  const { first, lines, at, steps, memory } = JSON.parse(figure.querySelector("script").textContent);
  const said = [...figure.querySelectorAll("details li")];
  const [lanes, time, key, listing, title, ending] = [".lanes", ".time", ".key", ".listing", "figcaption", ".end"].map((it) => figure.querySelector(it));
  const listings = [...listing.querySelectorAll("code")];
  const last = steps.length - 1;
  let now = 0;

  const make = (name, parent, values = {}) => parent.appendChild(Object.assign(document.createElement(name), values));
  const panel = document.createElement("div");
  panel.className = "panel";
  figure.prepend(title, panel);

  const bar = make("div", panel, { className: "controls" });
  const button = (text, go) => make("button", bar, { type: "button", textContent: text, onclick: go });
  const nextWake = () => steps.findIndex(([, , wake], step) => step > now && wake);
  const back = button("back", () => show(now - 1));
  const step = button("step", () => show(now + 1));
  const start = button("start over", () => show(0));
  back.dataset.key = "←";
  step.dataset.key = "→";
  step.className = "step";
  // The code is what the page builds further down, so a first reader sees the run alone.
  const code = listings.length && button("code", () => {
    code.setAttribute("aria-pressed", String(figure.classList.toggle("code")));
    show(now);
  });
  if (code) Object.assign(code, { ariaPressed: String(figure.classList.contains("code")), title: "Show the code, with the line at work" });
  const wake = button("next wake", () => show(nextWake()));
  // A phone has room for two buttons. This one shows the others.
  const more = button("more", () => more.setAttribute("aria-expanded", String(bar.classList.toggle("all"))));
  Object.assign(more, { className: "more", ariaExpanded: "false" });
  const range = make("input", bar, { type: "range", min: 0, max: last, value: 0, ariaLabel: "Step", oninput: () => show(Number(range.value)) });
  const link = make("a", bar, { className: "place", title: "A link to this step" });
  const told = make("div", panel, { className: "told" });
  const says = make("p", told, { className: "says" });
  says.setAttribute("aria-live", "polite");
  const after = make("p", told, { className: "after" });
  make("ol", told, { innerHTML: figure.querySelector("ol").innerHTML });
  // The code that is at work in this step. Its room is kept, so that nothing moves.
  const works = listings.length && make("p", panel, { className: "works" });
  works?.style?.setProperty("--lines", Math.max(...steps.map(([, its]) => its.length)));
  panel.append(lanes, key);

  const body = make("div", panel, { className: "body" });
  body.append(listing);
  const keeps = memory && make("p", body, { className: "memory" });
  Object.assign(listing, { tabIndex: 0, role: "group", ariaLabel: "The code" }); // It scrolls.
  let [marks, measured] = [[], 0];
  const cursor = make("div", lanes, { className: "cursor" });

  // A word of the caption that names a future lights its marks, and a mark lights the word.
  const lookOf = (element) => /\bt\d\b/.exec(element?.getAttribute("class"))?.[0];
  const chips = [...key.querySelectorAll("b.task")];
  const words = [...title.querySelectorAll("code")].map((word) => ({ word, look: lookOf(chips.find((it) => it.textContent === word.textContent)) }));
  function lightUp(look) {
    for (const it of lanes.querySelectorAll("rect:is(.poll, .in)")) it.classList.toggle("lit", lookOf(it) === look);
    for (const { word, look: its } of words) word.classList.toggle("lit", Boolean(its) && its === look);
  }
  for (const { word, look } of words.filter((it) => it.look)) {
    word.classList.add("names");
    // The keyboard comes to each of them once.
    if (!title.querySelector(`[tabindex][data-look="${look}"]`)) Object.assign(word, { tabIndex: 0, title: "Show it in the lanes" }).dataset.look = look;
    for (const [on, off] of [["mouseenter", "mouseleave"], ["focus", "blur"]]) {
      word.addEventListener(on, () => lightUp(look));
      word.addEventListener(off, () => lightUp("none"));
    }
  }
  lanes.addEventListener("mouseover", ({ target }) => lightUp(lookOf(target) ?? "none"));
  lanes.addEventListener("mouseleave", () => lightUp("none"));

  function show(n) {
    now = Math.min(Math.max(n, 0), last);
    start.disabled = back.disabled = now === 0;
    const [place, its] = steps[now];
    says.innerHTML = now ? said[now - 1].innerHTML : "Before the first step.";
    after.innerHTML = said[now]?.innerHTML ?? ending?.innerHTML ?? "This is the end of the recording.";
    after.classList.toggle("next", now < last);
    link.textContent = `${now} of ${last}${at[now - 1] ?? ""}`;
    link.href = `#see:${figure.id}:${now}`;
    range.value = now;
    range.setAttribute("aria-valuetext", link.textContent);
    step.disabled = now === last;
    wake.style.visibility = nextWake() < 0 ? "hidden" : "";
    for (const mark of marks.splice(0)) mark.remove();
    if (works) works.innerHTML = its.map((it) => codeOf(...lines[it])).join("");
    if (keeps) keeps.innerHTML = `<i>What the future keeps</i>${memory[now - 1] ?? "nothing"}`;
    // What has not happened yet is covered, and what has just happened is not. All is measured before anything is moved, because
    // after that the page would be laid out again.
    measured = bar.clientWidth;
    const { left, width } = time.getBoundingClientRect();
    const [here, next] = [place, steps[now + 1]?.[0]].map((it) => left + (width * it) / 1000);
    const edge = now < last ? Math.max(here + 3, Math.min(here + (steps[now + 1][2] ? 12 : 99), next - 6)) : left + width;
    const [from, above] = [lanes.getBoundingClientRect().left, cursor.getBoundingClientRect().top];
    // A label that its edge would cross is left out of what it covers, also that of a red bar, which nothing ends. Behind a mark, such as a
    // tick, may be what the next step begins.
    const labels = [...time.querySelectorAll("text:is(.note, .at, .out, rect.bad + .label, rect.bad + .label + .label)")];
    const boxes = labels.map((it) => [it.getBoundingClientRect(), it.textContent.length < 2]);
    const crossed = boxes.filter(([{ left, right }]) => left < edge && edge < right);
    const holes = crossed.map(([{ left, top, right, height }, isMark]) => {
      const width = Math.min(right + 2, isMark ? next ?? right : Infinity) - left + 2;
      return `M${left - edge - 2} ${top - above}h${width}v${height}h${-width}z`;
    });
    for (const it of its.toReversed()) light(lines[it][1]);
    cursor.style.left = `${edge - from}px`;
    cursor.style.clipPath = `path(evenodd, "M-4 -40H9999V9999H-4z${holes.join("")}")`;
    // A button that is disabled loses the focus, and the keys would go with it.
    if (figure.contains(document.activeElement) && document.activeElement.disabled) figure.focus({ preventScroll: true });
  }

  // A line at work, with the name of its run.
  function codeOf(run, [block, from, to]) {
    const lines = listings[block].textContent.split("\n").slice(from, to + 1).map((line) => line.trim());
    // Two lines have room in one.
    const code = Object.assign(document.createElement("code"), { textContent: lines.length > 2 ? `${lines[0]} …` : lines.join(" ") });
    return `<span><i>${run || "line"}</i> ${code.outerHTML}</span>`;
  }

  // The line at work: a listing, the first line in it, and the last.
  function light([block, from, to]) {
    const code = listings[block];
    const texts = code.textContent.split("\n");
    const end = (line) => texts.slice(0, line + 1).join("\n").length;
    const range = new Range();
    // After its first character: before it is also the end of the line above.
    range.setStart(...character(code, end(from) - texts[from].trimStart().length + 1));
    range.setEnd(...character(code, end(to)));
    const [{ top, bottom, height }, above] = [range.getBoundingClientRect(), code.parentElement.getBoundingClientRect().top];
    // No further than is needed for two lines around it, and by whole lines.
    const line = parseFloat(getComputedStyle(code).lineHeight);
    const room = listing.clientHeight;
    const around = Math.min(2 * line, (room - bottom + top) / 2);
    const at = top - listing.getBoundingClientRect().top;
    const goal = Math.max(Math.min(at, room - around - bottom + top), around);
    const mark = make("div", code.parentElement, { className: "mark" });
    marks.push(mark);
    Object.assign(mark.style, { top: `${top - above}px`, height: `${height}px` });
    if (goal !== at) listing.scrollTop = Math.floor(listing.scrollTop + at - Math.floor(goal / line) * line);
  }

  // The place after a number of characters, which are in many elements.
  function character(code, at) {
    const nodes = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode().length < at) at -= nodes.currentNode.length;
    return [nodes.currentNode, at];
  }

  figure.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: () => show(now - 1), ArrowRight: () => show(now + 1), Home: () => show(0), End: () => show(last) };
    const move = keys[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.stopPropagation(); // mdBook would turn the page.
    // Somebody who has come to the code with the keyboard scrolls it.
    if (event.target === listing && listing.matches(":focus-visible")) return;
    event.preventDefault();
    move();
  });
  // After a click anywhere inside, the keys are this figure's, and its buttons show which ones there are.
  figure.tabIndex = -1;
  lanes.addEventListener("click", (event) => {
    const { left, width } = time.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * 1000;
    const far = ([at], step) => (step ? Math.abs(at - place) : Infinity);
    const all = steps.map(far);
    show(all.indexOf(Math.min(...all)));
  });
  // A step changes the figure's height, but not the bar's.
  new ResizeObserver(() => measured !== bar.clientWidth && show(now)).observe(bar);

  function follow() {
    const { figure: chosen, steps } = named();
    if (figure !== chosen) return;
    show(Number(steps));
    figure.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  show(first ?? 0);
  follow();
}
