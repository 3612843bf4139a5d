// A round's story on one screen: what lay, what came, what was decided by whom and why, what was paid.

import { clauses } from "./clauses.js";
import { h, money, sentence, timeOf, words } from "./dom.js";
import { rankName } from "./parts.js";
import { arithmetic } from "./why.js";

export function story(rows, state, game, nameOf) {
  const { table } = state;
  const label = (bet) => game.label?.(table, bet) ?? sentence(bet);
  const effects = rows.flatMap((row) => (row.taken_back ? [] : (row.effects ?? []).map((effect) => ({ at: row.at, ...effect }))));
  const settled = effects.filter((effect) => effect.type === "Settled");
  const results = settled.flatMap((effect) => effect.results.map((one) => ({ at: effect.at, ...one })));
  const part = (title, lines, none) => h("section", { class: "card" }, h("h2", {}, title), lines.length ? h("ul", { class: "told-lines" }, lines) : h("p", { class: "muted" }, none));
  const line = (at, text, why) => h("li", {}, at ? h("time", {}, timeOf(at)) : null, h("span", {}, text), clauses(why));
  const decided = effects.filter((effect) => effect.type === "Ruled");
  const back = effects.filter((effect) => effect.type === "Reversed");
  const awards = effects.filter((effect) => effect.type === "Awarded");
  return h(
    "div",
    { class: "story" },
    part("What lay", results.map((one) => line(0, `${label(one.bet)}: ${money(one.stake_taken + one.stake_returned)}${one.player ? ` of ${one.player}` : ""}`, [])), "Nothing was staked, or nothing was settled."),
    part("What came", [...byHand(rows, nameOf).map((text) => line(0, text, [])), ...(game.came?.(rows, table) ?? []).map(([at, text, why]) => line(at, text, why))], "Nothing that decides a round was seen."),
    part("What was decided", decided.map((one) => line(one.at, `${nameOf(one.by)}, ${rankName(table, one.rank) || "the table"}: ${words(one.subject.split(":")[0])}, ${words(one.answer)}${one.reason ? ` (${one.reason})` : ""}`, one.clauses)), "Nobody had to decide anything."),
    part("What was paid", [...awards.map((one) => line(one.at, awarded(one), one.clauses)), ...results.map((one) => line(one.at, `${label(one.bet)}${one.player ? `, ${one.player}` : ""}: ${arithmetic(one)}`, one.clauses)), ...back.map((one) => line(one.at, `The settlement was taken back: ${one.results.map((each) => `${each.player || label(each.bet)} ${money(each.stake_returned)}`).join(", ")} goes back.`, one.clauses))], "Nothing was paid."),
  );
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
