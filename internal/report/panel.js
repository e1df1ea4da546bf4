// The panel beside the map: all clusters, one cluster, what is chosen, or one document.

// Panel fills #panel. app has the data, the texts once they are there, and what is chosen.
class Panel {
  constructor(app) {
    this.app = app;
    this.box = $("panel");
    this.document = -1;
    this.extra = null; // makes another content, of a served page
  }

  // show draws the panel anew for what is chosen.
  show() {
    const { app } = this, { filter } = app;
    const scrolled = this.box.scrollTop, before = this.key;
    let content;
    if (this.document >= 0) {
      this.key = "d" + this.document;
      content = this.documentPart(this.document);
    } else if (this.extra) {
      this.key = "x";
      content = this.extra();
    } else if (filter.cluster >= 0 && filter.cluster !== null && app.filters().length === 1) {
      this.key = "c" + filter.cluster;
      content = this.clusterPart(filter.cluster);
    } else if (app.lit) {
      this.key = "s";
      content = this.chosenPart();
    } else {
      this.key = "all";
      content = this.overview();
    }
    this.box.replaceChildren(...content.flat(Infinity).filter(Boolean));
    this.box.scrollTop = before === this.key ? scrolled : 0;
  }

  // chips name what is chosen, each with a way to take it back.
  chips() {
    const { app } = this;
    const all = app.filters();
    if (!all.length) return null;
    return el("div", { class: "chips", role: "group", "aria-label": "What is chosen" }, all.map(([key, text]) =>
      el("button", { type: "button", class: "chip", "aria-label": `Take back: ${text}`, onclick: () => app.unset(key) }, text, el("span", { "aria-hidden": "true" }, " ×"))),
    all.length > 1 && el("button", { type: "button", class: "chip plain", onclick: () => app.clear() }, "Clear all"));
  }

  overview() {
    const { app } = this, { data } = app;
    const groups = app.legend(), count = groups.filter((g) => !g.none).length;
    const largest = Math.max(1, ...groups.map((g) => g.color < 0 ? 0 : g.count)); // the others may be many more
    const input = groups.length > 14 && el("input", { type: "search", class: "rows", placeholder: `Filter ${thousands(count)} ${app.legendName()}`, "aria-label": "Filter the list" });
    const MOST = 400;
    const list = el("ul", { class: "groups" });
    const fill = () => {
      const words = (input ? input.value : "").toLowerCase().split(/\s+/);
      list.replaceChildren(...groups.filter((g) => words.every((w) => g.text.toLowerCase().includes(w))).slice(0, MOST).map((g) =>
        el("li", null, el("button", { type: "button", onclick: g.choose, title: g.text },
          swatch(g.color, data.colors), el("span", { class: "name" }, el("b", null, g.name), g.terms ? " " + g.terms : ""),
          el("span", { class: "number" }, thousands(g.count)), bar(g.count / largest, g.color < 0 ? NONE : data.colors[g.color])))));
    };
    if (input) input.addEventListener("input", fill);
    fill();
    return [el("h3", null, `${thousands(count)} ${app.legendName()}`),
      el("p", { class: "hint" }, "Choose one to light its documents, or search, or draw around some with the lasso."), app.served && app.served.overview(), input, list];
  }

