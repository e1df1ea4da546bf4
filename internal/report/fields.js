// Columns of the corpus beside the texts: their values as text, their filters, and the timeline.

const FIELD_COLORS = 24; // names of a field that have a colour of their own, as fields.go has it
const isField = (name) => /^f\d+$/.test(name);

// fieldsOf lists the fields of the page, each with its key, which is the name of its column.
const fieldsOf = (data) => (data.fields || []).map((f, k) => ({ ...f, key: `f${k}` }));

// fieldText is a value of a field as text; "" for none.
function fieldText(field, v) {
  if (field.kind === "words") return v < 0 ? "" : field.names[v];
  if (v !== v) return "";
  if (field.kind === "number") return field.decimals < 0 ? String(+v.toPrecision(6)) : String(+v.toFixed(field.decimals));
  const time = new Date(1000 * v);
  if (time.toString() === "Invalid Date") return "";
  const text = time.toISOString();
  return field.days ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

// scaleOf says where the values of a column lie on a scale of colours, from 0 to 1: in proportion
// from their first to their last hundredth, or by rank where that would leave more than half of the
// documents in a fifth of the colours. low, median and high are values for the legend.
function scaleOf(values, byRank) {
  const sorted = values.filter((v) => v === v).sort(), n = sorted.length;
  const low = sorted[Math.floor(n * 0.01)] ?? 0, high = sorted[Math.ceil(n * 0.99) - 1] ?? 1, median = medianOf(sorted);
  const share = (v) => high > low ? (v - low) / (high - low) : 0.5;
  const uneven = byRank && high > low && (share(median) < 0.2 || share(median) > 0.8);
  if (!uneven) return { low, high, median, at: share };
  // A value that several documents have lies in the middle of their ranks.
  const before = (v, equal) => {
    let [from, to] = [0, n];
    while (from < to) {
      const mid = (from + to) >> 1;
      if (sorted[mid] < v || equal && sorted[mid] === v) from = mid + 1; else to = mid;
    }
    return from;
  };
  return { low: sorted[0], high: sorted[n - 1], median, ranks: true, at: (v) => (before(v, false) + before(v, true)) / (2 * n) };
}

// medianOf is the median of sorted numbers; NaN of none.
const medianOf = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;

// numbersOf are the mean and the median of a column among some documents, or all, as far as they
// have a value; null if none has.
function numbersOf(values, rows) {
  const list = (rows ? Float64Array.from(rows, (i) => values[i]) : Float64Array.from(values)).filter((v) => v === v).sort();
  return list.length ? { count: list.length, mean: list.reduce((sum, v) => sum + v, 0) / list.length, median: medianOf(list) } : null;
}

// divisionOf are the groups for labels on the map if the words of a field are the clusters of another
// division of the documents, whose numbers are those of their colours; else null.
function divisionOf(field, values) {
  if (!field || !field.terms) return null;
  return { of: Int32Array.from(values, (v) => v < 0 || field.colors[v] < 0 ? -1 : v), list: field.terms.map((terms) => ({ terms: terms || [] })), level: true, colors: field.colors };
}

// isIn reports whether a value is in a filter of a field: a set of words, or a range of which an
// end may be open.
function isIn(field, filter, v) {
  if (field.kind === "words") return filter.words.has(v);
  return v === v && (filter.low == null || v >= filter.low) && (filter.high == null || v <= filter.high);
}

// filterText says what a filter of a field chooses.
function filterText(field, { words, low, high }) {
  if (words) {
    const names = [...words].sort((a, b) => a - b).map((v) => v < 0 ? "none" : field.names[v]);
    return `${field.name}: ${names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ")}`;
  }
  const [from, to] = [low, high].map((v) => v == null ? "" : fieldText(field, v));
  return `${field.name} ${from && to ? `${from} to ${to}` : from ? `from ${from}` : `up to ${to}`}`;
}

// fieldControls makes the filter of a field: a box for each word, or the ends of a range. update
// brings it up to date.
function fieldControls(app, field) {
  const { data } = app, values = data[field.key];
  if (field.kind === "words") {
    const counts = new Map();
    for (const v of values) counts.set(v, (counts.get(v) || 0) + 1);
    const list = field.names.map((_, v) => v).concat(counts.get(-1) ? [-1] : []);
    const boxes = new Map();
    const part = el("div", { class: "boxes", role: "group", "aria-label": field.name }, list.map((v) => {
      const box = el("input", { type: "checkbox", onchange: () => {
        const words = new Set(app.filter[field.key] ? app.filter[field.key].words : []);
        if (box.checked) words.add(v); else words.delete(v);
        app.set(field.key, words.size ? { words } : null);
      } });
      boxes.set(v, box);
      return el("label", { title: v < 0 ? null : field.names[v] }, box, el("bdi", null, v < 0 ? "none" : field.names[v]), el("span", { class: "number" }, thousands(counts.get(v) || 0)));
    }));
    return { part, update: (now) => boxes.forEach((box, v) => { box.checked = !!now && now.words.has(v); }) };
  }
  const time = field.kind === "time";
  const inputs = {};
  const end = (name, key) => {
    const input = el("input", { type: time ? "date" : "number", step: "any", onchange: () => {
      let v = input.value === "" ? null : time ? Date.parse(input.value) / 1000 : +input.value;
      if (time && v != null && key === "high") v += 86399; // the whole day
      const range = { ...app.filter[field.key], [key]: v === v ? v : null };
      app.set(field.key, range.low == null && range.high == null ? null : range);
    } });
    inputs[key] = input;
    return el("label", null, name, input);
  };
  const part = el("div", { class: "range" }, end("from", "low"), end("to", "high"));
  return { part, update: (now) => {
    for (const key of ["low", "high"]) inputs[key].value = now && now[key] != null ? fieldText({ ...field, days: true }, now[key]) : "";
  } };
}

// Timeline is a histogram of a field of times or numbers under the map, of which a part can be
// chosen. Its ends are open: what lies outside of them counts in the first and the last bar.
class Timeline {
  constructor(app) {
    this.app = app;
    this.box = $("timeline");
    this.field = null;
    this.waits = true;
    if (this.box) this.listen();
  }

  // ready lets the timeline be drawn: the first drawing of the map does not wait for it.
  ready() {
    this.waits = false;
    this.show();
  }

  // standard is the field that the timeline has while the dots show no other one.
  standard() {
    const times = fieldsOf(this.app.data).filter((f) => f.kind === "time");
    return times.find((f) => f.main) || times[0] || null;
  }

  // show draws the timeline of the field that the dots are coloured by, or of the times.
  show() {
    if (!this.box || this.waits) return;
    const how = this.app.how(), field = how.field && how.field.kind !== "words" ? how.field : this.standard();
    this.box.hidden = !field;
    if (!field) return;
    if (!this.field || this.field.key !== field.key) this.take(field);
    this.draw();
  }

  // take counts all documents by bars.
  take(field) {
    const values = this.app.data[field.key], sorted = Float64Array.from(values.filter((v) => v === v)).sort();
    this.field = field;
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    let low = sorted[0] ?? 0, high = sorted[sorted.length - 1] ?? 1;
    const [from, to] = [at(0.002), at(0.998)];
    if (to > from && high - low > 2 * (to - from)) [low, high] = [from, to]; // a few far away take no room
    // Bars are whole steps of the values, where these are few.
    const step = field.kind === "time" ? field.days ? 86400 : 0 : field.decimals >= 0 ? 10 ** -field.decimals : 0;
    const steps = step ? Math.round((high - low) / step) + 1 : 0;
    this.bins = steps ? Math.min(120, steps) : 100;
    this.low = low;
    this.high = high;
    this.size = steps ? step * Math.ceil(steps / this.bins) : (high - low) / this.bins || 1;
    if (steps) this.bins = Math.ceil(steps / (this.size / step));
    this.of = Int16Array.from(values, (v) => v === v ? clamp(Math.floor((v - this.low) / this.size + 1e-9), 0, this.bins - 1) : -1);
    this.all = this.count(null);
  }

  count(mark) {
    const counts = new Array(this.bins).fill(0);
    for (let i = 0; i < this.of.length; i++) if (this.of[i] >= 0 && (!mark || mark[i])) counts[this.of[i]]++;
    return counts;
  }

  // chosen are the first and the last bar that are chosen.
  chosen() {
    const now = this.app.filter[this.field.key];
    if (!now) return null;
    const bin = (v) => clamp(Math.floor((v - this.low) / this.size + 1e-9), 0, this.bins - 1);
    return [now.low == null ? 0 : bin(now.low), now.high == null ? this.bins - 1 : bin(now.high)];
  }

  // choose chooses the documents of some bars; all bars are no choice.
  choose(from, to) {
    [from, to] = [clamp(Math.min(from, to), 0, this.bins - 1), clamp(Math.max(from, to), 0, this.bins - 1)];
    const low = from > 0 ? this.edge(from, false) : null, high = to < this.bins - 1 ? this.edge(to, true) : null;
    this.app.set(this.field.key, low == null && high == null ? null : { low, high });
  }

  // edge is the least value of a bar, or the largest that it may have.
  edge(bin, end) {
    const digits = this.field.decimals >= 0 ? 10 ** this.field.decimals : 0;
    const v = this.low + (bin + (end ? 1 : 0)) * this.size - (end ? digits ? 1 / digits : this.size * 1e-6 : 0);
    return digits ? Math.round(v * digits) / digits : v;
  }

  // nameOf is an edge of a bar as text.
  nameOf(bin, end) { return fieldText(this.field, Math.min(this.edge(bin, end), this.high)); }

  draw() {
    const { app, field, bins } = this, HIGH = 40;
    const chosen = this.chosen(), lit = app.lit ? this.count(app.lit) : null;
    const most = Math.max(...this.all, 1);
    const bars = (counts, name) => svg("path", { class: name, d: counts.map((n, k) => n ? `M${k + 0.08} ${HIGH}V${HIGH - Math.max(1, HIGH * n / most)}H${k + 0.92}V${HIGH}Z` : "").join("") });
    const drawing = svg("svg", { viewBox: `0 0 ${bins} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" }, bars(this.all, lit ? "all" : "lit"), ...lit ? [bars(lit, "lit")] : []);
    if (chosen) drawing.append(svg("rect", { class: "brush", x: chosen[0], y: 0, width: chosen[1] - chosen[0] + 1, height: HIGH }));
    const missing = this.of.reduce((n, b) => n + (b < 0), 0);
    const caption = el("p", { class: "axis" }, el("span", null, this.nameOf(0)), el("span", null, el("b", null, field.name),
      chosen ? ` ${this.nameOf(chosen[0])} to ${this.nameOf(chosen[1], true)}` : " drag to choose a part", missing ? `, ${thousands(missing)} without` : ""), el("span", null, this.nameOf(bins - 1, true)));
    const focused = document.activeElement && document.activeElement.dataset.end;
    const handles = ["from", "to"].map((end, side) => {
      const at = chosen ? chosen[side] : side * (bins - 1);
      const handle = el("span", { class: "handle", role: "slider", tabindex: 0, "data-end": end, "aria-label": `${field.name} ${end}`, "aria-valuemin": 0, "aria-valuemax": bins - 1, "aria-valuenow": at, "aria-valuetext": this.nameOf(at, side === 1) });
      handle.style.left = `${100 * (at + side) / bins}%`;
      return handle;
    });
    this.strip = el("div", { class: "strip-of" }, drawing, handles);
    this.box.replaceChildren(this.strip, caption);
    if (focused) this.strip.querySelector(`[data-end=${focused}]`).focus({ preventScroll: true });
  }

  listen() {
    const { box } = this;
    let drag = null;
    const bin = (event) => {
      const r = this.strip.getBoundingClientRect();
      return clamp(Math.floor((event.clientX - r.left) / r.width * this.bins), 0, this.bins - 1);
    };
    box.addEventListener("pointerdown", (event) => {
      if (event.button > 0 || !this.strip.contains(event.target)) return;
      event.preventDefault();
      const at = bin(event), chosen = this.chosen() || [0, this.bins - 1], { end } = event.target.dataset;
      if (end) event.target.focus({ preventScroll: true });
      drag = end ? { fixed: chosen[end === "from" ? 1 : 0] } : this.chosen() && at >= chosen[0] && at <= chosen[1] ? { whole: chosen, at } : { fixed: at };
      drag.moved = false;
      box.setPointerCapture(event.pointerId);
    });
    box.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const at = bin(event);
      if (at === drag.last) return;
      drag.moved = drag.moved || drag.last !== undefined;
      drag.last = at;
      if (!drag.moved) return;
      if (drag.whole) {
        const by = clamp(at - drag.at, -drag.whole[0], this.bins - 1 - drag.whole[1]);
        this.choose(drag.whole[0] + by, drag.whole[1] + by);
      } else this.choose(drag.fixed, at);
    });
    const end = () => {
      if (drag && !drag.moved && drag.whole) this.app.unset(this.field.key); // a click on what is chosen
      else if (drag && !drag.moved && drag.fixed !== undefined && drag.last === undefined) this.choose(drag.fixed, drag.fixed);
      drag = null;
    };
    box.addEventListener("pointerup", end);
    box.addEventListener("pointercancel", () => { drag = null; });
    box.addEventListener("keydown", (event) => {
      const { end: name } = event.target.dataset;
      if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
      const chosen = this.chosen() || [0, this.bins - 1], side = name === "from" ? 0 : 1;
      const far = event.shiftKey ? 10 : 1;
      const to = { ArrowLeft: chosen[side] - far, ArrowDown: chosen[side] - far, ArrowRight: chosen[side] + far, ArrowUp: chosen[side] + far,
        PageUp: chosen[side] + 10, PageDown: chosen[side] - 10, Home: 0, End: this.bins - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const other = chosen[1 - side];
      const at = side === 0 ? clamp(to, 0, other) : clamp(to, other, this.bins - 1);
      this.choose(...side === 0 ? [at, other] : [other, at]);
    });
  }
}
