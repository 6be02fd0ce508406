"use strict";

// The levels: one is shown, by the page's address or else the first that isn't won. What is won stays in this browser.
{
  const levels = [...document.querySelectorAll(".level")];
  const links = [...document.querySelectorAll("nav a")];
  const figures = levels.map((it) => it.querySelector("figure"));
  const [skip, key] = [document.querySelector(".skip"), "poll-to-tokio:play"];
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  let [won, open] = [[], -1];
  try {
    won = JSON.parse(localStorage.getItem(key)) ?? [];
  } catch {
    // A browser that keeps nothing.
  }

  function mark() {
    links.forEach((link, n) => {
      const is = won.includes(figures[n].id);
      link.className = is ? "done" : "";
      levels[n].classList.toggle("done", is);
      link.ariaCurrent = n === open ? "step" : null;
      link.ariaLabel = `Level ${n + 1}: ${link.title}${is ? ", done" : ""}`;
    });
  }

  function show() {
    const named = /^#(?:see:)?([\w-]+)/.exec(location.hash)?.[1];
    const [is, first] = [figures.findIndex((it) => it.id === named), figures.findIndex((it) => !won.includes(it.id))];
    const next = is >= 0 ? is : Math.max(open, first, 0);
    if (next !== open) levels.forEach((it, n) => it.classList.toggle("open", n === next));
    open = next;
    skip.href = `#${figures[open].id}`;
    document.title = `${links[open].title} · Play`;
    mark();
    scrollTo(0, 0);
  }

  figures.forEach((figure, n) => {
    // What the reader has won is said below the sentence on the last step, and until the next one.
    const card = levels[n].querySelector(".won");
    card.querySelector("button").onclick = () => {
      card.hidden = true;
      figure.focus({ preventScroll: true });
    };
    figure.tabIndex = -1;
    figure.addEventListener("played", ({ detail }) => {
      figure.querySelector(".says, .why, .executor .verdict").after(card);
      if (detail && card.hidden) requestAnimationFrame(() => card.scrollIntoView({ block: "nearest", behavior }));
      card.hidden = !detail;
      if (!detail || won.includes(figure.id)) return;
      won.push(figure.id);
      try {
        localStorage.setItem(key, JSON.stringify(won));
      } catch {
        // A browser that keeps nothing.
      }
      mark();
    });
  });
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    figures[open].querySelector("input, button:not(:disabled)")?.focus();
  });
  addEventListener("hashchange", show);
  show();
}
