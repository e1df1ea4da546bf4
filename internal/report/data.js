// The documents: columns, texts and their search, and places on the map.

const bytesOf = (id) => fromBase64($(id).textContent);

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

function inflate(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
}

const NAMES = ["cluster", "second", "class", "leaf", "known", "isolated"]; // columns of numbers of names

// readColumn returns one column: numbers of names with -1 for none, places on the map between 0 and
// 1, or values with NaN for those that are not known.
function readColumn(buffer, c, n) {
  const type = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array }[c.bits];
  const from = new type(buffer, c.at, n);
  const missing = 2 ** c.bits - 1;
  if (NAMES.includes(c.name) || c.words) return Int32Array.from(from, (v) => v === missing ? -1 : v);
  if (isField(c.name)) { // to the last digit
    const digits = c.decimals >= 0 ? 10 ** c.decimals : 0;
    return Float64Array.from(from, (v) => {
      if (v === missing) return NaN;
      const value = c.low + v / (missing - 1) * (c.high - c.low);
      return digits ? Math.round(value * digits) / digits : value;
    });
  }
  const [low, high] = c.name === "x" || c.name === "y" ? [0, 1] : [c.low, c.high];
  return Float32Array.from(from, (v) => v === missing ? NaN : low + v / (missing - 1) * (high - low));
}

// readColumns adds all columns to the data. Fields, of which there may be many, are read when they
// are needed first.
function readColumns(data, buffer) {
  for (const c of data.columns) {
    if (!isField(c.name)) {
      data[c.name] = readColumn(buffer, c, data.n);
      continue;
    }
    let values = null;
    Object.defineProperty(data, c.name, { get: () => values ||= readColumn(buffer, c, data.n) });
  }
}

// isIsolated reports whether a document of the page or of a tile has nothing in common with any other.
const isIsolated = (data, i) => Boolean(data.isolated && data.isolated[i] >= 0);

// placed says how a document came to its cluster, as clusters.csv does.
const placed = (data, i) => isIsolated(data, i) ? "isolated" : "yes";

// dotOf is the number of the mark of a document: that of its cluster, or of isolated ones.
const dotOf = (data, i) => isIsolated(data, i) ? ISOLATED : data.cluster[i];

// Texts are the ids and the snippets, one string with a line each, which is searched as a whole.
class Texts {
  constructor(text, data) {
    this.n = data.n;
    this.hasIds = data.ids;
    this.text = text;
    this.starts = Texts.lines(text);
    this.lower = text.toLowerCase();
    // A letter may have more letters as a small one.
    this.lowerStarts = this.lower.length === text.length ? this.starts : Texts.lines(this.lower);
    this.snippetsFrom = data.snippets ? (data.ids ? this.n : 0) : -1;
  }

  static lines(text) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return Uint32Array.from(starts);
  }

  line(i) { return this.text.slice(this.starts[i], this.starts[i + 1] - 1); }
  id(i) { return this.hasIds ? this.line(i) : String(i + 1); }
  snippet(i) { return this.snippetsFrom < 0 ? "" : this.line(this.snippetsFrom + i); }

  // find marks the documents whose id or snippet has a word, which is in small letters.
  find(word) {
    const mark = new Uint8Array(this.n);
    if (!this.hasIds && /^\d+$/.test(word) && +word >= 1 && +word <= this.n) mark[+word - 1] = 1;
    const starts = this.lowerStarts;
    for (let at = this.lower.indexOf(word); at >= 0;) {
      let low = 0, high = starts.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= at) low = middle; else high = middle;
      }
      mark[low % this.n] = 1;
      at = this.lower.indexOf(word, starts[low + 1] - 1);
    }
    return mark;
  }
}

// Grid finds the document nearest to a place, in a square of the map.
class Grid {
  constructor(x, y, { left = 0, bottom = 0, side: wide = 1 } = {}) {
    this.x = x; this.y = y;
    this.left = left; this.bottom = bottom; this.wide = wide;
    this.side = clamp(Math.round(Math.sqrt(x.length / 2)), 1, 512);
    const cell = (i) => this.row(y[i]) * this.side + this.column(x[i]);
    this.first = new Uint32Array(this.side * this.side + 1);
    for (let i = 0; i < x.length; i++) this.first[cell(i) + 1]++;
    for (let c = 0; c < this.side * this.side; c++) this.first[c + 1] += this.first[c];
    this.list = new Uint32Array(x.length);
    const next = this.first.slice();
    for (let i = 0; i < x.length; i++) this.list[next[cell(i)]++] = i;
  }

  column(v) { return clamp(Math.floor((v - this.left) / this.wide * this.side), 0, this.side - 1); }
  row(v) { return clamp(Math.floor((v - this.bottom) / this.wide * this.side), 0, this.side - 1); }

  // nearest returns the document that `counts` accepts and that is nearest, at most `reach` away; -1: none.
  nearest(px, py, reach, counts) {
    let best = -1, least = reach * reach;
    const [left, right] = [this.column(px - reach), this.column(px + reach)];
    for (let row = this.row(py - reach); row <= this.row(py + reach); row++) {
      for (let k = this.first[row * this.side + left]; k < this.first[row * this.side + right + 1]; k++) {
        const i = this.list[k];
        const d = (this.x[i] - px) ** 2 + (this.y[i] - py) ** 2;
        if (d <= least && counts(i)) { best = i; least = d; }
      }
    }
    return best;
  }

  // around returns the `most` documents nearest to document i.
  around(i, most) {
    let found = [];
    for (let reach = 1.5 * this.wide / this.side; ; reach *= 2) {
      found = [];
      for (let row = this.row(this.y[i] - reach); row <= this.row(this.y[i] + reach); row++) {
        const from = row * this.side + this.column(this.x[i] - reach), to = row * this.side + this.column(this.x[i] + reach);
        for (let k = this.first[from]; k < this.first[to + 1]; k++) {
          const j = this.list[k];
          const d = Math.hypot(this.x[j] - this.x[i], this.y[j] - this.y[i]);
          if (j !== i && d <= reach) found.push([d, j]);
        }
      }
      if (found.length >= most || reach > 2) break;
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, most).map((f) => f[1]);
  }
}
