"""The script of a page that is written again while a run goes on: it loads the page, and keeps the reader's place.

It keeps which parts are open, the focus, and the part at the top of the window, in the browser's history. It waits as
long as a text is selected or the page is hidden. It fetches nothing else.
"""

from typing import Final

SCRIPT: Final = """\
"use strict";
const named = () => {
  const seen = {};
  return [...document.querySelectorAll("summary, h1, h2, h3, h4")].map((part) => {
    const name = part.tagName + part.textContent.split(/[:(]/)[0];
    seen[name] = (seen[name] || 0) + 1;
    return [name + " " + seen[name], part];
  });
};
const save = () => {
  const parts = named();
  const top = parts.find(([, part]) => part.closest("main") && part.getBoundingClientRect().top >= 0);
  history.replaceState({
    open: parts.filter(([, part]) => part.parentElement.open).map(([name]) => name),
    focus: (parts.find(([, part]) => part === document.activeElement) || [""])[0],
    top: scrollY && top ? [top[0], top[1].getBoundingClientRect().top] : null,
  }, "");
};
const restore = ({ open, focus, top }) => {
  const parts = new Map(named());
  for (const name of open) if (parts.has(name)) parts.get(name).parentElement.open = true;
  if (parts.has(focus)) parts.get(focus).focus({ preventScroll: true });
  if (!top || !parts.has(top[0])) return;
  scrollBy({ top: parts.get(top[0]).getBoundingClientRect().top - top[1], behavior: "instant" });
};
history.scrollRestoration = "manual";
if (history.state) restore(history.state);
const again = () => {
  if (document.hidden || !getSelection().isCollapsed) return setTimeout(again, 500);
  save();
  location.reload();
};
setTimeout(again, Math.max(2000, 10 * performance.now()));
"""
