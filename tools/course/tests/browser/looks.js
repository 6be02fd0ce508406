// What is wrong with the page's colours and pictures. `dark` says which theme was chosen.
const faults = [];

const rgba = (text) => {
  const parts = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  return [parts[0], parts[1], parts[2], parts.length > 3 ? parts[3] : 1];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const luminance = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((part) => {
    part /= 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
  return (x + 0.05) / (y + 0.05);
};

const wrapper = document.querySelector(".page-wrapper") || document.body;
const page = over(rgba(getComputedStyle(wrapper).backgroundColor), [255, 255, 255, 1]);
if (luminance(page) < 0.2 !== dark) {
  faults.push(`the background is ${page.slice(0, 3)}, which is not ${dark ? "dark" : "light"}`);
}
const text = rgba(getComputedStyle(document.querySelector("main")).color);
if (contrast(over(text, page), page) < 4.5) {
  faults.push("the text is hard to read on its background");
}

const fill = (element) => {
  const style = getComputedStyle(element);
  const colour = style.fill === "none" ? [0, 0, 0, 0] : rgba(style.fill);
  colour[3] *= Number(style.fillOpacity) * Number(style.opacity);
  return colour;
};
for (const svg of document.querySelectorAll("main figure svg")) {
  const name = svg.querySelector("title")?.textContent.trim() ?? "a picture without a title";
  const box = svg.getBoundingClientRect();
  if (box.width < 20 || box.height < 20) {
    faults.push(`the picture ${name} is ${box.width} by ${box.height} pixels`);
    continue;
  }
  const shapes = [...svg.querySelectorAll("rect, circle, ellipse, path, polygon, text")];
  const hard = new Set();
  const labels = shapes.filter((shape) => shape.tagName === "text" && shape.textContent.trim() !== "");
  labels.forEach((label, place) => {
    const [a, words] = [label.getBoundingClientRect(), label.textContent.trim()];
    // A line is higher than its letters.
    const [across, down] = [1, a.height / 3];
    if (a.left < box.left - across || a.right > box.right + across || a.top < box.top - down || a.bottom > box.bottom + down) {
      faults.push(`in the picture ${name}, "${words}" is cut off`);
    }
    for (const other of labels.slice(0, place)) {
      const b = other.getBoundingClientRect();
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > Math.min(a.height, b.height) / 3) {
        faults.push(`in the picture ${name}, "${words}" lies on "${other.textContent.trim()}"`);
      }
    }
  });
  shapes.forEach((label, place) => {
    if (label.tagName !== "text" || label.textContent.trim() === "") return;
    const area = label.getBoundingClientRect();
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
    // What was painted before it, and lies under its middle.
    const below = shapes.slice(0, place).filter((shape) => {
      if (["text", "path"].includes(shape.tagName) || shape.closest("defs, marker")) return false;
      const b = shape.getBoundingClientRect();
      return b.left <= x && x <= b.right && b.top <= y && y <= b.bottom;
    });
    const ground = below.reduce((colour, shape) => over(fill(shape), colour), page);
    if (contrast(over(fill(label), ground), ground) < 4.5) hard.add(label.textContent.trim());
  });
  for (const label of hard) faults.push(`in the picture ${name}, "${label}" is hard to read on its background`);
}
return faults;
