// The map: what part of it is seen, moving and zooming, and choosing of documents by hand.

// DocumentMap shows the documents as dots. It calls
// - hovered(document or -1, x, y) as the pointer moves,
// - picked(document or -1) for a click,
// - chosen(polygon or null) for a lasso or a rectangle, with corners on the map.
class DocumentMap {
  constructor(data, calls) {
    this.data = data;
    this.calls = calls;
    this.canvas = $("canvas");
    this.stage = this.canvas.parentElement;
    this.painter = glPainter(this.canvas);
    if (!this.painter) {
      // A canvas that was asked for WebGL may give no other drawing.
      const fresh = this.canvas.cloneNode();
      this.canvas.replaceWith(fresh);
      this.canvas = fresh;
      this.painter = flatPainter(fresh);
    }
    this.canvas.dataset.painter = this.painter.kind;
    this.layer = this.painter.layer(data.x, data.y);
    this.tiles = null; // of documents that are not on the page
    this.grid = new Grid(data.x, data.y);
    this.base = shuffled(data.n);
    this.lit = null;
    this.count = data.n;
    this.mode = "pan";
    this.showLabels = true;
    this.view = { x: 0.5, y: 0.5, scale: 1, width: 0, height: 0, ratio: 1 };
    this.labels = new Labels(data, $("labels"));
    this.light(null, data.n);
    this.listen();
    this.crowd = crowdOf(data);
    this.resize();
    this.go(this.firstView(), false);
    new ResizeObserver(() => this.resize()).observe(this.stage);
    document.addEventListener("theme", () => { this.dim = null; this.redraw(); });
  }

  // light shows only the documents of a mark in colour; null shows all.
  light(mark, count) {
    const n = this.data.n;
    this.lit = mark;
    this.count = mark ? count : n;
    this.layer.setOrder(litLast(this.base, mark, this.count), this.count);
    this.labels.light(mark, this.count);
    this.redraw();
  }

