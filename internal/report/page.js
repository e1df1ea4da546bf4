// The page as a whole: what is chosen, how the documents are coloured, and the controls.

const STARTS = /^[=+\-@\t\r\n＝＋－＠]/; // what a spreadsheet may run, as package spreadsheet has it
const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

class App {
  constructor(data) {
    this.data = data;
    this.texts = null;
    this.lit = null; // a mark of what is chosen; null: everything
    this.filter = { query: null, area: null, cluster: null, class: null, high: null, isolated: null };
    this.words = [];
    this.marks = {};
    this.coloring = "cluster";
    this.shown = (k) => k; // the cluster whose colour a cluster has: of merged ones the first
    this.fields = fieldsOf(data);
    for (const f of this.fields) this.filter[f.key] = null;
    this.panel = new Panel(this);
    this.timeline = new Timeline(this);
    if (data.x) {
      this.map = new DocumentMap(data, {
        hovered: (i, x, y) => this.tip(i, x, y),
        picked: (i) => this.pick(i),
        chosen: (polygon) => { this.marks.area = inside(data, polygon); this.set("area", polygon); },
        cluster: (k) => {
          const { finer, of, level } = this.map.labels.groups;
          if (finer) this.map.show(this.list().filter((i) => of[i] === k));
          else if (level) this.legend()[k].choose();
          else this.go("cluster", k);
        },
      });
      if (data.tiles) {
        this.map.tiles = new Tiles(this);
        $("note").textContent = `Lasso, lists and tables cover the ${thousands(data.n)} documents on this page; the others come from the files report-tile-*.js beside it as one zooms in, and the button below what was found searches them. ${$("note").textContent}`;
      }
      const alone = this.isolated();
      const those = data.tiles ? (alone === 1 ? "One of the documents on this page has" : `${thousands(alone)} of the documents on this page have`) : alone === 1 ? "One document has" : `${thousands(alone)} documents have`;
      if (alone) $("note").textContent = `${those} nothing in common with another one: ${alone === 1 ? "a grey ring, whose place and cluster are" : "grey rings, whose places and clusters are"} arbitrary. ${$("note").textContent}`;
      const far = this.map.outside();
      if (far) $("note").textContent = `${plural(far, "document")} far from all others ${far === 1 ? "lies" : "lie"} outside of the first view; the key 0 and the button Show everything have all. ${$("note").textContent}`;
    } else {
      $("map").classList.add("nomap");
    }
    this.table = new DocumentTable(this);
    this.setUpControls();
    this.paint();
    this.changed();
  }

  // Texts come after the first drawing.
  setTexts(texts) {
    this.texts = texts;
    if (this.map) {
      this.map.labels.id = (i) => this.id(i);
      if (this.data.snippets) this.map.labels.words = (rows) => this.distinctive(rows, 3, 2);
      this.map.labels.boxKey = null;
      this.map.redraw();
    }
    this.panel.show();
    this.table.show();
    if (this.filter.query) this.search(this.filter.query);
  }

  // where is the data of a document, of the page or of a tile, and its number there.
  where(i) { return this.map ? this.map.where(i) : [this.data, i]; }

  id(i) { return i >= this.data.n ? this.map.tiles.id(i) : this.texts ? this.texts.id(i) : this.data.ids ? "…" : String(i + 1); }
  snippet(i) { return i >= this.data.n ? this.map.tiles.snippet(i) : this.texts ? this.texts.snippet(i) : ""; }

  // marked is a text with the words of the search marked.
  marked(text) {
    if (!this.words.length) return text;
    const pattern = new RegExp(this.words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "giu");
    const parts = [];
    let from = 0;
    for (const m of text.matchAll(pattern)) {
      parts.push(text.slice(from, m.index), el("mark", null, m[0]));
      from = m.index + m[0].length;
    }
    return parts.length ? el("span", null, parts, text.slice(from)) : text;
  }

  // What is chosen.

