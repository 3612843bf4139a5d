// The words of a page in the language that its screen is set to. English needs no catalogue, and none is loaded.

import { chosen } from "./screen.js";

const LEAST = 2; // letters that a text with gaps must have of its own to be known by them
const FEW = 10; // one with no more than these stands for short things only: “3 of 5”

const { language } = chosen();
const known = language === "en" ? null : await load(language);
document.documentElement.lang = known ? { zh: "zh-Hans" }[language] ?? language : "en";

async function load(wanted) {
  try {
    const response = await fetch(`/words/${encodeURIComponent(wanted)}`);
    return response.ok ? catalogue(await response.json()) : null;
  } catch (error) {
    return null; // in English rather than not at all
  }
}

export function catalogue(texts) {
  const gaps = [];
  for (const [text, said] of Object.entries(texts)) {
    const own = text.replace(/\{\w+\}/g, "");
    if (own === text || own.replace(/[^A-Za-z]/g, "").length < LEAST) continue;
    const names = [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    gaps.push({ shape: new RegExp(`^${parts.join("(.*?)")}$`, "s"), names, said, size: own.length });
  }
  gaps.sort((a, b) => b.size - a.size);
  return { whole: new Map(Object.entries(texts)), gaps, before: new Map() };
}

export function translated(text, from = known) {
  if (!from || typeof text !== "string" || !/[A-Za-z]{2}/.test(text)) return text;
  let said = from.before.get(text);
  if (said === undefined) {
    said = find(text, from);
    if (from.before.size > 5000) from.before.clear();
    from.before.set(text, said);
  }
  return said;
}

// As it stands, with its gaps filled, sentence by sentence, or with commas between; else as it was.
function find(text, from) {
  const [, lead, bare, trail] = /^(\s*)(.*?)(\s*)$/s.exec(text);
  const whole = from.whole.get(bare) ?? from.whole.get(bare.charAt(0).toUpperCase() + bare.slice(1)) ?? from.whole.get(bare.charAt(0).toLowerCase() + bare.slice(1));
  if (whole !== undefined) return lead + whole + trail;
  for (const { shape, names, said, size } of from.gaps) {
    const match = shape.exec(bare);
    if (!match || (size <= FEW && match.slice(1).some((part) => part.trim().split(/\s+/).length > 3))) continue;
    const filled = Object.fromEntries(names.map((name, place) => [name, translated(match[place + 1], from)]));
    return lead + said.replace(/\{(\w+)\}/g, (gap, name) => filled[name] ?? gap) + trail;
  }
  for (const between of [/(?<=[.?!]) (?=[A-Z“])/, /, /, / · /]) {
    const parts = bare.split(between);
    if (parts.length > 1) {
      const each = parts.map((part) => translated(part, from));
      if (each.some((part, place) => part !== parts[place])) return lead + each.join(between.source.includes("·") ? " · " : between.source === ", " ? "，" : "") + trail;
    }
  }
  return text;
}