  setColors(bytes) {
    this.layer.setColors(bytes);
    this.colored = true;
    this.findObstacles(); // the legend may have come or gone
    this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio || 1, 2.5);
    const v = this.view, grows = v.width ? Math.min(width / v.width, height / v.height) : 1;
    Object.assign(v, { width, height, ratio, scale: v.scale * grows });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.fitScale = this.firstView().scale;
    this.findObstacles();
    this.draw();
  }

  // findObstacles notes the tools on the map, which labels keep clear of.
  findObstacles() {
    const origin = this.stage.getBoundingClientRect();
    this.obstacles = [...this.stage.querySelectorAll(".tools > div, #legend:not([hidden])")].map((e) => {
      const r = e.getBoundingClientRect();
      return { left: r.left - origin.left, top: r.top - origin.top, wide: r.width, high: r.height };
    });
  }

  // wholeView is the view in which all documents are seen, and firstView that of the crowd.
  wholeView() { return this.viewOf(this.data.box); }
  firstView() { return this.viewOf(this.crowd || this.data.box); }

  // viewOf is the view of a box, with a little room around it.
  viewOf(box) {
    const { width, height } = this.view;
    const room = Math.min(48, width / 12);
    const scale = Math.min((width - 2 * room) / Math.max(1e-3, box.right - box.left), (height - 2 * room) / Math.max(1e-3, box.top - box.bottom));
    return { x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2, scale };
  }

  fit(slowly = true) { this.go(this.wholeView(), slowly); }

  // show moves to the documents of a list.
  show(list) {
    if (!list.length) return;
    const box = boxOf(this.data, list);
    const { width, height } = this.view;
    const scale = Math.min(width / (box.right - box.left + 1e-9), height / (box.top - box.bottom + 1e-9)) * 0.7;
    this.go({ x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2, scale: clamp(scale, this.fitScale, this.fitScale * 30) }, true);
  }

  // most is the largest scale: tiles of the deepest level are taken before it.
  most() { return Math.max(this.fitScale * 400, this.tiles ? 1.5 * this.tiles.deepest : 0); }

  // least is the smallest scale, in which all documents are seen.
  least() { return Math.min(this.fitScale * 0.5, this.wholeView().scale); }

  // outside counts the documents that the first view does not have.
  outside() {
    if (!this.crowd) return 0;
    const { x, y, n } = this.data, v = this.firstView(), { width, height } = this.view;
    let count = 0;
    for (let i = 0; i < n; i++) if (Math.abs(x[i] - v.x) * v.scale > width / 2 || Math.abs(y[i] - v.y) * v.scale > height / 2) count++;
    return count;
  }

  // go moves to a view, within a quarter of a second if it goes slowly.
  go(to, slowly) {
    cancelAnimationFrame(this.going);
    to.scale = clamp(to.scale, this.least(), this.most());
    if (!slowly || still.matches) {
      Object.assign(this.view, to);
      this.redraw();
      return;
    }
    const { x, y, scale } = this.view, started = performance.now();
    const step = (now) => {
      const t = clamp((now - started) / 250, 0, 1), s = t * t * (3 - 2 * t);
      const view = this.view;
      view.scale = scale * (to.scale / scale) ** s;
      // Places move with the scale, so that what is aimed at goes straight to the middle.
      const share = Math.abs(to.scale - scale) < 1e-9 * scale ? s : (1 / scale - 1 / view.scale) / (1 / scale - 1 / to.scale);
      view.x = x + (to.x - x) * share;
      view.y = y + (to.y - y) * share;
      this.draw();
      if (t < 1) this.going = requestAnimationFrame(step);
    };
    this.going = requestAnimationFrame(step);
  }

  // zoom changes the scale so that a place on the screen stays where it is.
  zoom(factor, px = this.view.width / 2, py = this.view.height / 2, slowly = false) {
    const v = this.view;
    const scale = clamp(v.scale * factor, this.least(), this.most());
    const [mx, my] = this.place(px, py);
    this.go({ x: mx - (px - v.width / 2) / scale, y: my + (py - v.height / 2) / scale, scale }, slowly);
  }

  pan(dx, dy) { this.go({ x: this.view.x - dx / this.view.scale, y: this.view.y + dy / this.view.scale, scale: this.view.scale }, false); }

  // place is the place on the map of a place on the screen, and screen the way back.
  place(px, py) {
    const v = this.view;
    return [v.x + (px - v.width / 2) / v.scale, v.y - (py - v.height / 2) / v.scale];
  }

  screen(x, y) {
    const v = this.view;
    return [(x - v.x) * v.scale + v.width / 2, v.height / 2 - (y - v.y) * v.scale];
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  // style is how large and how dense the dots are: larger the fewer there are, and on zooming in.
  style() {
    const zoom = this.view.scale / this.fitScale;
    const shown = this.lit ? Math.max(this.count, this.data.n / 20) : this.data.n;
    const full = Math.sqrt(this.view.width * this.view.height / Math.max(1, shown)) * 0.42;
    let size = clamp(clamp(full, 2.4, 7) * Math.max(0.6, zoom) ** 0.4, 2.2, 15);
    const more = this.tiles ? this.tiles.inView(this) : 0; // of which there is less room
    if (more) size = Math.min(size, Math.max(2.4, Math.sqrt(this.view.width * this.view.height / more) * 0.8));
    this.dim ||= rgb(getComputedStyle(root).getPropertyValue("--dim").trim()).map((v) => v / 255);
    return { size: this.lit ? Math.max(size, 3.4) : size, alpha: this.data.n > 30000 && zoom < 4 ? 0.72 : 0.86, dimSize: Math.max(1.8, size * 0.7), dim: [...this.dim, 0.7] };
  }

  draw() {
    if (!this.view.width || !this.colored) return;
    const layers = [this.layer, ...this.tiles ? this.tiles.layers(this) : []];
    this.painter.draw(this.view, this.style(), layers);
    this.labels.draw(this, this.showLabels);
    this.drawMarks();
    if (!this.drawn) {
      this.drawn = true;
      performance.mark("drawn");
    }
  }

  // drawMarks draws the ring around a document, the lasso, and the aim of the keyboard.
  drawMarks() {
    const ring = $("ring");
    ring.hidden = !(this.ringed >= 0);
    if (!ring.hidden) {
      const [of, at] = this.where(this.ringed);
      const [px, py] = this.screen(of.x[at], of.y[at]);
      ring.style.transform = `translate(${px}px,${py}px)`;
    }
    const corners = this.path || (this.area ? this.area.map(([x, y]) => this.screen(x, y)) : null);
    $("area").setAttribute("d", corners ? "M" + corners.map((c) => c.map((v) => v.toFixed(1)).join(" ")).join("L") + "Z" : "");
  }

  ring(i) {
    this.ringed = i;
    this.drawMarks();
  }

  setMode(mode) {
    this.mode = mode;
    this.stage.dataset.mode = mode;
    for (const button of document.querySelectorAll("[data-set-mode]")) button.setAttribute("aria-pressed", button.dataset.setMode === mode);
  }

  // where is the data of a document and its number there.
  where(i) { return i >= this.data.n && this.tiles ? this.tiles.where(i) : [this.data, i]; }

  // around are the documents nearest to one, on the page or in its tile.
  around(i, most) { return i >= this.data.n && this.tiles ? this.tiles.around(i, most) : this.grid.around(i, most); }

  // at is the lit document at a place on the screen; -1: none.
  at(px, py, reach) {
    const [x, y] = this.place(px, py);
    const own = this.grid.nearest(x, y, reach / this.view.scale, (i) => !this.lit || this.lit[i]);
    if (!this.tiles) return own;
    const far = own < 0 ? reach / this.view.scale : Math.hypot(this.data.x[own] - x, this.data.y[own] - y);
    const other = this.tiles.nearest(x, y, far);
    return other < 0 ? own : other;
  }

  listen() {
    const c = this.canvas, pointers = new Map();
    let moved = 0, last = null, spread = 0;
    const where = (event) => {
      const box = c.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const middle = () => {
      const all = [...pointers.values()];
      return [all.reduce((s, p) => s + p[0], 0) / all.length, all.reduce((s, p) => s + p[1], 0) / all.length];
    };
    const apart = () => {
      const [a, b] = [...pointers.values()];
      return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    };
    c.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      c.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, where(event));
      moved = 0; last = middle(); spread = apart();
      const mode = event.shiftKey ? "lasso" : this.mode;
      this.path = pointers.size === 1 && mode !== "pan" ? [where(event)] : null;
      this.drawing = mode;
      this.calls.hovered(-1);
    });
    c.addEventListener("pointermove", (event) => {
      const p = where(event);
      if (!pointers.has(event.pointerId)) {
        const onLabel = this.labels.hit(...p) >= 0;
        c.classList.toggle("points", onLabel);
        const i = onLabel ? -1 : this.at(...p, 14);
        this.ring(i);
        c.dataset.over = i;
        this.calls.hovered(i, ...p);
        return;
      }
      pointers.set(event.pointerId, p);
      const now = middle();
      moved += Math.hypot(now[0] - last[0], now[1] - last[1]);
      if (this.path) {
        if (this.drawing === "rect") this.path = [this.path[0], [p[0], this.path[0][1]], p, [this.path[0][0], p[1]]];
        else if (Math.hypot(p[0] - this.path.at(-1)[0], p[1] - this.path.at(-1)[1]) > 3) this.path.push(p);
        this.drawMarks();
      } else if (moved > 3 || pointers.size > 1) {
        this.stage.classList.add("grabbed");
        this.pan(now[0] - last[0], now[1] - last[1]);
        const wide = apart();
        if (spread && wide) this.zoom(wide / spread, ...now);
        spread = wide;
      }
      last = now;
    });
    const end = (event) => {
      if (!pointers.delete(event.pointerId)) return;
      const { path } = this;
      this.path = null;
      this.stage.classList.remove("grabbed");
      if (pointers.size) { last = middle(); spread = apart(); return; }
      if (path && moved > 6 && path.length > 2 && event.type === "pointerup") {
        this.area = path.map((p) => this.place(...p));
        this.calls.chosen(this.area);
      } else if (moved <= 6 && event.type === "pointerup") {
        const cluster = this.labels.hit(...where(event));
        if (cluster >= 0) this.calls.cluster(cluster);
        else this.calls.picked(this.at(...where(event), event.pointerType === "touch" ? 24 : 14));
      }
      this.drawMarks();
    };
    c.addEventListener("pointerup", end);
    c.addEventListener("pointercancel", end);
    c.addEventListener("pointerleave", () => { this.ring(-1); this.calls.hovered(-1); });
    c.addEventListener("redraw", () => this.redraw());
    c.addEventListener("dblclick", (event) => this.zoom(2, ...where(event), true));
    this.stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 400 : 1;
      this.zoom(Math.exp(-clamp(event.deltaY * unit, -300, 300) * (event.ctrlKey ? 0.01 : 0.002)), ...where(event));
    }, { passive: false });
    c.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 200 : 60;
    const does = {
      ArrowLeft: () => this.pan(step, 0), ArrowRight: () => this.pan(-step, 0),
      ArrowUp: () => this.pan(0, step), ArrowDown: () => this.pan(0, -step),
      "+": () => this.zoom(1.5, undefined, undefined, true), "=": () => this.zoom(1.5, undefined, undefined, true),
      "-": () => this.zoom(1 / 1.5, undefined, undefined, true), "0": () => this.fit(),
      l: () => this.setMode("lasso"), r: () => this.setMode("rect"), m: () => this.setMode("pan"),
      Enter: () => {
        const i = this.at(this.view.width / 2, this.view.height / 2, Infinity);
        if (i >= 0) { this.ring(i); this.calls.picked(i); }
      },
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // picture returns the map as it is seen, with its labels, as a PNG blob.
  picture() {
    const { width, height, ratio } = this.view;
    const out = el("canvas", { width: this.canvas.width, height: this.canvas.height });
    const context = out.getContext("2d"), css = getComputedStyle(root);
    context.fillStyle = css.getPropertyValue("--paper");
    context.fillRect(0, 0, out.width, out.height);
    this.draw(); // WebGL forgets its picture after a frame
    context.drawImage(this.canvas, 0, 0);
    context.scale(ratio, ratio);
    if (this.showLabels) this.labels.paint(context, css, width, height);
    return new Promise((resolve) => out.toBlob(resolve));
  }
}

