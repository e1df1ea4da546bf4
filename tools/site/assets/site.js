"use strict";
const root = document.currentScript.dataset.root;
document.documentElement.classList.add("scripted");

// The scheme of colours: the system's until the button is pressed; then what was chosen last.
const html = document.documentElement, scheme = document.getElementById("scheme");
const stored = { get() { try { return localStorage.getItem("scheme"); } catch { return null; } }, set(v) { try { localStorage.setItem("scheme", v); } catch { } } };
const isDark = () => (html.dataset.scheme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const name = () => { scheme.textContent = isDark() ? "Light" : "Dark"; };
if (stored.get()) html.dataset.scheme = stored.get();
scheme.hidden = false;
scheme.addEventListener("click", () => { html.dataset.scheme = isDark() ? "light" : "dark"; stored.set(html.dataset.scheme); name(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
name();

// Tables of options: on a small screen each row is a block, whose cells say their heads.
for (const table of document.querySelectorAll("main table")) {
  const heads = [...table.querySelectorAll("thead th")].map((th) => th.textContent.trim());
  if (heads[0] !== "option") continue;
  table.classList.add("options");
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, i) => { cell.dataset.head = heads[i]; });
}

// The list of pages on a small screen.
const menu = document.querySelector(".menu");
menu.addEventListener("toggle", () => document.body.classList.toggle("menu-open", menu.open));
document.body.classList.add("scripted");
document.querySelector("nav.pages [aria-current]")?.scrollIntoView({ block: "center" });
scrollTo(0, 0);
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();

// A button that copies a block of code: of a session the commands alone.
for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const text = block.querySelector("code").textContent;
    const commands = text.split("\n").filter((l) => l.startsWith("$ ")).map((l) => l.slice(2) + "\n");
    try {
      await navigator.clipboard.writeText(commands.length ? commands.join("") : text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(block.querySelector("code"));
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

// The search: every word must occur in a passage; titles count more than text.
const field = document.getElementById("search"), found = document.getElementById("found");
field.disabled = false;
let loading;
const load = () => loading ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = root + "search.js";
  script.onload = () => done(window.passages.map((p) => ({ url: p[0], page: p[1], title: p[2], text: p[3], low: p.map((s) => s.toLowerCase()) })));
  script.onerror = failed;
  document.head.append(script);
});

function score(p, words) {
  let sum = 0;
  for (const w of words) {
    const start = new RegExp("(^|[^\\p{L}\\p{N}])" + w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u");
    const in1 = start.test(p.low[1]), in2 = start.test(p.low[2]);
    let times = 0, exact = 0;
    for (let at = p.low[3].indexOf(w); at >= 0 && times < 5; at = p.low[3].indexOf(w, at + w.length)) times++;
    if (times && start.test(p.low[3])) exact = 1;
    if (!in1 && !in2 && !times) return 0;
    sum += 8 * in2 + 4 * in1 + exact + times / 5;
  }
  return sum;
}

function excerpt(p, words) {
  let at = p.low[3].indexOf(words[0]);
  if (at < 0) at = 0;
  const from = Math.max(0, at - 50);
  const line = document.createElement("p");
  const text = (from ? "…" : "") + p.text.slice(from, from + 180) + "…";
  const pattern = new RegExp("(" + words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "giu");
  text.split(pattern).forEach((part, i) => {
    if (i % 2) { const m = document.createElement("mark"); m.textContent = part; line.append(m); } else line.append(part);
  });
  return line;
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) { found.hidden = true; return; }
  const passages = await load();
  const hits = passages.map((p) => [score(p, words), p]).filter((h) => h[0] > 0).sort((a, b) => b[0] - a[0]).slice(0, 15);
  found.replaceChildren(...hits.map(([, p]) => {
    const li = document.createElement("li"), a = document.createElement("a"), b = document.createElement("b");
    a.href = root + p.url;
    b.textContent = p.page === p.title ? p.page : `${p.page} › ${p.title}`;
    a.append(b, excerpt(p, words));
    li.append(a);
    return li;
  }));
  if (!hits.length) {
    const li = document.createElement("li");
    li.className = "none";
    li.textContent = "Nothing has all of these words.";
    found.append(li);
  }
  found.hidden = false;
}
field.addEventListener("focus", load);
field.addEventListener("input", search);
document.addEventListener("keydown", (e) => {
  const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
  const inField = document.activeElement === field;
  if (e.key === "/" && !inField && !/^(input|textarea)$/i.test(document.activeElement.tagName)) { e.preventDefault(); field.focus(); field.select(); }
  else if (e.key === "Escape" && !found.hidden) { found.hidden = true; field.focus(); }
  else if (!found.hidden && e.key === "ArrowDown" && (inField || at >= 0)) { e.preventDefault(); links[Math.min(at + 1, links.length - 1)]?.focus(); }
  else if (!found.hidden && e.key === "ArrowUp" && at >= 0) { e.preventDefault(); (at ? links[at - 1] : field).focus(); }
  else if (!found.hidden && e.key === "Enter" && inField && links.length) links[0].click();
});
document.addEventListener("click", (e) => { if (!e.target.closest(".search")) found.hidden = true; });
found.addEventListener("click", () => { found.hidden = true; });
