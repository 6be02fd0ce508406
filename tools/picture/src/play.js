"use strict";

// The levels: one is shown, by the page's address or else the first that isn't won. What is won stays in this browser.
{
  const levels = [...document.querySelectorAll(".level")];
  const links = [...document.querySelectorAll("nav a")];
  const figures = levels.map((it) => it.querySelector("figure"));
  const [skip, key] = [document.querySelector(".skip"), "poll-to-tokio:play"];
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
    figure.addEventListener("won", () => {
      levels[n].querySelector(".won").hidden = false;
      if (won.includes(figure.id)) return;
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
