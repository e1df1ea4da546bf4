// Documents beside the page: tiles of the map, which are taken from files as one zooms in.

const TILE_SIDE = 420; // a tile is taken once its square has so many pixels on the screen
const MOST_TILES = 200; // that are drawn, and that stay in memory
const AT_ONCE = 3;
const MOST_HITS = 1000; // documents of tiles that a search lists

// Tiles are the nodes of a quadtree over the map. Each has documents of its square that no node above
// it has; on the deepest level several may share a square. The documents have numbers after those of the page, a range for each tile.
class Tiles {
  constructor(app) {
    const { data } = app;
    this.app = app;
    this.nodes = new Map();
    let first = data.n;
    for (const [z, x, y, n, part] of data.tiles) {
      const side = 2 ** -z, name = [z, x, y, ...part ? [part] : []].join("-");
      this.nodes.set(name, { name, z, n, first, side, left: x * side, bottom: y * side, state: "", seen: 0 });
      first += n;
    }
    this.list = [...this.nodes.values()];
    this.deepest = this.list.reduce((most, t) => Math.max(most, TILE_SIDE / t.side), 0); // the scale that takes all levels
    this.frame = 0;
    this.loading = 0;
    this.queue = [];
    window.eigenmapTile = (name, head, numbers, texts) => this.take(this.nodes.get(name), head, numbers, texts);
  }

  // wanted are the tiles in view that are large enough there, the nearest to the middle first, as
  // many as are drawn.
  wanted(map) {
    const { view } = map;
    const [left, top] = map.place(0, 0), [right, bottom] = map.place(view.width, view.height);
    const far = (t) => Math.hypot(t.left + t.side / 2 - view.x, t.bottom + t.side / 2 - view.y);
    return this.list.filter((t) => t.side * view.scale >= TILE_SIDE && view.scale > 1.4 * map.fitScale &&
      t.left < right && t.left + t.side > left && t.bottom < top && t.bottom + t.side > bottom).sort((a, b) => a.z - b.z || far(a) - far(b)).slice(0, MOST_TILES);
  }

  // layers are the layers to draw; tiles that are not there yet are asked for.
  layers(map) {
    const wanted = this.wanted(map);
    this.frame++;
    this.queue = wanted.filter((t) => !t.state);
    this.next();
    const shown = wanted.filter((t) => t.state === "here");
    for (const t of shown) {
      t.seen = this.frame;
      if (!t.layer) this.show(t, map);
    }
    this.shown = shown;
    Object.assign(map.canvas.dataset, { tiles: shown.length, waiting: wanted.length - shown.length - wanted.filter((t) => t.state === "missing").length });
    const kept = this.list.filter((t) => t.layer);
    if (kept.length > MOST_TILES) {
      for (const t of kept.sort((a, b) => a.seen - b.seen).slice(0, kept.length - MOST_TILES)) {
        if (t.seen === this.frame) break;
        if (!this.inUse(t)) this.drop(t);
      }
    }
    return shown.map((t) => t.layer);
  }

  // inUse are the tiles that something waits for or works on, and those of a document that is shown.
  inUse(t) { return t.held > 0 || [this.app.panel.document, this.app.map.ringed].some((i) => this.of(i) === t); }

  // drop forgets the documents of a tile, which are taken anew when they are needed.
  drop(t) {
    if (t.layer) t.layer.free();
    Object.assign(t, { layer: null, data: null, grid: null, texts: null, base: null, mark: null, state: "" });
  }

  // inView is about the number of documents of the tiles that are in view.
  inView(map) {
    const { view } = map;
    const [left, top] = map.place(0, 0), [right, bottom] = map.place(view.width, view.height);
    const shared = (from, to, low, high) => Math.max(0, Math.min(to, high) - Math.max(from, low)) / (to - from);
    return (this.shown || []).reduce((sum, t) => sum + t.n * shared(t.left, t.left + t.side, left, right) * shared(t.bottom, t.bottom + t.side, bottom, top), 0);
  }

  // next asks for the files of the first tiles of the queue. A script of the page may add others:
  // this works without a server, where nothing else can read a file.
  next() {
    while (this.loading < AT_ONCE && this.queue.length) this.ask(this.queue.shift());
  }

  ask(t) {
    t.state = "asked";
    this.loading++;
    const ended = () => {
      this.loading--;
      script.remove();
      if (t.state === "asked") this.miss(t);
      this.next();
    };
    const script = el("script", { src: `report-tile-${t.name}.js`, onload: ended, onerror: ended });
    document.head.append(script);
  }

  // load takes the file of a tile, and resolves once its documents are there or it is missing.
  load(t) {
    if (t.state === "here" || t.state === "missing") return Promise.resolve();
    return new Promise((done) => {
      (t.waiting ||= []).push(done);
      if (!t.state) this.ask(t);
    });
  }

  // use takes the file of a tile, and returns what work makes of its documents, which stay until then.
  async use(t, work) {
    t.held = (t.held || 0) + 1;
    try {
      await this.load(t);
      return work();
    } finally {
      t.held--;
      if (t.data && !t.layer && !this.inUse(t)) this.drop(t);
    }
  }

