// Small line plots in SVG.

import { s, replace } from "./dom.js";

export class Plot {
  constructor({ width = 420, height = 150, x = "", y = "", label = "Plot" } = {}) {
    this.width = width;
    this.height = height;
    this.names = { x, y };
    this.node = s("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" });
  }

  // lines: [{points: [[x, y]…], kind}], marks: [{x, text, kind}], bands: [{upper, lower, kind}], both as points
  draw(lines, { maxX = 1, maxY = 1, marks = [], bands = [], stepX = 1, stepY = 0.5 } = {}) {
    const left = 34;
    const bottom = 20;
    const w = this.width - left - 8;
    const hgt = this.height - bottom - 8;
    this.lines = {};
    const px = (x) => (left + (x / maxX) * w).toFixed(1);
    const py = (y) => (8 + hgt - (Math.min(y, maxY) / maxY) * hgt).toFixed(1);
    const course = (points) => points.map(([x, y]) => `${px(x)},${py(y)}`).join(" ");
    const parts = [];
    for (let y = 0; y <= maxY + 1e-9; y += stepY) {
      parts.push(s("line", { class: "grid", x1: left, x2: left + w, y1: py(y), y2: py(y) }), s("text", { x: left - 5, y: Number(py(y)) + 3.5, "text-anchor": "end" }, Number(y.toFixed(2))));
    }
    for (let x = 0; x < maxX - 1e-9; x += stepX) parts.push(s("text", { x: px(x), y: this.height - 5, "text-anchor": "middle" }, Number(x.toFixed(2))));
    for (const band of bands) {
      const edge = [...band.upper, ...[...band.lower].reverse()];
      if (edge.length > 3) parts.push(s("polygon", { class: `band ${band.kind}`, points: edge.map(([x, y]) => `${px(x)},${py(y)}`).join(" ") }));
    }
    for (const mark of marks) parts.push(s("line", { class: `mark ${mark.kind ?? ""}`, x1: px(mark.x), x2: px(mark.x), y1: 8, y2: 8 + hgt }), s("text", { x: Number(px(mark.x)) + 3, y: 16 }, mark.text));
    for (const line of lines) {
      if (line.points.length < 2) continue;
      const drawn = s("polyline", { class: `line ${line.kind}`, points: course(line.points) });
      this.lines[line.kind] = { drawn, course };
      parts.push(drawn);
    }
    parts.push(s("text", { x: left + w, y: this.height - 5, "text-anchor": "end", class: "axis" }, this.names.x), s("text", { x: left + w, y: 17, "text-anchor": "end", class: "axis" }, this.names.y));
    replace(this.node, parts);
  }

  // One line goes on within what is drawn; nothing else is touched. False where it has not been drawn yet.
  goOn(kind, points) {
    const line = this.lines?.[kind];
    line?.drawn.setAttribute("points", line.course(points));
    return Boolean(line);
  }
}
