// Builds page elements. Text is always set as text, never parsed as HTML.

import { translated } from "./translate.js";

const SVG = "http://www.w3.org/2000/svg";

const READ = new Set(["aria-label", "placeholder", "title"]); // attributes that people read or hear

function fill(node, attrs, children) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : READ.has(name) ? translated(value) : value);
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(translated(String(child))));
  }
}

export function h(tag, attrs, ...children) {
  return fill(document.createElement(tag), attrs, children);
}

export function s(tag, attrs, ...children) {
  return fill(document.createElementNS(SVG, tag), attrs, children);
}

export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

export function setText(node, text) {
  const wanted = translated(String(text));
  if (node.textContent !== wanted) node.textContent = wanted;
}

// Calls draw only when what it depends on has changed, so that nothing is rebuilt under a finger.
export function whenChanged(draw) {
  let last;
  return (...inputs) => {
    const now = JSON.stringify(inputs);
    if (now !== last) {
      last = now;
      draw(...inputs);
    }
  };
}

export function words(code) {
  return String(code ?? "").replaceAll("_", " ");
}

export function sentence(code) {
  const text = words(code);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

let units = false; // whether a tournament's own chips are counted, and no dollars

export function countUnits(on) {
  units = on;
}

export function money(cents) {
  const sign = cents < 0 ? "−" : "";
  if (units) return `${sign}${(Math.abs(cents) / 100).toLocaleString("en-AU")} units`;
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-AU");
  const rest = Math.abs(cents) % 100;
  return `${sign}$${whole}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

export function timeOf(ms) {
  return new Date(ms).toLocaleTimeString("en-AU", { hour12: false });
}