  // mix lists the shares of groups among documents, as bars.
  mix(title, counts, total, nameOf, colorOf, choose, most = 6) {
    const sorted = [...counts].filter((c) => c[1] > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    if (!sorted.length) return null;
    const { data } = this.app;
    return [el("h4", null, title), el("ul", { class: "mix" }, sorted.slice(0, most).map(([k, count]) => el("li", null,
      el(choose ? "button" : "div", choose ? { type: "button", onclick: () => choose(k) } : null,
        swatch(colorOf(k), data.colors), el("span", { class: "name" }, el("bdi", null, nameOf(k))),
        el("span", { class: "number" }, `${thousands(count)} · ${percent(count, total)}`), bar(count / total, colorOf(k) < 0 ? NONE : data.colors[colorOf(k)]))))),
    sorted.length > most && el("p", { class: "hint" }, `and ${sorted.length - most} more`)];
  }

  classMix(rows) {
    const { app } = this, { data } = app;
    if (!data.class) return null;
    const { counts, total } = countsOf(data.class, rows);
    return this.mix("Classes", counts, total, (k) => data.classNames[k], (k) => app.classColor(k), (k) => app.set("class", k));
  }

  // fieldMix is classMix for the words of the field that the dots are coloured by.
  fieldMix(rows) {
    const { app } = this, { data } = app, { field } = app.how();
    if (!field || field.kind !== "words") return null;
    const { counts, total } = countsOf(data[field.key], rows);
    return this.mix(field.name, counts, total, (v) => field.names[v], (v) => app.fieldGroup(field, v), (v) => app.set(field.key, { words: new Set([v]) }));
  }

  // fieldNumbers are the median and the mean of the columns of numbers among documents, beside the
  // median of all; of times the median.
  fieldNumbers(rows) {
    const { app } = this, { data } = app, MOST = 8;
    const fields = app.fields.filter((f) => f.kind !== "words").sort((a, b) => (b.key === app.coloring) - (a.key === app.coloring)).slice(0, MOST);
    const lines = fields.map((f) => [f, numbersOf(data[f.key], rows)]).filter(([, found]) => found);
    if (!lines.length) return null;
    const text = (f, v) => f.kind === "number" ? short(v) : fieldText(f, v);
    return [el("h4", null, "Numbers of columns"), el("div", { class: "scroll" }, el("table", { class: "numbers", "aria-label": "Numbers of columns" },
      el("thead", null, el("tr", null, el("th", null, "column"), ["median", "mean", "of all"].map((name) => el("th", { class: "size", title: name === "of all" ? "The median of all documents" : null }, name)))),
      el("tbody", null, lines.map(([f, found]) => {
        f.median ??= numbersOf(data[f.key]).median;
        return el("tr", { title: `${f.name}: ${thousands(found.count)} of ${thousands(rows.length)} documents have a value` },
          el("td", null, el("bdi", null, f.name)), [found.median, f.kind === "number" ? found.mean : NaN, f.median].map((v) => el("td", { class: "size" },
            text(f, v).split(" ").map((part, i) => [i > 0 && " ", el("span", null, part)]))));
      }))))];
  }

  clusterPart(k) {
    const { app } = this, { data } = app, cluster = data.clusters[k];
    const rows = app.list();
    const byConfidence = data.confidence ? rows.slice().sort((a, b) => data.confidence[b] - data.confidence[a] || (data.distance ? data.distance[a] - data.distance[b] : 0) || a - b) : null;
    const byDistance = data.distance ? rows.slice().sort((a, b) => data.distance[a] - data.distance[b] || a - b) : null;
    const typical = byDistance || byConfidence;
    const part = [this.chips(),
      el("h3", null, swatch(k, data.colors), `Cluster ${k}`, cluster.name && [": ", el("bdi", null, cluster.name)]),
      el("p", { class: "hint" }, `${plural(cluster.size, "document")} (${percent(cluster.size, data.total)})` +
        (rows.length !== cluster.size ? `, of which ${thousands(rows.length)} are on this page` : "") +
        (byConfidence && rows.length ? `; mean confidence ${short(mean(data.confidence, rows))}` : "")),
      this.actions(rows), app.served && app.served.cluster(k)];
    if (cluster.terms) {
      const top = cluster.weights ? cluster.weights[0] : 1;
      part.push(el("h4", null, "Terms that set it apart"), el("ul", { class: "terms" }, cluster.terms.map((term, i) => el("li", null,
        el("button", { type: "button", onclick: () => app.search(term), title: cluster.means ? `${term}: ${cluster.means[i]}` : "Search for it" }, el("span", { class: "name" }, el("bdi", null, term)), cluster.weights && bar(cluster.weights[i] / top, data.colors[k])), cluster.means && el("p", { class: "hint" }, cluster.means[i])))),
        cluster.coherence && el("p", { class: "hint", title: "Whether documents with one of these terms have the others too: 1 always, 0 by chance, −1 never" },
          `Coherence: NPMI ${short(cluster.coherence.npmi)}, C_v ${short(cluster.coherence.cv)}`));
    }
    part.push(this.classMix(rows), this.fieldMix(rows), this.fieldNumbers(rows));
    if (cluster.nearest && cluster.nearest.length) {
      part.push(el("h4", null, "Nearest clusters"), el("p", { class: "near" }, cluster.nearest.map((c) => this.clusterButton(c))));
    }
    if (byConfidence && rows.length) part.push(this.unsure(rows, byConfidence));
    if (typical && rows.length) part.push(el("h4", null, "Typical documents"), this.docs(typical.slice(0, 5)));
    if (byConfidence && rows.length > 5) part.push(el("h4", null, "Border documents"), this.docs(byConfidence.slice(-5).reverse(), true));
    return part;
  }

  // unsure draws the confidences of a cluster and says where its least sure members lean.
  unsure(rows, sorted) {
    const { app } = this, { data } = app, BINS = 24;
    const bins = new Array(BINS).fill(0);
    for (const i of rows) if (data.confidence[i] === data.confidence[i]) bins[Math.min(BINS - 1, Math.floor(data.confidence[i] * BINS))]++;
    const most = Math.max(...bins, 1);
    const fifth = sorted.slice(Math.floor(sorted.length * 0.8));
    const { counts, total } = data.second ? countsOf(data.second, fifth) : { counts: new Map(), total: 0 };
    const limit = data.confidence[fifth[0]];
    return [el("h4", null, "Confidence"),
      svg("svg", { class: "histogram", viewBox: `0 0 ${BINS * 10} 48`, preserveAspectRatio: "none", role: "img", "aria-label": `Confidences of the cluster's documents, from 0 to 1; mean ${short(mean(data.confidence, rows))}` },
        ...bins.map((b, i) => svg("rect", { x: i * 10 + 1, y: 48 - 46 * b / most, width: 8, height: 46 * b / most }))),
      el("p", { class: "axis", "aria-hidden": "true" }, el("span", null, "0"), el("span", null, "1")),
      el("p", { class: "hint" }, el("button", { type: "button", class: "link", onclick: () => app.set("high", limit) }, `Light the least sure fifth (at most ${short(limit)})`)),
      this.mix("Where its least sure fifth leans", counts, total, (k) => clusterName(data, k), (k) => k, (k) => app.go("cluster", k), 4)];
  }

  clusterButton(k) {
    const { data } = this.app;
    return el("button", { type: "button", class: "chip plain", onclick: () => this.app.go("cluster", k) }, swatch(k, data.colors), clusterName(data, k));
  }

  actions(rows) {
    const { app } = this;
    return el("p", { class: "actions" }, app.map && el("button", { type: "button", onclick: () => app.map.show(rows) }, "Zoom to them"),
      el("button", { type: "button", onclick: () => app.exportCSV(rows) }, "Export CSV"));
  }

  chosenPart() {
    const { app } = this, { data } = app;
    const rows = app.list();
    const { counts, total } = countsOf(data.cluster, rows);
    const part = [this.chips(), el("h3", null, plural(rows.length, "document")),
      el("p", { class: "hint" }, rows.length ? `${percent(rows.length, data.n)} of ${data.n === data.total ? "all" : "those on this page"}` : "Nothing matches. Take a choice back, or search for another word.")];
    const clusters = app.clustersWith();
    if (clusters.length) part.push(el("h4", null, "Clusters with such a term"), el("p", { class: "near" }, clusters.slice(0, 8).map((k) => this.clusterButton(k))));
    part.push(this.beside());
    if (!rows.length) return part;
    part.push(this.actions(rows));
    const terms = app.distinctive(rows);
    if (terms.length) {
      part.push(el("h4", null, data.snippets ? "Words more frequent here" : "Terms of their clusters"), el("ul", { class: "terms" }, terms.map(([term, weight]) => el("li", null,
        el("button", { type: "button", onclick: () => app.search(term) }, el("span", { class: "name" }, el("bdi", null, term)), bar(weight / terms[0][1], "var(--blue)"))))));
    }
    part.push(this.mix("Clusters", counts, rows.length, (k) => clusterName(data, k), (k) => k, (k) => app.set("cluster", k)));
    if (total < rows.length) part.push(el("p", { class: "hint" }, `${thousands(rows.length - total)} are in no cluster.`));
    part.push(this.classMix(rows), this.fieldMix(rows), this.fieldNumbers(rows));
    part.push(el("h4", null, "Documents"), this.docs(rows));
    return part;
  }

  // beside has what was found of the documents that are in files beside the page, or a button that
  // looks through them.
  beside() {
    const { app } = this;
    if (!app.map || !app.map.tiles) return null;
    this.besideBox = el("div", { id: "beside" });
    this.fillBeside();
    return this.besideBox;
  }

  // fillBeside adds what was found since, so that a list that someone reads stays as it is.
  fillBeside() {
    const { app, besideBox: box } = this, { data } = app;
    if (!box) return;
    const found = app.beside && app.beside.found;
    if (!found) {
      box.replaceChildren(el("p", { class: "actions" }, el("button", { type: "button", onclick: () => app.lookBeside() }, `Look through the other ${thousands(data.total - data.n)}`)));
    } else {
      if (box.found !== found) this.listBeside(box, found);
      box.update();
    }
  }

  // listBeside makes the list of what a search finds, which box.update brings up to date.
  listBeside(box, found) {
    const { app } = this, { data } = app;
    const note = el("p", { class: "hint", id: "beside-note" }), list = el("ul", { class: "docs" });
    let wanted = 5, shown = 0;
    const add = () => {
      list.append(...found.list.slice(shown, wanted).map((hit) => el("li", null, el("button", { type: "button", onclick: () => app.map.tiles.visit(hit) },
        el("span", { class: "id" }, swatch(hit.mark, data.colors), el("bdi", null, app.marked(hit.id))),
        hit.snippet && el("span", { class: "snippet", dir: "auto" }, app.marked(hit.snippet))))));
      shown = Math.min(wanted, found.list.length);
      more.hidden = shown >= found.list.length;
    };
    const more = el("button", { type: "button", class: "link", onclick: () => { wanted = shown + 50; add(); } }, "Show more");
    box.found = found;
    box.update = () => {
      const part = found.seen < found.of ? `of ${thousands(found.seen)} of the other ${plural(found.of, "document")} so far` : `of the other ${plural(found.of, "document")}`;
      note.textContent = `${thousands(found.total)} ${part}` + (found.missing ? `; the files of ${thousands(found.missing)} are missing` : "") +
        (found.total > found.list.length ? `; the first ${thousands(found.list.length)} are listed` : "") + ".";
      add();
    };
    box.replaceChildren(el("h4", null, "In the files beside this page"), note, list, more);
  }

  documentPart(i) {
    const { app } = this, page = app.data, [data, at] = app.where(i);
    const row = (name, value) => value == null || value === "" ? [] : [el("dt", null, name), el("dd", null, value)];
    const cluster = (k) => k < 0 ? "none" : el("button", { type: "button", class: "link", onclick: () => app.go("cluster", k) }, swatch(k, page.colors), clusterName(page, k));
    const near = app.map ? app.map.around(i, 6) : [];
    const snippet = app.snippet(i);
    const closer = () => app.map.go({ x: data.x[at], y: data.y[at], scale: Math.max(app.map.view.scale, app.map.fitScale * 8) }, true);
    return [
      el("p", { class: "actions" }, el("button", { type: "button", onclick: () => app.pick(-1) }, "← Back"), app.map && el("button", { type: "button", onclick: closer }, "Zoom to it")),
      el("h3", null, el("bdi", null, app.id(i))),
      app.served && i < page.n ? app.served.document(i) : snippet && el("p", { class: "snippet", dir: "auto" }, app.marked(snippet)),
      el("dl", null, row("cluster", cluster(data.cluster[at])), data.second ? row("next best cluster", cluster(data.second[at])) : [],
        data.class ? row("class", data.class[at] < 0 ? "none" : el("bdi", null, page.classNames[data.class[at]])) : [],
        data.known ? row("label given", data.known[at] < 0 ? "none" : el("bdi", null, page.knownNames[data.known[at]])) : [],
        isIsolated(data, at) ? row("placed", "isolated: it has nothing in common with another document, so that its place and cluster are arbitrary") : [],
        ["confidence", "novelty", "distance"].map((name) => data[name] ? row(name, short(data[name][at])) : []),
        app.fields.map((f) => row(f.name, fieldText(f, data[f.key][at])))),
      near.length > 0 && [el("h4", null, "Nearest on the map"), this.docs(near)],
    ];
  }

  // docs lists documents, twenty at a time.
  docs(rows, next) {
    const { app } = this;
    const list = el("ul", { class: "docs" });
    const more = el("button", { type: "button", class: "link" }, "Show more");
    let shown = 0;
    const add = (count) => {
      list.append(...Array.from(rows.slice(shown, shown + count), (i) => {
        const [data, at] = app.where(i), page = app.data;
        const snippet = app.snippet(i);
        const item = el("button", { type: "button", onclick: () => app.pick(i), onpointerenter: () => app.ring(i), onpointerleave: () => app.ring(-1), onfocus: () => app.ring(i), onblur: () => app.ring(-1) },
          el("span", { class: "id" }, swatch(dotOf(data, at), page.colors), el("bdi", null, app.marked(app.id(i)))),
          snippet && el("span", { class: "snippet", dir: "auto" }, app.marked(snippet)),
          el("span", { class: "facts" }, [isIsolated(data, at) && "isolated", data.cluster[at] < 0 && "in no cluster", data.class && data.class[at] >= 0 && page.classNames[data.class[at]], data.confidence && `confidence ${short(data.confidence[at])}`,
            next && data.second && data.second[at] >= 0 && `next cluster ${data.second[at]}`, ...app.shownFields(1).map((f) => fieldText(f, data[f.key][at]))].filter(Boolean).join(" · ")));
        return el("li", null, item);
      }));
      shown += count;
      more.hidden = shown >= rows.length;
    };
    add(Math.min(rows.length, 20));
    more.addEventListener("click", () => add(50));
    return el("div", null, list, more);
  }
}

// countsOf counts the values of a column, without -1, over a list of rows.
function countsOf(column, rows) {
  const counts = new Map();
  let total = 0;
  for (const i of rows) {
    if (column[i] < 0) continue;
    counts.set(column[i], (counts.get(column[i]) || 0) + 1);
    total++;
  }
  return { counts, total };
}

function mean(column, rows) {
  let sum = 0, count = 0;
  for (const i of rows) if (column[i] === column[i]) { sum += column[i]; count++; }
  return count ? sum / count : NaN;
}

// clusterName is the number of a cluster with its name or first terms.
function clusterName(data, k) {
  const { name, terms = [] } = data.clusters[k];
  return [k, name || listed(terms.slice(0, 3))].filter((v) => v !== "").join(" ");
}

// DocumentTable is the table of all documents, or of the chosen ones, a page at a time.
class DocumentTable {
  constructor(app) {
    const { data } = app;
    this.app = app;
    this.at = 0;
    this.key = null;
    this.fields = null;
    this.setColumns();
    $("rows-before").addEventListener("click", () => this.turn(-PER_PAGE));
    $("rows-after").addEventListener("click", () => this.turn(PER_PAGE));
    $("rows-export").addEventListener("click", () => app.exportCSV(this.rows));
  }

