// The clauses something rests on: a touch tells what they ask, in our own words.

import { get } from "./channel.js";
import { h } from "./dom.js";
import { tellSheet } from "./sheets.js";

const AT_ONCE = 20; // as many does the table look up in one go

export const plainClause = (clause) => clause.split(" [")[0];

// Their numbers alone, for pages that have no index to ask.
export function chips(list) {
  if (!list?.length) return null;
  return h("span", { class: "clauses" }, list.filter(Boolean).map((clause) => h("span", { class: "clause", title: clause }, plainClause(clause))));
}

export function clauses(list) {
  const known = [...new Set((list ?? []).filter(Boolean).map(plainClause))];
  if (!known.length) return null;
  return h("button", { type: "button", class: "rule", "aria-label": `What rule ${known.join(", ")} says`, onclick: (event) => { event.stopPropagation(); openClauses(known); } }, `Rule ${known.slice(0, 3).join(", ")}${known.length > 3 ? " …" : ""}`);
}

// What each of these clauses asks for, from the index; one that it does not hold is named all the same.
export async function meanings(list) {
  const known = [...new Set(list.filter(Boolean).map(plainClause))];
  if (!known.length) return [];
  const found = [];
  while (found.length < known.length) {
    const some = known.slice(found.length, found.length + AT_ONCE);
    const asked = new URLSearchParams([["place", document.documentElement.dataset.place], ...some.map((clause) => ["clause", clause])]);
    const answer = await get(`/api/clauses?${asked}`);
    found.push(...some.map((clause) => [clause, answer.clauses?.[clause] || (answer.ok ? "This clause is not in the index." : answer.error)]));
  }
  return found;
}

export function meaningList(found) {
  return h("dl", { class: "meanings" }, found.map(([clause, does]) => [h("dt", {}, clause), h("dd", {}, does)]));
}

async function openClauses(list) {
  const found = await meanings(list);
  tellSheet(list.length > 1 ? "The rules" : "The rule", meaningList(found));
}
