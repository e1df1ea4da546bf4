// Small helpers, and the parts of the page that need no documents: theme, copy buttons and tables.

const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
const thousands = (n) => n.toLocaleString("en-GB");
const percent = (part, whole) => whole ? `${+(100 * part / whole).toPrecision(part * 100 < whole ? 1 : 2)}\u00a0%` : "";
const short = (v) => v !== v ? "" : Math.abs(v) >= 1e5 || v && Math.abs(v) < 1e-3 ? v.toExponential(1) : String(+v.toPrecision(3));
// listed is terms in one text: commas part them if one is several words, as of measurements ("width low").
const listed = (terms) => terms.join(terms.some((term) => term.includes(" ")) ? ", " : " ");
// named is a name, if there is one, and terms.
const named = (name, terms) => [name, listed(terms)].filter(Boolean).join(": ");
const plural = (n, one) => `${thousands(n)} ${one}${n === 1 ? "" : "s"}`;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// el makes an element. Properties that begin with "on" are handlers, the others attributes; children
// are elements or texts, and what is null or false is left out.
function el(name, props, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(props || {})) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat(Infinity).filter((c) => c != null && c !== false));
  return e;
}

// svg makes an element of a drawing.
function svg(name, props, ...children) {
  const e = document.createElementNS($("drawing").namespaceURI, name);
  for (const [key, value] of Object.entries(props)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// The outlines of the marks, as color.go has them: a group has the shape of its round of the palette.
const SHAPES = ["M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z", "M-7 -7h14v14h-14z", "M0 -10L10 0L0 10L-10 0z", "M0 -9L9 8H-9z",
  "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0zM-4 0a4 4 0 1 1 8 0a4 4 0 1 1 -8 0z", "M-3 -9h6v6h6v6h-6v6h-6v-6h-6v-6h6z"];
const PALETTE = 12;
const NONE = "#aab0b8"; // the colour of documents in no group
const ISOLATED = -2; // the number of the mark of isolated documents, a ring in that colour
const RING = 4;
const shapeOf = (n) => n === ISOLATED ? RING : n < 0 ? 0 : Math.floor(n / PALETTE) % SHAPES.length;

const swatch = (n, colors) => svg("svg", { class: "swatch", viewBox: "-10 -10 20 20", "aria-hidden": "true" },
  svg("path", { d: SHAPES[shapeOf(n)], fill: n < 0 ? NONE : colors[n] }));

const bar = (share, color) => svg("svg", { class: color.startsWith("#") ? "bar" : "bar plain", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
  svg("rect", { width: clamp(100 * share, 0, 100), height: 8, fill: color }));

// download saves a blob as a file.
function download(name, blob) {
  const a = el("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

function say(text) { $("status").textContent = text; }

const themes = ["auto", "light", "dark"];

function setTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const button = $("theme");
  button.textContent = { auto: "Theme: automatic", light: "Theme: light", dark: "Theme: dark" }[theme];
  button.dataset.now = theme;
  document.dispatchEvent(new Event("theme"));
}

function setUpTheme() {
  let theme = "auto";
  try { theme = localStorage.getItem("eigenmap-theme") || "auto"; } catch { /* the browser keeps nothing for files */ }
  setTheme(themes.includes(theme) ? theme : "auto");
  $("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf($("theme").dataset.now) + 1) % themes.length];
    setTheme(theme);
    try { localStorage.setItem("eigenmap-theme", theme); } catch { /* as above */ }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => document.dispatchEvent(new Event("theme")));
}

function setUpCopy() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const pre = $(button.dataset.of);
      try {
        await navigator.clipboard.writeText(pre.textContent);
      } catch { // an old way, for browsers that keep the clipboard from files
        getSelection().selectAllChildren(pre);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      say("Copied.");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
}

// valueOf is what a cell is sorted by: its number if it begins with one, else its text.
function valueOf(cell) {
  const text = cell ? cell.textContent.trim() : "";
  const number = parseFloat(text.replace(/,/g, ""));
  return text !== "" && number === number && /^[-+.\d]/.test(text) ? number : text.toLowerCase();
}

function compare(a, b) {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

// setUpTable lets the heads of a table sort its rows, and adds a filter to a long one.
function setUpTable(table) {
  const rows = [...table.rows].slice(1);
  if (rows.length < 2) return;
  const heads = [...table.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = el("button", { class: "sort", type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((h) => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = rows.map((row) => [valueOf(row.cells[column]), row]).sort((a, b) => compare(a[0], b[0]));
      if (down) sorted.reverse();
      table.tBodies[0].append(...sorted.map((s) => s[1]));
    });
  });
  if (rows.length <= 12) return;
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const input = el("input", { type: "search", class: "rows", placeholder: "Filter the rows", "aria-label": "Filter the rows of the table" });
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    rows.forEach((row, i) => { row.hidden = !words.every((w) => texts[i].includes(w)); });
  });
  table.parentElement.before(input);
}