  // setColumns makes the columns anew if the fields to show have changed: the first few, that by
  // which the dots are coloured among them.
  setColumns() {
    const { app } = this, { data } = app, shown = app.shownFields(4), key = shown.map((f) => f.key).join();
    if (this.fields === key) return;
    this.fields = key;
    this.key = null;
    this.columns = [["document", (i) => app.id(i)], ["cluster", (i) => data.cluster[i]]];
    if (data.second) this.columns.push(["next", (i) => data.second[i]]);
    if (data.class) this.columns.push(["class", (i) => data.class[i] < 0 ? "" : data.classNames[data.class[i]]]);
    if (data.known) this.columns.push(["given", (i) => data.known[i] < 0 ? "" : data.knownNames[data.known[i]]]);
    for (const name of ["confidence", "novelty", "distance"]) if (data[name]) this.columns.push([name, (i) => data[name][i]]);
    if (data.isolated) this.columns.push(["placed", (i) => placed(data, i)]);
    for (const f of shown) this.columns.push([f.name, f.kind === "words" ? (i) => fieldText(f, data[f.key][i]) : (i) => data[f.key][i], f]);
    this.table = $("rows");
    this.head = el("tr", null, this.columns.map(([name], c) => el("th", null, el("button", { type: "button", class: "sort", onclick: () => this.sort(c) }, name))), data.snippets && el("th", null, "text"));
    this.table.replaceChildren(el("thead", null, this.head), el("tbody"));
  }