  // filters lists what is chosen, as key and text.
  filters() {
    const { data, filter: f } = this;
    const list = [];
    if (f.query) list.push(["query", `“${f.query}”`]);
    if (f.area) list.push(["area", "inside the line"]);
    if (f.cluster != null) list.push(["cluster", f.cluster < 0 ? "in no cluster" : `cluster ${f.cluster}`]);
    if (f.class != null) list.push(["class", f.class < 0 ? "without a class" : `class ${data.classNames[f.class]}`]);
    if (f.high != null) list.push(["high", `confidence at most ${short(f.high)}`]);
    if (f.isolated) list.push(["isolated", "isolated"]);
    for (const field of this.fields) if (f[field.key]) list.push([field.key, filterText(field, f[field.key])]);
    return list;
  }

  set(key, value) {
    this.filter[key] = value;
    this.panel.document = -1;
    this.panel.extra = null;
    this.changed();
  }

  unset(key) {
    if (key === "query") $("search").value = "";
    if (key === "area" && this.map) this.map.area = null;
    if (key === "query") this.words = [];
    this.set(key, null);
  }

  clear() {
    Object.keys(this.filter).forEach((key) => { this.filter[key] = null; });
    this.words = [];
    $("search").value = "";
    if (this.map) this.map.area = null;
    this.panel.document = -1;
    this.panel.extra = null;
    this.changed();
  }

  // go chooses one thing and nothing else.
  go(key, value) {
    this.clear();
    this.set(key, value);
  }

