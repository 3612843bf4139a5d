// A round's story on one screen: what lay, what came, what was decided by whom and why, what was paid.

import { clauses, plainClause } from "./clauses.js";
import { h, money, sentence, timeOf, words } from "./dom.js";
import { rankName } from "./parts.js";
import { arithmetic } from "./why.js";

// `says` tells what each clause asks for, in our own words.
export function story(rows, state, game, nameOf, says) {
  const { table } = state;
  const label = (bet) => game.label?.(table, bet) ?? sentence(bet);
  const effects = rows.flatMap((row) => (row.taken_back ? [] : (row.effects ?? []).map((effect) => ({ at: row.at, ...effect }))));
  const settled = effects.filter((effect) => effect.type === "Settled");
  const results = settled.flatMap((effect) => effect.results.map((one) => ({ at: effect.at, ...one })));
  const part = (title, lines, none, kind = "") => h("section", { class: "card", "data-part": title.split(" ").at(-1) }, h("h2", {}, title), lines.length ? h("ul", { class: `told-lines ${kind}` }, lines) : h("p", { class: "muted" }, none));
  const line = (at, text, why) => h("li", {}, at ? h("time", {}, timeOf(at)) : null, h("span", {}, text), clauses(why));
  const back = effects.filter((effect) => effect.type === "Reversed");
  const awards = effects.filter((effect) => effect.type === "Awarded");
  const came = [...byHand(rows, nameOf).map((text) => line(0, text, [])), ...(game.came?.(rows, table) ?? []).map(([at, text, why]) => line(at, text, why))];
  const paid = [...awards.map((one) => line(one.at, awarded(one), one.clauses)), ...results.map((one) => line(one.at, `${label(one.bet)}${one.player ? `, ${one.player}` : ""}: ${arithmetic(one)}`, one.clauses)), ...back.map((one) => line(one.at, `The settlement was taken back: ${one.results.map((each) => `${each.player || label(each.bet)} ${money(each.stake_returned)}`).join(", ")} goes back.`, one.clauses))];
  return h(
    "div",
    { class: "story" },
    part("What lay", results.map((one) => line(0, `${label(one.bet)}: ${money(one.stake_taken + one.stake_returned)}${one.player ? ` of ${one.player}` : ""}`, [])), "Nothing was staked, or nothing was settled.", "short"),
    part("What came", came, "Nothing that decides a round was seen.", "short"),
    part("What was decided", decisions(rows).map(({ row, ruled }) => decision(row, ruled, table, nameOf, says)), "Nobody had to decide anything."),
    part("What was paid", [...paid, paid.length ? h("li", { class: "by-rule" }, rulesOf([...awards, ...results, ...back].flatMap((one) => one.clauses ?? []), says)) : null].filter(Boolean), "Nothing was paid."),
  );
}

// The clauses that a story rests on, to be looked up before it is told.
export function restsOn(rows) {
  const settled = rows.flatMap((row) => (row.effects ?? []).flatMap((effect) => [...(effect.type === "Awarded" || effect.type === "Reversed" ? effect.clauses : []), ...(effect.results ?? []).flatMap((one) => one.clauses)]));
  return [...decisions(rows).flatMap(({ ruled }) => ruled.clauses), ...settled];
}

function decisions(rows) {
  return rows.flatMap((row) => (row.ruled ?? []).map((ruled) => ({ row, ruled })));
}

// The question as it was put, what was answered and told with it, by whom, why, and by which rule.
function decision(row, ruled, table, nameOf, says) {
  const told = (row.told ?? []).flatMap(([label, text], place) => [place ? "; " : "", h("span", {}, label), ": ", h("span", {}, text)]);
  const answer = ruled.question ? ruled.answer : row.label ?? sentence(ruled.subject.split(":")[0]);
  const besides = ruled.question || told.length || answer.toLowerCase().includes(ruled.answer) ? told : [h("span", {}, ruled.answer)];
  return h(
    "li",
    { class: `decision ${row.taken_back ? "undone" : ""}` },
    h("time", {}, timeOf(ruled.at)),
    h(
      "div",
      {},
      ruled.question ? h("p", {}, ruled.question) : null,
      h("p", {}, h("b", {}, answer), besides.length ? [": ", ...besides] : null, " · ", `${nameOf(ruled.by)}, ${rankName(table, ruled.rank) || "the table"}`),
      ruled.reason ? h("p", { class: "reason" }, `Reason: ${ruled.reason}`) : null,
      row.taken_back ? h("p", {}, `Taken back by ${nameOf(row.taken_back.by)}`) : null,
      rulesOf(ruled.clauses, says),
    ),
  );
}

// What the rules say, in our own words; one that the index does not hold is named alone.
function rulesOf(list, says) {
  const known = [...new Set(list.filter(Boolean).map(plainClause))];
  return known.map((clause) => h("p", { class: "by-rule" }, h("b", {}, clause), " ", says.get(clause) ?? ""));
}

// What a seat got out of which pot, and with what.
function awarded({ seat, player, cents, pot, side, hand }) {
  const from = pot ? `side pot ${pot}` : "the main pot";
  const share = side === "whole" ? from : `${from}, the ${side} half`;
  return hand && hand !== "low" ? `Seat ${seat}, ${player}, gets ${money(cents)} of ${share} with ${hand}.` : `Seat ${seat}, ${player}, gets ${money(cents)} of ${share}.`;
}

// What devices did not tell, and who keyed it in instead.
function byHand(rows, nameOf) {
  const keyed = rows.filter((row) => row.keyed && !row.taken_back);
  if (!keyed.length) return [];
  const who = [...new Set(keyed.map((row) => nameOf(row.event.by?.id)))].join(", ");
  const what = keyed.flatMap((row) => Object.values(row.event.args ?? {}).flat()).filter((value) => /^[2-9TJQKA][SHDC]$/i.test(value));
  return [`Keyed by hand, ${keyed.length} times, by ${who}${what.length ? `: ${what.join(", ")}` : ""}.`];
}