  sort(c) {
    this.down = this.key === c && !this.down;
    this.key = c;
    [...this.head.cells].forEach((cell, j) => cell.removeAttribute("aria-sort") || j === c && cell.setAttribute("aria-sort", this.down ? "descending" : "ascending"));
    this.show();
  }

  turn(by) {
    this.at = clamp(this.at + by, 0, Math.max(0, Math.floor((this.rows.length - 1) / PER_PAGE) * PER_PAGE));
    this.fill();
  }

  // show takes the chosen documents, in the order asked for.
  show() {
    this.setColumns();
    this.rows = this.app.list().slice();
    if (this.key !== null) {
      const [, value, field] = this.columns[this.key];
      const numbers = field ? field.kind !== "words" : this.rows.length > 0 && Array.from(this.rows.slice(0, 50)).every((i) => value(i) !== "" && !isNaN(value(i)));
      const values = new Map();
      const unknown = this.down ? -Infinity : Infinity; // comes last
      for (const i of this.rows) values.set(i, !numbers ? String(value(i)).toLowerCase() : isNaN(value(i)) ? unknown : +value(i));
      const sign = this.down ? -1 : 1;
      this.rows.sort((a, b) => { const x = values.get(a), y = values.get(b); return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b; });
    }
    this.at = 0;
    this.fill();
  }