  search(query) {
    const input = $("search");
    if (input.value !== query) input.value = query;
    query = query.trim();
    this.words = (query.toLowerCase().match(/"[^"]+"|[^\s"]+/g) || []).map((w) => w.replace(/"/g, "").trim()).filter(Boolean);
    if (this.texts && this.words.length) {
      this.marks.query = found(this.texts, this.words);
    } else {
      this.marks.query = null;
    }
    this.set("query", this.words.length ? query : null);
  }

  // clustersWith are the clusters of which a term begins with the word that is searched for.
  clustersWith() {
    if (!this.words.length) return [];
    return this.data.clusters.flatMap(({ terms = [], name = "" }, k) => this.words.every((w) => terms.some((t) => t.toLowerCase().startsWith(w)) || name.toLowerCase().includes(w)) ? [k] : []);
  }

  // markFor marks the documents that are chosen, of the page or of a tile; null: all are. marks are
  // those that match the search and those inside the line.
  markFor(data, marks) {
    const { filter: f } = this, tests = [];
    if (f.query && marks.query) tests.push((i) => marks.query[i]);
    if (f.area && marks.area) tests.push((i) => marks.area[i]);
    if (f.cluster != null) tests.push((i) => data.cluster[i] === f.cluster);
    if (f.class != null) tests.push((i) => data.class[i] === f.class);
    if (f.high != null) tests.push((i) => data.confidence[i] <= f.high);
    if (f.isolated) tests.push((i) => isIsolated(data, i));
    for (const field of this.fields) {
      const chosen = f[field.key];
      if (!chosen) continue;
      const values = data[field.key];
      tests.push((i) => isIn(field, chosen, values[i]));
    }
    return tests.length ? Uint8Array.from({ length: data.n }, (_, i) => tests.every((test) => test(i)) ? 1 : 0) : null;
  }

  // markOf is markFor of a tile.
  markOf(data, texts) {
    return this.markFor(data, { query: this.filter.query && this.words.length ? found(texts, this.words) : null, area: this.filter.area ? inside(data, this.filter.area) : null });
  }

  // changed lights what is chosen.
  changed() {
    const { data } = this;
    this.rows = null;
    this.beside = null;
    this.lit = this.markFor(data, this.marks);
    if (this.map && this.map.tiles) this.map.tiles.changed("light");
    const rows = this.list();
    if (this.map) this.map.light(this.lit, rows.length);
    this.fillFilters();
    this.panel.show();
    this.table.show();
    this.timeline.show();
    const all = data.tiles ? `${thousands(data.n)} on this page, of ${plural(data.total, "document")}` : plural(data.n, "document");
    $("count").textContent = this.lit ? `${thousands(rows.length)} of ${all}` : all;
    if (this.lit) say(`${plural(rows.length, "document")} chosen: ${this.filters().map((x) => x[1]).join(", ")}.`);
  }

  // list has the chosen documents, ascending.
  list() {
    if (!this.rows) {
      this.rows = [];
      for (let i = 0; i < this.data.n; i++) if (!this.lit || this.lit[i]) this.rows.push(i);
    }
    return this.rows;
  }

  // isolated counts the documents of the page that have nothing in common with any other.
  isolated() {
    let count = 0;
    if (this.data.isolated) for (const v of this.data.isolated) if (v >= 0) count++;
    return count;
  }

  // lookBeside looks through the documents that are in files beside the page for those that are chosen.
  lookBeside() {
    const mine = this.beside = {};
    this.map.tiles.search(() => this.beside === mine, (found) => {
      mine.found = found;
      this.panel.fillBeside();
      if (found.seen === found.of) say(`${plural(found.total, "document")} of the others chosen.`);
    });
  }

  // pick shows one document in the panel; -1: none.
  pick(i, moves) {
    this.panel.document = i;
    this.panel.show();
    this.ring(i);
    if (i >= 0) {
      const [of, at] = this.where(i);
      say(`Document ${this.id(i)}, cluster ${of.cluster[at]}.`);
    }
    if (moves) $("map").scrollIntoView({ behavior: still.matches ? "auto" : "smooth" });
  }

  ring(i) {
    if (this.map) this.map.ring(i < 0 ? this.panel.document : i);
  }

  // distinctive are words of the snippets, or else terms of the clusters, that documents have more
  // often than all do, and than chance explains (three standard deviations): words of at least so
  // many of them, and so many times as often, twice where more than a tenth of all have the word.
  distinctive(rows, least = 2, times = 1.25) {
    const { data } = this;
    if (rows.length === data.n) return [];
    const MOST = 3000, TERMS = 10;
    const score = new Map();
    if (this.texts && data.snippets) {
      const frequency = (list) => {
        const counts = new Map(), step = Math.max(1, list.length / MOST);
        let total = 0;
        for (let j = 0; j < list.length; j += step, total++) {
          const words = new Set(this.snippet(list[Math.floor(j)]).toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}+#-]+/gu));
          for (const w of words) counts.set(w, (counts.get(w) || 0) + 1);
        }
        return { counts, total };
      };
      this.everywhere ||= frequency(Uint32Array.from({ length: data.n }, (_, i) => i));
      const here = frequency(rows), all = this.everywhere;
      for (const [word, count] of here.counts) {
        const p = count / here.total, q = ((all.counts.get(word) || 0) + 0.5) / (all.total + 1);
        const enough = q > 0.1 ? Math.max(times, 2) : times, chance = 3 * Math.sqrt(q * (1 - q) / here.total);
        if (p > enough * q && p > q + chance && (count >= least || here.total < 5)) score.set(word, p * Math.log(p / q));
      }
    } else {
      const { counts, total } = countsOf(data.cluster, rows);
      for (const [k, count] of counts) {
        (data.clusters[k].terms || []).forEach((term, t) => score.set(term, (score.get(term) || 0) + count / total * (data.clusters[k].weights || [])[t]));
      }
    }
    return [...score].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).slice(0, TERMS);
  }

  // Colours.

  classColor(k) { return k < 0 ? -1 : this.data.classColors ? this.data.classColors[k] : k; }

  // colorings are what documents, of the page or of a tile, can be coloured by: name, text, and the
  // group of a document or its value.
  colorings(data = this.data) {
    const list = [{ key: "cluster", text: "cluster", group: (i) => this.shown(data.cluster[i]) }];
    if (data.class) list.push({ key: "class", text: "class", group: (i) => this.classColor(data.class[i]) });
    if (data.known) list.push({ key: "known", text: "label given", group: (i) => data.known[i] });
    for (const [at, level] of (this.data.levels || []).entries()) list.push({ key: `level${at}`, text: `${level.clusters.length} clusters`, group: (i) => data.leaf[i] < 0 ? -1 : level.of[data.leaf[i]], level });
    if (data.second) list.push({ key: "second", text: "next best cluster", group: (i) => data.second[i] });
    for (const key of ["confidence", "novelty", "distance"]) if (data[key]) list.push({ key, text: key, values: data[key] });
    for (const field of this.fields) {
      const { key } = field, how = { key, text: field.name, field };
      list.push(field.kind === "words" ? { ...how, group: (i) => this.fieldGroup(field, data[key][i]) } : Object.assign(Object.create({ get values() { return data[key]; } }), how));
    }
    for (const { name } of data.columns) if (/^x\d+$/.test(name)) list.push({ key: name, text: `coordinate ${name.slice(1)}`, values: data[name] });
    return list;
  }

  // fieldGroup is the colour number of a word of a field: its own, or the commonest have one each.
  fieldGroup(field, v) { return field.colors ? field.colors[v] ?? -1 : v >= FIELD_COLORS || field.other && v === field.names.length - 1 ? -1 : v; }

  // how is what the dots are coloured by.
  how() { return this.colorings().find((c) => c.key === this.coloring); }

  color() {
    this.paint();
    this.panel.show();
    this.table.show();
    this.timeline.show();
  }

  // paint gives the dots their colours, and the map its legend.
  paint() {
    const { data } = this;
    const how = this.how();
    const legend = $("legend");
    legend.replaceChildren();
    if (how.values) {
      const scale = scaleOf(how.values, how.field && how.field.kind === "number");
      this.scale = scale.at;
      const text = (v) => how.field ? fieldText(how.field, v) : short(v), [low, high] = [scale.low, scale.high].map(text);
      const ranks = scale.ranks ? `by rank, half up to ${text(scale.median)}` : "";
      legend.append(el("span", null, how.text), el("span", null, low), svg("svg", { class: "ramp", viewBox: "0 0 60 8", preserveAspectRatio: "none", role: "img", "aria-label": `colours from ${low} to ${high}${ranks && ", "}${ranks}` },
        ...Array.from({ length: 60 }, (_, k) => svg("rect", { x: k, width: 1.2, height: 8, fill: `rgb(${scaleColor(k / 59)})` }))), el("span", null, high), ranks && el("span", { class: "ranks" }, ranks));
      if (how.key === "confidence" && data.confidenceIs) legend.title = `Confidence is ${data.confidenceIs}.`;
    }
    legend.hidden = !how.values;
    const division = divisionOf(how.field, data[how.key]);
    $("labels").classList.toggle("plain", Boolean(how.values || how.field && !division)); // colours are no longer those of clusters
    if (!this.map) return;
    this.map.labels.use(how.level ? { of: Int32Array.from({ length: data.n }, (_, i) => how.group(i)), list: how.level.clusters, level: true } : division);
    this.map.setColors(this.colorsOf(data));
    if (this.map.tiles) this.map.tiles.changed("color");
  }

  // colorsOf are the colours and shapes of the documents of the page or of a tile. Isolated ones are
  // in no colour of clusters, which they have by chance.
  colorsOf(data) {
    const how = this.colorings(data).find((c) => c.key === this.coloring) || { group: () => -1 };
    const bytes = new Uint8Array(4 * data.n), grey = rgb(NONE), colors = this.data.colors.map(rgb);
    if (how.values) {
      for (let i = 0; i < data.n; i++) {
        const v = how.values[i];
        bytes.set(v === v ? scaleColor(this.scale(v)) : grey, 4 * i);
      }
    } else {
      const ofClusters = how.key === "cluster" || how.key === "second" || how.level || how.field && how.field.terms;
      for (let i = 0; i < data.n; i++) {
        const g = ofClusters && isIsolated(data, i) ? ISOLATED : how.group(i);
        bytes.set(g < 0 ? grey : colors[g], 4 * i);
        bytes[4 * i + 3] = shapeOf(g);
      }
    }
    return bytes;
  }

  legendName() {
    const { field } = this.how();
    if (field && field.kind === "words") return `${field.terms ? "clusters of the" : "values of"} ${field.name}`;
    return { class: "classes", known: "labels given" }[this.coloring] || "clusters";
  }

  // legend lists the groups that the panel shows when nothing is chosen; what is none of them (none)
  // comes last.
  legend() {
    const { data } = this;
    const without = (counts, text, key) => counts.get(-1) ? [{ name: text, text, color: -1, count: counts.get(-1), none: true, choose: () => this.go(key, -1) }] : [];
    const count = (column) => {
      const counts = new Map();
      for (const k of column) counts.set(k, (counts.get(k) || 0) + 1);
      return counts;
    };
    const bySize = (a, b) => b.count - a.count;
    if (this.coloring === "class") {
      const counts = count(data.class);
      return data.classNames.map((name, k) => ({ name, text: name, color: this.classColor(k), count: counts.get(k) || 0, choose: () => this.go("class", k) })).sort(bySize).concat(without(counts, "no class", "class"));
    }
    if (this.coloring === "known") {
      const counts = count(data.known);
      return data.knownNames.map((name, k) => ({ name, text: name, color: k, count: counts.get(k) || 0 })).sort(bySize);
    }
    const { level, group, field } = this.how();
    if (field && field.kind === "words") {
      const counts = count(data[field.key]);
      return field.names.map((name, v) => v).concat(counts.get(-1) ? [-1] : []).map((v) => ({ name: v < 0 ? "none" : field.names[v], text: v < 0 ? "none" : field.names[v], color: v < 0 ? -1 : this.fieldGroup(field, v),
        count: counts.get(v) || 0, none: v < 0 || Boolean(field.other) && v === field.names.length - 1, choose: () => this.go(field.key, { words: new Set([v]) }) }));
    }
    if (level) {
      const rows = level.clusters.map(() => []);
      for (let i = 0; i < data.n; i++) if (group(i) >= 0) rows[group(i)].push(i);
      return level.clusters.map((c, k) => {
        const terms = listed((c.terms || []).slice(0, 5));
        return { name: String(k), terms, text: `${k} ${terms}`, color: k, count: c.size, choose: this.map && (() => this.map.show(rows[k])) };
      });
    }
    return data.clusters.map((c, k) => {
      const terms = named(c.name, (c.terms || []).slice(0, 5));
      return { name: String(k), terms, text: `${k} ${terms}`, color: this.shown(k), count: c.size, choose: () => this.go("cluster", k) };
    }).sort(bySize).concat(without(count(data.cluster), "no cluster", "cluster"), this.isolatedLine());
  }

  // isolatedLine is the line of the legend for isolated documents, if there are any.
  isolatedLine() {
    const count = this.isolated();
    return count ? [{ name: "isolated", text: "isolated", terms: "in a cluster by chance", color: ISOLATED, count, none: true, choose: () => this.go("isolated", true) }] : [];
  }

  // shownFields are the fields that a line about a document has room for: the one that the dots are
  // coloured by, those that choose, the times, and then the first ones.
  shownFields(most) {
    const rank = (f) => f.key === this.coloring ? 0 : this.filter[f.key] ? 1 : f.main ? 2 : 3;
    return this.fields.slice().sort((a, b) => rank(a) - rank(b)).slice(0, most);
  }

  // Controls.

  tip(i, px, py) {
    const tip = $("tip"), page = this.data;
    if (!(i >= 0)) {
      tip.hidden = true;
      this.ring(-1);
      return;
    }
    const [data, at] = this.where(i);
    const snippet = this.snippet(i);
    tip.replaceChildren(el("b", null, el("bdi", null, this.id(i))), snippet ? el("span", { class: "snippet", dir: "auto" }, snippet) : "",
      el("span", { class: "fact" }, swatch(dotOf(data, at), page.colors), data.cluster[at] < 0 ? "in no cluster" : clusterName(page, data.cluster[at])),
      ...[isIsolated(data, at) && "isolated: its place and cluster are arbitrary", data.class && data.class[at] >= 0 && `class ${page.classNames[data.class[at]]}`, data.known && data.known[at] >= 0 && `label given: ${page.knownNames[data.known[at]]}`,
        data.confidence && data.confidence[at] === data.confidence[at] && `confidence ${short(data.confidence[at])}`, data.novelty && `novelty ${short(data.novelty[at])}`,
        ...this.shownFields(3).map((f) => fieldText(f, data[f.key][at]) && `${f.name}: ${fieldText(f, data[f.key][at])}`)].filter(Boolean).map((t) => el("span", { class: "fact" }, t)));
    tip.hidden = false;
    const { width, height } = this.map.view;
    const left = px + 16 + tip.offsetWidth > width ? px - 16 - tip.offsetWidth : px + 16;
    const top = py + 16 + tip.offsetHeight > height ? py - 12 - tip.offsetHeight : py + 16;
    tip.style.transform = `translate(${clamp(left, 4, Math.max(4, width - tip.offsetWidth - 4))}px,${clamp(top, 4, Math.max(4, height - tip.offsetHeight - 4))}px)`;
  }

  fillFilters() {
    const { filter: f } = this;
    $("by-cluster").value = f.cluster ?? "";
    if ($("by-class")) $("by-class").value = f.class ?? "";
    if ($("by-confidence")) $("by-confidence").value = f.high ?? 1;
    $("clear").disabled = !this.lit && !f.query;
    $("filters").classList.toggle("on", f.cluster != null || f.class != null || f.high != null || this.fields.some((field) => f[field.key]));
    this.fillFieldFilter();
  }

  // fillFieldFilter shows the filter of the field that the menu names.
  fillFieldFilter() {
    const menu = $("by-field"), box = $("by-values");
    if (!menu || !box) return;
    const field = this.fields.find((f) => f.key === menu.value);
    if (!field) return;
    if (this.controls !== field.key) {
      this.controls = field.key;
      const { part, update } = fieldControls(this, field);
      this.updateControls = update;
      box.replaceChildren(part);
    }
    this.updateControls(this.filter[field.key]);
  }

  setUpControls() {
    const { data } = this;
    const option = (value, text, field) => el("option", { value, "data-kind": field && field.kind }, text);
    const colour = $("colour");
    colour.append(...this.colorings().map((c) => option(c.key, c.text, c.field)));
    colour.addEventListener("change", () => { this.coloring = colour.value; this.color(); });
    let waiting;
    $("search").addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.search(event.target.value), 120);
    });
    const number = (text) => text === "" ? null : +text;
    const cluster = $("by-cluster");
    cluster.append(option("", "all"), ...data.clusters.map((_, k) => option(k, clusterName(data, k))), data.cluster.includes(-1) ? option(-1, "none") : "");
    cluster.addEventListener("change", () => this.set("cluster", number(cluster.value)));
    const byClass = $("by-class");
    if (data.class) {
      byClass.append(option("", "all"), ...data.classNames.map((name, k) => option(k, name)), data.class.includes(-1) ? option(-1, "none") : "");
      byClass.addEventListener("change", () => this.set("class", number(byClass.value)));
    } else byClass.parentElement.remove();
    const confidence = $("by-confidence");
    if (data.confidence) confidence.addEventListener("input", () => this.set("high", +confidence.value >= 1 ? null : +confidence.value));
    else confidence.parentElement.remove();
    const byField = $("by-field");
    if (byField && this.fields.length) {
      byField.append(...this.fields.map((f) => option(f.key, f.name, f)));
      byField.addEventListener("change", () => this.fillFieldFilter());
    } else if (byField) byField.parentElement.remove();
    $("clear").addEventListener("click", () => this.clear());
    document.addEventListener("pointerdown", (event) => { if (!$("filters").contains(event.target)) $("filters").open = false; });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !typing) { event.preventDefault(); $("search").focus(); }
      if (event.key === "Escape") {
        if (this.panel.document >= 0) this.pick(-1); else this.clear();
      }
    });
    for (const row of document.querySelectorAll("[data-cluster]")) this.setUpRow(row);
    if (this.map) this.setUpMapTools();
  }

  // setUpRow lets the number of a cluster in a table, and the cells of classes in clusters, choose.
  setUpRow(cell) {
    const k = +cell.dataset.cluster, c = cell.dataset.class;
    const button = el("button", { type: "button", class: "link", title: "Show on the map" });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      this.go("cluster", k);
      if (c != null && +c >= 0) this.set("class", +c);
      $("map").scrollIntoView({ behavior: still.matches ? "auto" : "smooth" });
    });
  }

  setUpMapTools() {
    const { map } = this;
    for (const button of document.querySelectorAll("[data-set-mode]")) button.addEventListener("click", () => map.setMode(button.dataset.setMode));
    map.setMode("pan");
    $("zoom-in").addEventListener("click", () => map.zoom(1.6, undefined, undefined, true));
    $("zoom-out").addEventListener("click", () => map.zoom(1 / 1.6, undefined, undefined, true));
    $("fit").addEventListener("click", () => map.fit());
    const labels = $("show-labels");
    labels.addEventListener("click", () => {
      map.showLabels = !map.showLabels;
      labels.setAttribute("aria-pressed", map.showLabels);
      map.redraw();
    });
    $("save").addEventListener("click", async () => download("map.png", await map.picture()));
  }

  // exportCSV saves documents as a table. A cell that a spreadsheet may run as a formula gets an
  // apostrophe, and the column `escaped` says so, as in clusters.csv.
  exportCSV(rows) {
    const { data } = this;
    const name = (list, k) => k < 0 ? "" : list[k];
    const columns = [["id", (i) => this.id(i)], ["cluster", (i) => data.cluster[i]]];
    if (data.second) columns.push(["second", (i) => data.second[i] < 0 ? "" : data.second[i]]);
    if (data.class) columns.push(["label", (i) => name(data.classNames, data.class[i])]);
    if (data.known) columns.push(["given", (i) => name(data.knownNames, data.known[i])]);
    for (const key of ["distance", "confidence", "novelty"]) if (data[key]) columns.push([key, (i) => short(data[key][i])]);
    if (data.isolated) columns.push(["placed", (i) => placed(data, i)]);
    for (const f of this.fields) columns.push([f.name, (i) => fieldText(f, data[f.key][i])]);
    if (data.snippets) columns.push(["text", (i) => this.snippet(i)]);
    let changed = "";
    const cell = (text) => {
      const bare = text.replace(/^'+/, "");
      if (bare && STARTS.test(bare) && (bare.length < text.length || !NUMBER.test(text))) { text = "'" + text; changed = "yes"; }
      return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
    };
    const head = columns.map((c) => cell(c[0]));
    const lines = Array.from(rows, (i) => {
      changed = "";
      return columns.map(([, value]) => cell(String(value(i)))).concat(changed);
    });
    const marked = lines.some((l) => l.at(-1));
    const text = [[...head, "escaped"], ...lines].map((l) => (marked ? l : l.slice(0, -1)).join(",") + "\n").join("");
    download("documents.csv", new Blob([text], { type: "text/csv" }));
    say(`${plural(rows.length, "document")} exported.`);
  }
}

// found marks the documents that have all words.
function found(texts, words) {
  const marks = words.map((w) => texts.find(w));
  return marks[0].map((v, i) => marks.every((mark) => mark[i]) ? 1 : 0);
}

async function start() {
  root.classList.add("js");
  setUpTheme();
  setUpCopy();
  document.querySelectorAll("table.sorts").forEach(setUpTable);
  if ($("data")) {
    const data = JSON.parse($("data").textContent);
    const numbers = await inflate(bytesOf("numbers"));
    readColumns(data, numbers);
    if (data.x) data.box = boxOf(data);
    for (const part of document.querySelectorAll(".live")) part.hidden = false;
    const app = new App(data);
    // The texts come after the script in the page, so that the first drawing does not wait for them.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    if (document.readyState === "loading") await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
    app.timeline.ready();
    app.setTexts(new Texts(data.ids || data.snippets ? new TextDecoder().decode(await inflate(bytesOf("texts"))) : "", data));
    if (typeof explore === "function") await explore(app); // a served page
  }
  performance.mark("ready");
}

start();
