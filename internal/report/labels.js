// Labels of clusters on the map.

// Labels name the clusters on the map. A label lies where the cluster's lit documents in view are
// densest. Clusters with more of them come first; a label that would cover another one is moved a
// little, then shortened, then left out. On zooming in there is room for more terms, and where few
// documents are in view they have labels too. Near at hand labels become finer: of the levels below
// the clusters, if the page has them, else words by which parts of the view differ from the whole.
class Labels {
  constructor(data, layer) {
    this.data = data;
    this.layer = layer;
    this.context = el("canvas").getContext("2d");
    this.widths = new Map();
    this.made = new Map(); // labels of clusters, by number
    this.groups = { of: data.cluster, list: data.clusters };
    this.names = []; // labels of documents
    this.all = [];
    this.id = () => ""; // the name of a document, once the texts are there
    this.words = null; // words that documents have more often than others, likewise
    this.spots = []; // labels of parts of the map by such words
    this.finest = (data.levels || []).filter((l) => l.clusters.length > data.clusters.length).sort((a, b) => a.clusters.length - b.clusters.length);
    this.light(null, data.n);
  }

  light(mark, count) {
    this.mark = mark;
    this.count = count;
    this.boxKey = null;
  }

  // use puts labels on the groups of a level, or of another division, in place of the clusters; null: on
  // the clusters again.
  use(groups) {
    if (!groups && !this.groups.level) return;
    this.groups = groups || { of: this.data.cluster, list: this.data.clusters };
    for (const label of this.made.values()) label.box.remove();
    this.made.clear();
    this.all = [];
    for (const label of [...this.names, ...this.spots]) label.box.hidden = true;
    this.boxKey = null;
  }

  // cluster is the label of a cluster, made when it is first shown.
  cluster(k) {
    let label = this.made.get(k);
    if (!label) {
      const { name, terms = [] } = this.groups.list[k];
      const text = el("span");
      const { finer, colors } = this.groups, number = colors ? colors[k] : k;
      const box = el("span", { class: "label" }, swatch(number, this.data.colors), text);
      box.hidden = true;
      this.layer.append(box);
      if (finer) { // without its number, which is no cluster's
        label = { cluster: k, box, text, color: number, variants: [5, 4, 3, 2, 1].map((count) => listed(terms.slice(0, count)) || `part of ${number}`) };
        this.made.set(k, label);
        return label;
      }
      const variant = (count) => `${number} ${named(name, terms.slice(0, name ? Math.max(0, count - 1) : count))}`.trim();
      label = { cluster: k, box, text, color: number, variants: [6, 4, 3, 2, 1, 0].map(variant).concat(String(number)) };
      this.made.set(k, label);
    }
    return label;
  }

  // detail turns to the labels of a finer level, or of the clusters again, by how near the map is.
  detail(map) {
    if (this.groups.level && !this.groups.finer) return;
    const zoom = map.view.scale / map.fitScale;
    const level = zoom < FINER ? null : this.finest[Math.min(this.finest.length - 1, Math.floor(Math.log2(zoom / FINER)))];
    if ((this.groups.finer || null) === (level || null)) return;
    this.use(level ? this.finerGroups(level) : null);
  }

  // finerGroups are the groups of a level; each has the colour of the cluster that it is a part of.
  finerGroups(level) {
    const { data } = this;
    if (!level.groups) {
      const of = Int32Array.from(data.leaf, (leaf) => leaf < 0 ? -1 : level.of[leaf]);
      const colors = new Int32Array(level.clusters.length).fill(-1);
      for (let i = 0; i < data.n; i++) if (of[i] >= 0) colors[of[i]] = data.cluster[i];
      level.groups = { of, list: level.clusters, colors, level: true, finer: level };
    }
    return level.groups;
  }

  // place chooses what has a label and where, for the documents in view.
  place(map) {
    const { width, height } = map.view, { data } = this;
    const [left, top] = map.place(0, 0), [right, bottom] = map.place(width, height);
    const key = [left, right, top, bottom].map((v) => v.toPrecision(5)).join();
    if (key === this.boxKey) return;
    this.boxKey = key;
    this.detail(map);
    this.boxKey = key; // which a change of the groups forgets
    const seen = { left: Math.max(left, data.box.left), right: Math.min(right, data.box.right), bottom: Math.max(bottom, data.box.bottom), top: Math.min(top, data.box.top) };
    const { groups, total, some } = densest(data, this.groups.of, this.mark, seen, MOST_NAMES);
    // In a part of the map, or of the documents, clusters with very few there need no label.
    const least = total * (this.mark || map.view.scale > 1.5 * map.fitScale ? 0.015 : 0.002);
    for (const label of this.all) label.box.hidden = true;
    this.all = groups.filter((g) => g.count >= least).slice(0, 300).map((g) => Object.assign(this.cluster(g.cluster), { x: g.x, y: g.y }));
    this.all.push(...this.wordSpots(map, seen, total));
    if (total <= MOST_NAMES && map.view.scale > map.fitScale * 2) this.all.push(...some.map((i, j) => this.name(i, j)));
  }

