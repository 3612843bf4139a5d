// Take and pay as a list that follows the chips: losers first, in the order of the layout, open rows first.

import { h, money, replace, whenChanged } from "./dom.js";
import { openWhy } from "./why.js";

const GROUPS = [["take", "Take"], ["pay", "Pay"], ["push", "Push"], ["back", "Give back"], ["wrong", "Put right"]];

export function checklist(game) {
  const node = h("div", { class: "checklist", "aria-live": "polite" });
  let now;
  const draw = whenChanged((table, rows, results) => {
    replace(node, GROUPS.map(([kind, word]) => group(game, table, word, rows.filter((row) => row.kind === kind), results, () => now)));
    node.hidden = !rows.length;
  });
  return {
    node,
    update(state) {
      now = state;
      draw(state.table, rowsOf(game, state), state.game.results ?? []);
    },
  };
}

// What hands do now: as the chips move once it is owed, as the result says before that.
export function rowsOf(game, state) {
  if (!game.settles.includes(state.game.state) && !(state.checklist ?? []).some((step) => step.left || step.over)) return [];
  const results = state.game.results ?? [];
  const pushed = (game.pushes?.(state) ?? []).map((one) => ({ ...one, kind: "push", left: one.cents, over: 0, begun: false, sure: true }));
  const live = (state.checklist ?? []).map(stepRow);
  const rows = live.length ? live : planned(results);
  return [...rows, ...pushed, ...results.filter((one) => ["returned", "void"].includes(one.result) && one.stake_returned && !one.done).map((one) => ({ kind: "back", bet: one.bet, cents: one.stake_returned, left: one.stake_returned, over: 0, begun: false, sure: true, who: one.player }))];
}

function stepRow(step) {
  const kind = step.take ? "take" : step.pay ? "pay" : "wrong";
  return { kind, bet: step.bet, name: step.name, cents: step.take || step.pay || step.left || step.over, left: step.left, over: step.over, stray: step.stray, begun: step.begun, sure: step.sure };
}

// The result stands and nothing is owed yet.
function planned(results) {
  const sums = new Map();
  for (const one of results.filter((one) => !one.withheld)) sums.set(one.bet, (sums.get(one.bet) ?? 0) + one.pays - one.stake_taken);
  const rows = [...sums].filter(([, net]) => net).map(([bet, net]) => ({ kind: net < 0 ? "take" : "pay", bet, cents: Math.abs(net), left: Math.abs(net), over: 0, begun: false, sure: true }));
  return rows.sort((a, b) => (a.kind === b.kind ? 0 : a.kind === "take" ? -1 : 1));
}

function group(game, table, word, rows, results, now) {
  if (!rows.length) return null;
  const open = rows.filter((row) => row.left || row.over || row.stray);
  const ordered = [...open, ...rows.filter((row) => !open.includes(row))];
  return h("section", { class: "steps", "aria-label": word }, h("h2", {}, word), h("div", { class: "of-it" }, ordered.map((row) => stepLine(game, table, row, results, now))));
}

function stepLine(game, table, row, results, now) {
  const mine = results.filter((one) => one.bet === row.bet);
  const shares = mine.filter((one) => one.player && (row.kind === "take" ? one.stake_taken : one.pays));
  const many = shares.length > 1 ? shares.map((one) => `${one.player} ${money(row.kind === "take" ? one.stake_taken : one.pays)}`).join(", ") : row.who ?? "";
  const { text, kind } = standing(row);
  return h(
    "button",
    { type: "button", class: `step ${kind}`, "data-bet": row.bet, "data-kind": row.kind, onclick: () => openWhy(game, now(), row.bet, mine, row.why, row.clauses) },
    h("span", { class: "bet" }, game.label?.(table, row.bet) ?? row.name ?? row.bet),
    h("b", {}, money(row.cents)),
    text ? h("span", { class: "standing" }, text) : null,
    many ? h("span", { class: "shares" }, many) : null,
  );
}

// What is short or too much of it by now.
function standing(row) {
  const unsure = row.sure ? "" : " (read in part)";
  if (row.stray) return { text: `${money(row.stray)} paid here: take back${unsure}`, kind: "wrong" };
  if (row.over) return { text: `${money(row.over)} too much${unsure}`, kind: "wrong" };
  if (!row.left) return { text: "✓", kind: "done" };
  if (row.kind === "wrong") return { text: `${money(row.left)} to give back${unsure}`, kind: "wrong" };
  if (row.begun && row.left !== row.cents) return { text: `${money(row.left)} ${row.kind === "take" ? "still there" : "short"}${unsure}`, kind: "begun" };
  return { text: "", kind: "open" };
}