  // settle sets the state in which a tile stays, and tells those who wait for it.
  settle(t, state) {
    t.state = state;
    this.app.map.redraw();
    const waiting = t.waiting || [];
    t.waiting = null;
    for (const done of waiting) done();
  }

  // search looks through the documents of all files, one after the other, for those that are chosen,
  // and hands what it has found so far to told, as long as current says that the search still counts.
  async search(current, told) {
    const all = { total: 0, list: [], seen: 0, missing: 0, of: this.list.reduce((sum, t) => sum + t.n, 0) };
    for (const t of this.list) {
      told(all);
      await this.use(t, () => { if (current()) this.find(t, all); });
      if (!current()) return;
    }
    told(all);
  }

  // find adds what is chosen of a tile to what a search has found.
  find(t, all) {
    all.seen += t.n;
    if (!t.data) {
      all.missing += t.n;
      return;
    }
    const mark = this.app.markOf(t.data, t.texts);
    for (let at = 0; at < t.n; at++) {
      if (mark && !mark[at]) continue;
      if (all.total++ < MOST_HITS) all.list.push({ tile: t, at, id: t.texts.id(at), snippet: t.texts.snippet(at), mark: dotOf(t.data, at), x: t.data.x[at], y: t.data.y[at] });
    }
  }

  // visit shows a document that a search found, on the map and in the panel, unless another one was
  // visited or chosen meanwhile, or other documents.
  visit({ tile, at, x, y }) {
    const { app } = this, { map, beside } = app, shown = app.panel.document, mine = this.visiting = {};
    return this.use(tile, () => {
      if (this.visiting !== mine || app.beside !== beside || app.panel.document !== shown) return;
      if (!tile.data) {
        say("The file of this document is missing or damaged.");
        return;
      }
      app.pick(tile.first + at);
      map.go({ x, y, scale: Math.max(map.view.scale, 1.2 * TILE_SIDE / tile.side) }, true);
    });
  }

  // miss does without a tile whose file is not there or cannot be unpacked, and says so once.
  miss(t) {
    this.settle(t, "missing");
    if (this.told) return;
    this.told = true;
    say("Files beside the page are missing or damaged: copy report-tile-*.js with it to see all documents.");
    $("note").textContent = "Files beside this page are missing or damaged: with report-tile-*.js it shows all documents as one zooms in. " + $("note").textContent;
  }

  // take takes the documents of a tile that was asked for.
  async take(t, head, numbers, texts) {
    if (!t || t.state !== "asked") return;
    t.state = "read";
    try {
      await this.unpack(t, head, numbers, texts);
      this.settle(t, "here");
    } catch {
      this.miss(t);
    }
  }

  async unpack(t, head, numbers, texts) {
    const unpack = (text) => inflate(fromBase64(text));
    const buffer = await unpack(numbers);
    const data = { ...head };
    readColumns(data, buffer);
    data.x = data.x.map((v) => t.left + v * t.side);
    data.y = data.y.map((v) => t.bottom + v * t.side);
    data.names = this.app.data;
    t.data = data;
    t.grid = new Grid(data.x, data.y, t);
    t.base = shuffled(head.n);
    t.texts = new Texts(new TextDecoder().decode(await unpack(texts)), head);
  }

  // show gives a tile's dots to the painter.
  show(t, map) {
    t.layer = map.painter.layer(t.data.x, t.data.y);
    this.color(t);
    this.light(t);
  }

  color(t) { t.layer.setColors(this.app.colorsOf(t.data)); }

  light(t) {
    t.mark = this.app.markOf(t.data, t.texts);
    const count = t.mark ? t.mark.reduce((a, b) => a + b, 0) : t.n;
    t.layer.setOrder(litLast(t.base, t.mark, count), count);
  }

  // changed colours and lights the tiles anew.
  changed(what) {
    for (const t of this.list) if (t.layer) this[what](t);
  }

  of(i) { return this.list.find((t) => i >= t.first && i < t.first + t.n); }
  where(i) { const t = this.of(i); return [t.data, i - t.first]; }
  id(i) { const t = this.of(i); return t.texts.id(i - t.first); }
  around(i, most) { const t = this.of(i); return t.grid.around(i - t.first, most).map((j) => t.first + j); }
  snippet(i) { const t = this.of(i); return t.texts.snippet(i - t.first); }

  // nearest is the lit document nearest to a place of the map; -1: none within reach.
  nearest(x, y, reach) {
    let best = -1, least = reach;
    for (const t of this.shown || []) {
      if (x < t.left - reach || x > t.left + t.side + reach || y < t.bottom - reach || y > t.bottom + t.side + reach) continue;
      const i = t.grid.nearest(x, y, least, (j) => !t.mark || t.mark[j]);
      if (i >= 0) { best = t.first + i; least = Math.hypot(t.data.x[i] - x, t.data.y[i] - y); }
    }
    return best;
  }
}
