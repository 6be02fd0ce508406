"use strict";

// A listing of a whole file shows the lines that mark where another listing begins and ends. They are no part of the
// lesson. mdBook leaves them out of a listing of a part by itself. This runs after the words have got their colours, so
// such a comment is an element of its own.
for (const comment of document.querySelectorAll(".whole .hljs-comment")) {
  if (!/^\/\/ ANCHOR(_END)?: [\w-]+$/.test(comment.textContent)) continue;
  const [before, after] = [comment.previousSibling, comment.nextSibling];
  if (before?.nodeType === Node.TEXT_NODE) before.data = before.data.replace(/[ \t]*$/, "");
  if (after?.nodeType === Node.TEXT_NODE) after.data = after.data.replace(/^\r?\n/, "");
  comment.remove();
}