  // wordSpots are labels of parts of the view, by the words of their documents.
  wordSpots(map, seen, total) {
    if (!this.words || this.groups.level || this.mark || total <= MOST_NAMES || map.view.scale < FINER * map.fitScale) return [];
    const COLUMNS = map.view.width < 600 ? 2 : 4, ROWS = 3, MOST = 120;
    const { data } = this, cells = Array.from({ length: COLUMNS * ROWS }, () => []);
    const wide = (seen.right - seen.left) / COLUMNS, high = (seen.top - seen.bottom) / ROWS;
    for (let i = 0; i < data.n; i++) {
      const x = data.x[i], y = data.y[i];
      if (x < seen.left || x >= seen.right || y < seen.bottom || y >= seen.top) continue;
      cells[Math.min(ROWS - 1, Math.floor((y - seen.bottom) / high)) * COLUMNS + Math.min(COLUMNS - 1, Math.floor((x - seen.left) / wide))].push(i);
    }
    const used = new Set(), list = [];
    for (const rows of cells.sort((a, b) => b.length - a.length)) {
      if (rows.length < 8) break;
      const step = Math.max(1, rows.length / MOST);
      const some = Array.from({ length: Math.min(rows.length, MOST) }, (_, j) => rows[Math.floor(j * step)]);
      const words = this.words(some).map((w) => w[0]).filter((w) => w.length > 2 && !used.has(w)).slice(0, 3);
      if (!words.length) continue;
      words.forEach((w) => used.add(w));
      const spot = this.spots[list.length] || { cluster: -1, words: true, box: el("span", { class: "label words" }), text: el("span") };
      if (!spot.box.firstChild) { spot.box.append(spot.text); this.layer.append(spot.box); }
      this.spots[list.length] = spot;
      const x = some.reduce((s, i) => s + data.x[i], 0) / some.length, y = some.reduce((s, i) => s + data.y[i], 0) / some.length;
      list.push(Object.assign(spot, { x, y, variants: [3, 2, 1].map((k) => listed(words.slice(0, k))) }));
    }
    return list;
  }

  // name is the label of a document.
  name(i, j) {
    if (!this.names[j]) {
      const text = el("span");
      const box = el("span", { class: "label small" }, text);
      this.layer.append(box);
      this.names[j] = { cluster: -1, box, text };
    }
    const id = this.id(i);
    return Object.assign(this.names[j], { x: this.data.x[i], y: this.data.y[i], variants: [id.length > 26 ? id.slice(0, 25) + "…" : id] });
  }

  width(text, document) {
    const key = document ? "d" + text : text;
    let w = this.widths.get(key);
    if (w === undefined) {
      this.context.font = (document ? "11.5px " : "600 12.5px ") + (getComputedStyle(this.layer).fontFamily || "sans-serif");
      w = this.context.measureText(text).width + (document ? 8 : 25);
      this.widths.set(key, w);
    }
    return w;
  }

  draw(map, visible) {
    const { width, height } = map.view;
    // Places are chosen anew when the map has come to rest; until then labels move with it.
    clearTimeout(this.waiting);
    if (this.boxKey === null) this.place(map);
    else this.waiting = setTimeout(() => { this.place(map); this.lay(map, visible, width, height); }, 140);
    this.lay(map, visible, width, height);
  }

  lay(map, visible, width, height) {
    const zoom = map.view.scale / map.fitScale;
    // Terms that a label may have: few from afar, and few on a narrow screen.
    const from = (zoom < 1.6 ? 2 : zoom < 4 ? 1 : 0) + (width < 600 ? 1 : 0);
    const taken = map.obstacles.slice();
    this.dots = this.data.n <= FEW_DOTS ? Array.from(this.data.x, (x, i) => map.screen(x, this.data.y[i])) : [];
    for (const label of this.all) {
      label.box.hidden = true;
      const [px, py] = map.screen(label.x, label.y);
      if (!visible || px < 0 || py < 0 || px > width || py > height) continue;
      const spot = this.spot(label, px, py, label.cluster < 0 ? 0 : from, taken, width, height);
      if (!spot) continue;
      taken.push(spot);
      label.spot = spot;
      if (label.text.textContent !== spot.text) label.text.textContent = spot.text;
      label.box.style.transform = `translate(${spot.left.toFixed(1)}px,${spot.top.toFixed(1)}px)`;
      label.box.hidden = false;
    }
  }

