// Drawing of the dots, and their colours.

const VERTEX = `#version 300 es
in vec2 place; in vec3 color; in float shape;
uniform vec2 scale, shift; uniform float size; uniform vec4 dim;
out vec4 paint; flat out float form; flat out float pixels; flat out float plain;
void main() {
  gl_Position = vec4(place * scale + shift, 0.0, 1.0);
  form = dim.a > 0.0 ? 0.0 : shape;
  pixels = size * (form > 0.5 ? 1.3 : 1.0);
  gl_PointSize = pixels;
  paint = dim.a > 0.0 ? dim : vec4(color, 1.0);
  plain = dim.a > 0.0 || pixels < 5.0 ? 1.0 : 0.0;
}`;

// The distance d is 1 on the edge of the shape. Dots have a slightly darker rim, which parts those
// that cover each other.
const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 paint; flat in float form; flat in float pixels; flat in float plain; uniform float alpha;
out vec4 result;
void main() {
  vec2 p = abs(gl_PointCoord * 2.0 - 1.0);
  float d = length(p);
  if (form > 4.5) d = min(max(p.x / 0.36, p.y), max(p.x, p.y / 0.36));
  else if (form > 3.5) d = max(d, 1.0 - (d - 0.42));
  else if (form > 2.5) { float y = gl_PointCoord.y; d = max(p.x / max(0.02, y), y * 1.05); }
  else if (form > 1.5) d = p.x + p.y;
  else if (form > 0.5) d = max(p.x, p.y) * 1.25;
  float cover = clamp((1.0 - d) * pixels * 0.5 + 0.25, 0.0, 1.0) * paint.a * alpha;
  float rim = mix(0.82, 1.0, clamp((1.0 - d) * pixels * 0.5 - 0.6, 0.0, 1.0));
  result = vec4(paint.rgb * (plain > 0.5 ? 1.0 : rim) * cover, cover);
}`;

// glPainter draws with WebGL2; it returns null where the browser has none. Dots are in layers, each
// of which has its own places, colours and order.
function glPainter(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, powerPreference: "high-performance" });
  if (!gl) return null;
  let program, at;
  const layers = new Set();
  const setUp = () => {
    program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return false;
    gl.useProgram(program);
    at = Object.fromEntries(["scale", "shift", "size", "dim", "alpha"].map((name) => [name, gl.getUniformLocation(program, name)]));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    return true;
  };
  if (!setUp()) return null;
  const newLayer = (x, y) => {
    const place = new Float32Array(2 * x.length);
    for (let i = 0; i < x.length; i++) { place[2 * i] = x[i]; place[2 * i + 1] = y[i]; }
    let array, colors, order, lit = 0, buffers;
    const layer = {
      setUp() {
        array = gl.createVertexArray();
        gl.bindVertexArray(array);
        buffers = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
        const attribute = (name, buffer, size, type, normalized, stride, offset) => {
          const where = gl.getAttribLocation(program, name);
          gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
          gl.enableVertexAttribArray(where);
          gl.vertexAttribPointer(where, size, type, normalized, stride, offset);
        };
        attribute("place", buffers[0], 2, gl.FLOAT, false, 0, 0);
        gl.bufferData(gl.ARRAY_BUFFER, place, gl.STATIC_DRAW);
        attribute("color", buffers[1], 3, gl.UNSIGNED_BYTE, true, 4, 0);
        attribute("shape", buffers[1], 1, gl.UNSIGNED_BYTE, false, 4, 3);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[2]);
        if (colors) layer.setColors(colors);
        if (order) layer.setOrder(order, lit);
      },
      setColors(bytes) {
        colors = bytes;
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[1]);
        gl.bufferData(gl.ARRAY_BUFFER, colors, gl.DYNAMIC_DRAW);
      },
      // setOrder takes the documents as they are drawn, of which the last `count` are lit.
      setOrder(indices, count) {
        order = indices;
        lit = count;
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[2]);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.DYNAMIC_DRAW);
      },
      dark() { return order.length - lit; },
      points(from, to) {
        if (to <= from) return;
        gl.bindVertexArray(array);
        gl.drawElements(gl.POINTS, to - from, gl.UNSIGNED_INT, 4 * from);
      },
      lit() { return lit; },
      free() {
        layers.delete(layer);
        gl.deleteVertexArray(array);
        buffers.forEach((b) => gl.deleteBuffer(b));
      },
    };
    layer.setUp();
    layers.add(layer);
    return layer;
  };
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => {
    setUp();
    for (const layer of layers) layer.setUp();
    canvas.dispatchEvent(new Event("redraw"));
  });
  return {
    kind: "webgl2",
    layer: newLayer,
    // draw draws some layers: what is not lit first.
    draw(view, style, drawn) {
      const { width, height, ratio } = view;
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(at.scale, 2 * view.scale / width, 2 * view.scale / height);
      gl.uniform2f(at.shift, -2 * view.scale * view.x / width, -2 * view.scale * view.y / height);
      gl.uniform1f(at.size, style.dimSize * ratio);
      gl.uniform1f(at.alpha, 1);
      gl.uniform4f(at.dim, ...style.dim);
      for (const layer of drawn) layer.points(0, layer.dark());
      gl.uniform1f(at.size, style.size * ratio);
      gl.uniform1f(at.alpha, style.alpha);
      gl.uniform4f(at.dim, 0, 0, 0, 0);
      for (const layer of drawn) layer.points(layer.dark(), layer.dark() + layer.lit());
    },
  };
}

// flatPainter draws where there is no WebGL: it sets the pixels of a 2D canvas one by one, all marks
// as discs without soft edges.
function flatPainter(canvas) {
  const context = canvas.getContext("2d");
  let image, pixels;
  return {
    kind: "2d",
    layer(x, y) {
      const layer = { x, y, colors: null, order: null, count: 0, free() {} };
      // A pixel is red, green, blue and opacity, from the lowest byte to the highest.
      layer.setColors = (bytes) => { layer.colors = Uint32Array.from({ length: bytes.length / 4 }, (_, i) => (bytes[4 * i] | bytes[4 * i + 1] << 8 | bytes[4 * i + 2] << 16 | 255 << 24) >>> 0); };
      layer.setOrder = (indices, count) => { layer.order = indices; layer.count = count; };
      return layer;
    },
    draw(view, style, drawn) {
      const { width, height } = canvas;
      if (!image || image.width !== width || image.height !== height) {
        image = context.createImageData(width, height);
        pixels = new Uint32Array(image.data.buffer);
      }
      pixels.fill(0);
      const scale = view.scale * view.ratio;
      const paint = ({ x, y, order, colors }, from, to, size, color) => {
        const radius = size * view.ratio / 2, rows = [];
        for (let dy = -Math.floor(radius); dy <= radius; dy++) rows.push([dy, Math.floor(Math.sqrt(radius * radius - dy * dy))]);
        for (let j = from; j < to; j++) {
          const i = order[j];
          const px = Math.round((x[i] - view.x) * scale + width / 2), py = Math.round(height / 2 - (y[i] - view.y) * scale);
          if (px < 0 || py < 0 || px >= width || py >= height) continue;
          for (const [dy, wide] of rows) {
            const row = py + dy;
            if (row >= 0 && row < height) pixels.fill(color ?? colors[i], row * width + Math.max(0, px - wide), row * width + Math.min(width, px + wide + 1));
          }
        }
      };
      const [r, g, b, a] = style.dim.map((v) => Math.round(255 * v));
      for (const layer of drawn) paint(layer, 0, layer.order.length - layer.count, style.dimSize, (r | g << 8 | b << 16 | a << 24) >>> 0);
      for (const layer of drawn) paint(layer, layer.order.length - layer.count, layer.order.length, style.size, null);
      context.putImageData(image, 0, 0);
    },
  };
}

// rgb reads "#rrggbb".
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

// Colours of a scale, from low to high: viridis without its darkest and lightest ends, so that both
// show on white and on black. It is read alike by all kinds of colour-blind readers.
const SCALE = ["#46327e", "#3e4c8a", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#e4d829"].map(rgb);

function scaleColor(t) {
  const at = clamp(t, 0, 1) * (SCALE.length - 1);
  const low = Math.min(SCALE.length - 2, Math.floor(at));
  return SCALE[low].map((v, c) => Math.round(v + (at - low) * (SCALE[low + 1][c] - v)));
}

// shuffled is a fixed random order, in which no group hides the others.
function shuffled(n) {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  let seed = 12345;
  for (let i = n - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const j = Math.floor(seed / 4294967296 * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
