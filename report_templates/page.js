"use strict";
// Whether the text is in the clipboard now.
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from a disk may not reach the clipboard that way.
    const before = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    before?.focus();
    return isCopied;
  }
};
const sayCopied = (button, copied, name) => {
  button.textContent = copied;
  button.setAttribute("aria-live", "polite");
  setTimeout(() => (button.textContent = name), 1500);
};

// Sortable tables. Works on what is there; without this script the page reads the same.
for (const table of document.querySelectorAll("main table")) {
  const body = table.tBodies[0];
  const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
  if (!body || body.rows.length < 2) continue;
  const original = [...body.rows];

  // The number behind a cell, else its text; null when the figure is missing.
  const key = (cell, numeric) => {
    if (!cell || cell.classList.contains("missing")) return null;
    if (numeric) return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
    return cell.textContent.trim() || null;
  };
  const ascending = (a, b) =>
    typeof a === "number" ? a - b : a.localeCompare(b, document.documentElement.lang, { numeric: true });

  heads.forEach((head, column) => {
    const numeric = original.some((row) => row.cells[column]?.dataset.v !== undefined);
    // The words stay outside of the button: paper repeats them above each part of a table.
    const button = document.createElement("button");
    button.type = "button";
    button.title = document.querySelector("main").dataset.sortHint;
    button.setAttribute("aria-label", `${button.title}: ${head.textContent.trim()}`);
    head.append(button);
    head.setAttribute("aria-sort", "none");

    head.addEventListener("click", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const order = next[head.getAttribute("aria-sort")];
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", order);
      const sign = order === "descending" ? -1 : 1;
      const rows = [...original];
      if (order !== "none") {
        rows.sort((first, second) => {
          const a = key(first.cells[column], numeric);
          const b = key(second.cells[column], numeric);
          // What is missing comes last, whichever way.
          if (a === null || b === null) return (a === null) - (b === null);
          return sign * ascending(a, b);
        });
      }
      body.append(...rows);
    });
  });
}

// What scrolls can be reached by keyboard.
for (const lines of document.querySelectorAll("pre")) lines.tabIndex = 0;

// Paper cannot be unfolded.
window.addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
