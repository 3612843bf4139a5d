// Questions: what each is about, what was seen and when, and whether the world has changed since.

import { clauses } from "./clauses.js";
import { h, money, replace, sentence, timeOf, whenChanged, words } from "./dom.js";
import { rankName } from "./parts.js";

// What is told otherwise: in lines of their own, or as a picture.
const HIDDEN = new Set(["findings", "changes", "wagers", "tag", "tags", "areas", "card", "cards", "faces", "places", "board"]);

// A dealer reads dollars, whatever the record counts in.
const called = (name) => (name === "cents" ? "amount" : name);

function evidenceText(name, value) {
  if (typeof value === "number") {
    if (/cents|pays|stake|amount|counted/.test(name)) return money(value);
    return Number.isInteger(value) ? String(value) : value.toFixed(2);
  }
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? null : words(one))).filter((one) => one !== null).join(", ") || "none";
  if (value === null || value === undefined) return "unknown";
  if (typeof value === "object") return Object.entries(value).map(([part, of]) => `${words(called(part))} ${evidenceText(part, of)}`).join(", ");
  return words(value);
}

export function evidence(found) {
  const list = [];
  const fact = (name, value) => list.push(h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  for (const [name, value] of Object.entries(found ?? {})) if (!HIDDEN.has(name)) fact(sentence(called(name)), evidenceText(name, value));
  for (const finding of found?.findings ?? []) fact(sentence(finding.kind), finding.text);
  for (const change of found?.changes ?? []) fact(sentence(change.kind), `${money(change.cents)} ${change.owner ? "of " + change.owner : ""} after ${(change.after_ms / 1000).toFixed(1)} s`);
  for (const wager of found?.wagers ?? []) fact(wager.symbol ?? wager.bet ?? "", `${money(wager.cents ?? wager.amount ?? 0)} ${wager.owner ?? wager.player ?? ""}`);
  return list.length ? h("dl", { class: "evidence" }, list) : null;
}

export function promptList(onAnswer, game = {}) {
  const node = h("div", { class: "stack prompts", "aria-live": "polite" });
  const draw = whenChanged((prompts, rank, table, cards) => replace(node, prompts.map((asked) => question(asked, rank, table, game, cards, onAnswer))));
  return { node, update: (state, rank) => draw(state.prompts, rank ?? 0, state.table, state.prompts.length ? state.game.cards ?? null : null) };
}

function question(asked, rank, table, game, cards, onAnswer) {
  const first = asked.options.filter((option) => option.answer === asked.proposal);
  const others = asked.options.filter((option) => option.answer !== asked.proposal);
  const pictures = pictured(game.subject?.(asked, table, cards) ?? []);
  const seen = asked.at ? h("time", {}, `seen ${timeOf(asked.at)}`) : null;
  return h(
    "section",
    { class: "prompt", "data-prompt": asked.prompt, "data-subject": asked.subject },
    h("h2", { class: "question" }, asked.text),
    pictures ? h("div", { class: "asked" }, pictures, seen) : null,
    asked.changed?.length ? h("p", { class: "changed", role: "alert" }, `Since this was asked: ${asked.changed.join(", ")}.`) : null,
    evidence(game.evidence?.(asked, table) ?? asked.evidence),
    h("div", { class: "options" }, [...first, ...others].map((option) => answerKey(asked, option, rank, table, onAnswer))),
    h("div", { class: "asked rests-on" }, clauses(asked.clauses), pictures ? null : seen),
  );
}

// What it is about, as it lies there.
function pictured(parts) {
  return parts.length ? h("div", { class: "subject", "data-part": "subject" }, parts) : null;
}

function answerKey(asked, option, rank, table, onAnswer) {
  const proposed = option.answer === asked.proposal;
  const needs = option.rank > rank ? rankName(table, option.rank) : "";
  const note = [needs, option.needs_reason ? "with a reason" : ""].filter(Boolean).join(", ");
  return h(
    "button",
    { class: `key ${proposed ? "proposed" : ""} ${option.label.length > 22 ? "wide" : ""} ${asked.options.length > 2 && asked.options.every((one) => one.label.length < 15) ? "short" : ""}`, type: "button", "data-answer": option.answer, onclick: onAnswer ? () => onAnswer(asked, option) : null, disabled: !onAnswer },
    h("span", { class: "label" }, option.label),
    note ? h("span", { class: "note" }, note) : null,
  );
}