// litLast is an order in which what is not lit comes first; without a mark, the order itself.
function litLast(base, mark, count) {
  if (!mark) return base;
  const order = new Uint32Array(base.length);
  let dark = 0, bright = base.length - count;
  for (const i of base) order[mark[i] ? bright++ : dark++] = i;
  return order;
}

// boxOf is the smallest box around the documents of a list; without a list, around all.
function boxOf(data, list) {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  const add = (i) => {
    const x = data.x[i], y = data.y[i];
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.bottom) box.bottom = y;
    if (y > box.top) box.top = y;
  };
  if (list) list.forEach(add); else for (let i = 0; i < data.n; i++) add(i);
  return box;
}

// crowdOf is the box of nearly all documents, without a quarter of a per cent on each side, if
// those few take a fifth of the map or more from it; else null.
function crowdOf({ x, y, box }) {
  const side = (values, low, high) => {
    const step = Math.max(1, values.length / 20000); // of many documents some
    const sorted = Float32Array.from({ length: Math.floor(values.length / step) }, (_, k) => values[Math.floor(k * step)]).sort(), cut = Math.floor(0.0025 * sorted.length);
    const from = sorted[cut], to = sorted[sorted.length - 1 - cut], room = 0.06 * (to - from);
    return [Math.max(low, from - room), Math.min(high, to + room)];
  };
  const [left, right] = side(x, box.left, box.right), [bottom, top] = side(y, box.bottom, box.top);
  const most = Math.max(box.right - box.left, box.top - box.bottom);
  return Math.max(right - left, top - bottom) > 0.8 * most || right <= left || top <= bottom ? null : { left, right, bottom, top };
}

// inside marks the documents in a polygon.
function inside(data, polygon) {
  const mark = new Uint8Array(data.n);
  const xs = polygon.map((p) => p[0]), ys = polygon.map((p) => p[1]);
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  for (let i = 0; i < data.n; i++) {
    const x = data.x[i], y = data.y[i];
    if (x < left || x > right || y < bottom || y > top) continue;
    let odd = 0;
    for (let a = 0, b = xs.length - 1; a < xs.length; b = a++) {
      if ((ys[a] > y) !== (ys[b] > y) && x < (xs[b] - xs[a]) * (y - ys[a]) / (ys[b] - ys[a]) + xs[a]) odd ^= 1;
    }
    mark[i] = odd;
  }
  return mark;
}
