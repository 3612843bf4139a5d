// Why a wager is paid or taken: its result, the arithmetic and the rule, one touch away.

import { meaningList, meanings } from "./clauses.js";
import { h, money, words } from "./dom.js";
import { tellSheet } from "./sheets.js";

// `state` is the table as it lies there: now, or at a step of a record.
export async function openWhy(game, state, bet, results, came = "", clauses = []) {
  const name = game.label?.(state.table, bet) ?? bet;
  const found = await meanings([...clauses, ...results.flatMap((one) => one.clauses ?? [])]);
  const decided = results.length ? game.decided?.(state, results[0]) ?? [] : [];
  tellSheet(
    `Why: ${name}`,
    h("div", { class: "stack" }, came ? h("p", {}, came) : null, decided.length ? h("div", { class: "decided row" }, decided) : null, results.map((one) => h("p", { class: "sum" }, one.player ? `${one.player}: ` : "", h("b", {}, arithmetic(one)))), results.length || came ? null : h("p", {}, "No wager of this round lies here: these chips were moved without a result."), meaningList(found)),
  );
}

// The stake, what the result makes of it, and what follows, in one sentence.
export function arithmetic(one) {
  const stake = one.stake_taken + one.stake_returned;
  const times = one.pays && one.stake_returned ? rate(one.pays, one.stake_returned) : "";
  if (one.withheld) return `${money(stake)} staked; ${money(one.pays)} won and withheld.`;
  if (one.pays) return `${money(stake)} staked, ${words(one.result)}: ${money(one.stake_returned)}${times} pays ${money(one.pays)}${one.stake_taken ? `; ${money(one.stake_taken)} is taken` : ", and the stake goes back"}.`;
  if (one.stake_taken && one.stake_returned) return `${money(stake)} staked, ${words(one.result)}: ${money(one.stake_taken)} is taken, ${money(one.stake_returned)} goes back.`;
  if (one.stake_taken) return `${money(stake)} staked, ${words(one.result)}: all of it is taken.`;
  return `${money(stake)} staked, ${words(one.result)}: all of it goes back.`;
}

function rate(pays, stake) {
  const exact = pays / stake;
  return Number.isInteger(exact) ? ` at ${exact} to 1` : "";
}