  // hit is the cluster whose label is at a place on the screen; -1: none.
  hit(px, py) {
    const label = this.all.find(({ box, spot, cluster }) => cluster >= 0 && !box.hidden && spot && px >= spot.left && px <= spot.left + spot.wide && py >= spot.top && py <= spot.top + spot.high);
    return label ? label.cluster : -1;
  }

  // spot is where a label fits, and of few dots where it covers the fewest; null if nowhere.
  spot(label, px, py, from, taken, width, height) {
    const high = 22, document = label.cluster < 0;
    const ways = document ? [[0, 0.8], [0, -0.8]] : [[0, 0], [0, -0.9], [0, 0.9], [0.3, 0], [-0.3, 0], [0, -1.8], [0, 1.8]];
    for (const text of label.variants.slice(from)) {
      const wide = this.width(text, document);
      let best = null, least = Infinity;
      for (const [dx, dy] of ways) {
        const left = clamp(px - wide / 2 + dx * wide, 2, Math.max(2, width - wide - 2));
        const top = clamp(py - high / 2 + dy * high, 2, height - high - 2);
        if (!taken.every((t) => left > t.left + t.wide + 4 || t.left > left + wide + 4 || top > t.top + t.high + 2 || t.top > top + high + 2)) continue;
        const covered = this.dots.reduce((sum, [x, y]) => sum + (x > left && x < left + wide && y > top && y < top + high), 0);
        if (covered < least) [best, least] = [{ left, top, wide, high, text }, covered];
        if (!covered) break;
      }
      if (best) return best;
    }
    return null;
  }

  // paint draws the labels on a canvas, for a saved picture.
  paint(context, css) {
    context.textBaseline = "middle";
    for (const { box, spot, cluster, color } of this.all) {
      if (box.hidden) continue;
      context.strokeStyle = css.getPropertyValue("--paper");
      context.lineWidth = 4;
      context.lineJoin = "round";
      const indent = cluster < 0 ? 4 : 20;
      context.font = cluster < 0 ? "11.5px sans-serif" : "600 12.5px sans-serif";
      context.strokeText(spot.text, spot.left + indent, spot.top + 11);
      context.fillStyle = css.getPropertyValue("--ink");
      context.fillText(spot.text, spot.left + indent, spot.top + 11);
      if (cluster < 0 || this.layer.classList.contains("plain")) continue;
      context.fillStyle = this.data.colors[color];
      context.beginPath();
      context.arc(spot.left + 11, spot.top + 11, 5, 0, 7);
      context.fill();
    }
  }
}

const FINER = 2.5; // from so many times the whole map on labels are finer
const MOST_NAMES = 70; // documents in view that have labels of their own
const FEW_DOTS = 500; // documents up to which labels keep clear of dots

// densest finds where the documents of each group of `of` are nearest to each other, of those that are lit
// and in a box: groups of cluster, place and count, the largest first. It also counts the documents
// and returns the first few of them.
function densest(data, of, mark, box, few) {
  const SIDE = 32;
  const members = new Map(), some = [];
  let total = 0;
  for (let i = 0; i < data.n; i++) {
    const x = data.x[i], y = data.y[i];
    if (mark && !mark[i] || x < box.left || x > box.right || y < box.bottom || y > box.top) continue;
    if (++total <= few) some.push(i);
    const k = of[i];
    if (k < 0) continue;
    const list = members.get(k);
    if (list) list.push(i); else members.set(k, [i]);
  }
  const cell = (v, low, high) => clamp(Math.floor((v - low) / (high - low + 1e-9) * SIDE), 0, SIDE - 1);
  const cellOf = (i) => cell(data.y[i], box.bottom, box.top) * SIDE + cell(data.x[i], box.left, box.right);
  const counts = new Float32Array(SIDE * SIDE);
  const groups = [...members].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]).slice(0, 1000).map(([cluster, rows]) => {
    counts.fill(0);
    for (const i of rows) counts[cellOf(i)]++;
    let best = -1, bx = 0, by = 0;
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        if (!counts[y * SIDE + x]) continue;
        let sum = counts[y * SIDE + x];
        for (let v = Math.max(0, y - 1); v <= Math.min(SIDE - 1, y + 1); v++) {
          for (let u = Math.max(0, x - 1); u <= Math.min(SIDE - 1, x + 1); u++) sum += counts[v * SIDE + u];
        }
        if (sum > best) { best = sum; bx = x; by = y; }
      }
    }
    let sx = 0, sy = 0, near = 0;
    for (const i of rows) {
      const c = cellOf(i);
      if (Math.abs(c % SIDE - bx) <= 1 && Math.abs(Math.floor(c / SIDE) - by) <= 1) { sx += data.x[i]; sy += data.y[i]; near++; }
    }
    return { cluster, x: sx / near, y: sy / near, count: rows.length };
  });
  return { groups, total, some };
}