  fill() {
    const { app } = this, { data } = app, { rows } = this;
    $("rows-note").textContent = rows.length ? `${thousands(this.at + 1)} to ${thousands(Math.min(rows.length, this.at + PER_PAGE))} of ${thousands(rows.length)}` : "none";
    $("rows-before").disabled = this.at === 0;
    $("rows-after").disabled = this.at + PER_PAGE >= rows.length;
    this.table.tBodies[0].replaceChildren(...Array.from(rows.slice(this.at, this.at + PER_PAGE), (i) => el("tr", null, this.columns.map(([name, value, field], c) => {
      const v = value(i);
      if (field) return el("td", { class: field.kind === "words" ? null : field.kind === "number" ? "size" : "date" }, el("bdi", null, field.kind === "words" ? v : fieldText(field, v)));
      if (c === 0) return el("td", { class: "id" }, el("button", { type: "button", class: "link", onclick: () => app.pick(i, true) }, el("bdi", null, app.marked(String(v)))));
      if (name === "cluster" || name === "next") return el("td", { class: "tag" }, v < 0 ? "none" : [swatch(v, data.colors), String(v)]);
      return el("td", typeof v === "number" ? { class: "size" } : null, typeof v === "number" ? short(v) : el("bdi", null, v));
    }), data.snippets && el("td", { class: "snippet", dir: "auto" }, app.marked(app.snippet(i))))));
  }
}

const PER_PAGE = 25;
