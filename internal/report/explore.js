// The controls of a served page: whole texts, where the model puts a text, and labels.

// Served talks to the server of the page. Addresses are relative: the page's own has the token.
class Served {
  constructor(app, state) {
    this.app = app;
    this.texts = new Map(); // whole texts by document, null while one is on its way
    this.typed = "";
    this.take(state);
    this.own = app.data.clusters.map((c) => c.name || ""); // names that the run gave
    this.apply();
  }

  take(state) {
    this.state = state;
    this.names = state.edits.names;
    this.documents = state.edits.documents;
    this.per = state.edits.per;
  }

  static async ask(path, body) {
    const answer = await fetch("api/" + path, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const value = await answer.json().catch(() => ({ error: "The server gave no answer. Is eigenmap explore still running?" }));
    if (!answer.ok) throw new Error(value.error);
    return value;
  }

  // attempt does what may fail, and shows why it failed.
  async attempt(work) {
    this.wrong = "";
    try {
      await work();
    } catch (error) {
      this.wrong = error instanceof TypeError ? "The server does not answer. Is eigenmap explore still running?" : error.message;
      say(this.wrong);
    }
    this.app.panel.show();
  }

  // save sends all edits; the server writes the file.
  save() {
    return this.attempt(async () => {
      try {
        this.take(await Served.ask("labels", { names: this.names, documents: this.documents, per: this.per }));
        say(`${plural(this.state.count, "label")} saved.`);
      } catch (error) {
        this.take(await Served.ask("state")); // as it was
        throw error;
      } finally {
        this.apply();
      }
    });
  }

  // apply shows names and merged clusters in the page.
  apply() {
    const { app } = this, { data, map } = app;
    const first = new Map();
    this.shown = data.clusters.map((c, k) => {
      const name = this.names[k];
      c.name = name || this.own[k];
      if (name && !first.has(name)) first.set(name, k);
      return name ? first.get(name) : k;
    });
    app.shown = (k) => k < 0 ? k : this.shown[k];
    for (const option of $("by-cluster").options) if (option.value >= 0 && option.value !== "") option.textContent = clusterName(data, +option.value);
    if (map) {
      for (const label of map.labels.made.values()) label.box.remove();
      map.labels.made.clear();
      map.labels.all = map.labels.all.filter((label) => label.cluster < 0);
      map.labels.boxKey = null;
    }
    app.paint();
    app.panel.show();
  }

  // known are the labels in use, for completion.
  known() {
    const { data } = this.app;
    return [...new Set([...Object.values(this.names), ...Object.values(this.documents), ...(data.knownNames || []), ...this.own])].filter(Boolean).sort();
  }

  field(text, input) { return el("label", { class: "field" }, text, input); }

  nameInput(value, placeholder, changed) {
    const list = $("names") || document.body.appendChild(el("datalist", { id: "names" }));
    list.replaceChildren(...this.known().map((name) => el("option", { value: name })));
    const input = el("input", { list: "names", maxlength: 200, placeholder, autocomplete: "off", spellcheck: "false", onchange: () => changed(input.value.trim()) });
    input.value = value || "";
    return input;
  }

  status() {
    const { state } = this;
    return [this.wrong && el("p", { class: "wrong", role: "alert" }, this.wrong),
      el("p", { class: "hint" }, state.count ? `${plural(state.count, "label")} of ${state.classes === 1 ? "1 class" : `${thousands(state.classes)} classes`}${state.saved ? `, saved in ${state.file}` : ""}.`
        : "Name clusters, give two the same name, or label documents: the labels become a file, from which the next clustering learns.")];
  }

  overview() {
    const { app, state } = this;
    const open = (part) => () => { app.panel.extra = part; app.panel.show(); };
    const command = state.again && el("pre", { id: "again" }, state.again);
    const copy = el("button", { type: "button", onclick: async () => {
      await navigator.clipboard.writeText(state.again);
      copy.textContent = "Copied";
    } }, "Copy");
    return el("div", { class: "served" }, el("p", { class: "actions" },
      state.file && el("button", { type: "button", onclick: () => this.suggest() }, "Label next"),
      state.predict && el("button", { type: "button", onclick: open(() => this.place()) }, "Place a text")),
    state.file && this.status(), state.saved && state.classes > 1 && command && [el("p", { class: "hint" }, "To cluster again with them:"), command, copy]);
  }

  cluster(k) {
    const { app, state } = this, { data } = app;
    if (!state.file) return null;
    const rename = (name) => {
      if (name) this.names[k] = name; else delete this.names[k];
      this.save();
    };
    const merge = el("select", { onchange: () => {
      const other = +merge.value, { terms = [] } = data.clusters[other];
      this.names[other] ||= this.own[other] || terms[0] || `cluster ${other}`;
      rename(this.names[other]);
    } }, el("option", { value: "" }, "choose a cluster"), data.clusters.map((_, j) => j !== k && el("option", { value: j }, clusterName(data, j))));
    const per = el("input", { type: "number", min: 1, value: this.per, onchange: () => { this.per = Math.max(1, Math.round(+per.value) || 20); this.save(); } });
    return el("div", { class: "served" }, this.field("name", this.nameInput(this.names[k], this.own[k] || "a class of your own", rename)),
      this.field("merge with", merge), this.names[k] && this.field("labels", per),
      this.names[k] && el("p", { class: "hint" }, `Its ${thousands(this.per)} surest documents get the label ${this.names[k]}.`), this.status());
  }

  document(i) {
    const { app, state } = this;
    const part = [];
    if (state.texts) {
      if (!this.texts.has(i)) {
        this.texts.set(i, null);
        this.attempt(async () => {
          try {
            this.texts.set(i, (await Served.ask("text?document=" + i)).text);
          } catch (error) {
            this.texts.set(i, app.snippet(i));
            throw error;
          }
        });
      }
      part.push(el("p", { class: "snippet whole", dir: "auto", tabindex: 0 }, app.marked(this.texts.get(i) ?? app.snippet(i))));
    } else if (app.snippet(i)) {
      part.push(el("p", { class: "snippet", dir: "auto" }, app.marked(app.snippet(i))));
    }
    if (state.file) {
      const known = app.data.known && app.data.known[i] >= 0 ? app.data.knownNames[app.data.known[i]] : "its class";
      part.push(el("div", { class: "served" }, this.field("label", this.nameInput(this.documents[i], known, (name) => {
        if (name) this.documents[i] = name; else delete this.documents[i];
        this.save();
      })), this.status()));
    }
    return part;
  }

  back() { return el("p", { class: "actions" }, el("button", { type: "button", onclick: () => { this.app.panel.extra = null; this.app.panel.show(); } }, "← Back")); }

  // suggest lists the documents whose labels help most.
  suggest() {
    return this.attempt(async () => {
      const list = await Served.ask("suggest");
      this.app.clear();
      this.app.panel.extra = () => [this.back(), el("h3", null, "Label next"),
        el("p", { class: "hint" }, "Open a document and give its label. Each stands for others without one."), this.status(),
        list.map(({ document, why }) => [this.app.panel.docs([document]),
          el("span", { class: "why" }, this.documents[document] ? el("b", null, `label ${this.documents[document]}`) : why)])];
    });
  }

  // place shows where the model puts a text.
  place() {
    const { app, found } = this, { data } = app;
    const text = el("textarea", { "aria-label": "Text", placeholder: "Type or paste a text", oninput: () => { this.typed = text.value; } });
    text.value = this.typed;
    const predict = el("button", { type: "button", onclick: () => this.attempt(async () => { this.found = await Served.ask("predict", { text: this.typed }); }) }, "Place it");
    const part = [this.back(), el("h3", null, "Place a text"), text, el("p", { class: "actions" }, predict), this.wrong && el("p", { class: "wrong", role: "alert" }, this.wrong)];
    if (!found) return part;
    const cluster = (k) => k < 0 ? "none" : app.panel.clusterButton(k);
    const row = (name, value) => value == null ? [] : [el("dt", null, name), el("dd", null, value)];
    part.push(found.isolated && el("p", { class: "hint" }, "It has no term of the model: its cluster is arbitrary."),
      el("dl", null, row("cluster", cluster(found.cluster)), found.second != null ? row("next best cluster", cluster(found.second)) : [],
        ["confidence", "novelty"].map((name) => found[name] != null ? row(name, short(found[name])) : [])));
    if (found.place && app.map) {
      const share = (v, name) => { const c = data.columns.find((column) => column.name === name); return (v - c.low) / (c.high - c.low); };
      part.push(el("p", { class: "actions" }, el("button", { type: "button", onclick: () => app.map.go({ x: share(found.place[0], "x"), y: share(found.place[1], "y"), scale: app.map.fitScale * 8 }, true) }, "Zoom to its place")));
    }
    if (found.terms && found.terms.length) {
      part.push(el("h4", null, "Terms that decided"), el("ul", { class: "terms" }, found.terms.map(({ term, weight }) => el("li", null,
        el("button", { type: "button", onclick: () => app.search(term) }, el("span", { class: "name" }, el("bdi", null, term)), bar(Math.abs(weight) / Math.abs(found.terms[0].weight), "var(--blue)"))))));
    }
    if (found.nearest.length) part.push(el("h4", null, "Nearest documents"), app.panel.docs(found.nearest));
    return part;
  }
}

// explore gives the page its further controls, if its server answers.
async function explore(app) {
  app.served = new Served(app, await Served.ask("state"));
  app.panel.show();
}
