// Playing cards as small pictures; a hidden one shows its back, never its face.

import { h, s } from "./dom.js";

const SUITS = { S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"] };
const RANKS = { T: "10", J: "J", Q: "Q", K: "K", A: "A" };

export function card(face, note = "") {
  const suit = SUITS[face?.slice(-1)];
  if (!face || !suit) {
    const sign = face && face !== "??" ? face : face === "??" ? "?" : "";
    return h("span", { class: `playing ${sign ? "odd-one" : "back"}`, role: "img", "aria-label": sign ? `unreadable card ${face}` : "face-down card" }, sign, note ? h("small", {}, note) : null);
  }
  const rank = RANKS[face[0]] ?? face.slice(0, -1);
  return h("span", { class: `playing ${"HD".includes(face.slice(-1)) ? "red" : ""}`, role: "img", "aria-label": `${rank} of ${suit[1]}` }, h("b", {}, rank), h("i", {}, suit[0]), note ? h("small", {}, note) : null);
}

export function chipStack(fill = "#b58a2b") {
  return s("svg", { class: "chip", viewBox: "0 0 16 16", "aria-hidden": "true" }, s("circle", { cx: 8, cy: 8, r: 8, fill: "#f4efe2" }), s("circle", { cx: 8, cy: 8, r: 6.6, fill: "none", stroke: fill, "stroke-width": 2.2, "stroke-dasharray": "3.4 3.5" }));
}
