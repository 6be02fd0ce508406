// What is wider than the screen, and does not scroll by itself; and what is too small to be read on it.
const faults = [];
const name = (element) =>
  element.tagName.toLowerCase() + (element.className && element.className.split ? "." + element.className.split(" ")[0] : "");
const frames = ["html", "body", ".page-wrapper", ".page", ".content", "main"];
for (const frame of frames.flatMap((it) => [...document.querySelectorAll(it)])) {
  if (frame.scrollWidth > frame.clientWidth) {
    const right = frame.getBoundingClientRect().left + frame.clientWidth;
    const inOwnFrame = (it) => it.parentElement.closest("pre > code, .table-wrapper, figure");
    const wide = [...frame.querySelectorAll("main *")].filter(
      (it) => it.getBoundingClientRect().right > right + 1 && !inOwnFrame(it),
    );
    const cause = wide.length ? name(wide[wide.length - 1]) : "something";
    faults.push(`${name(frame)} scrolls sideways (${frame.scrollWidth} pixels, by ${cause})`);
    break;
  }
}
for (const svg of document.querySelectorAll("main figure svg[viewBox]")) {
  const title = svg.querySelector("title")?.textContent.trim() ?? "a picture without a title";
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const sizes = [...svg.querySelectorAll("text")].map((it) => parseFloat(getComputedStyle(it).fontSize) * scale);
  const smallest = Math.min(...sizes);
  if (smallest < 9) faults.push(`the letters of the picture ${title} are ${smallest.toFixed(1)} pixels high`);
}
return faults;
