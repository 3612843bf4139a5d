// Casino War: boxes with their stakes and cards, the dealer's card, and the shoe.

import { h, money, replace, sentence, whenChanged, words } from "../dom.js";
import { card, chipStack } from "./cards.js";

const HEADLINES = {
  unchecked: ["Check the cards", ""],
  unshuffled: ["Shuffle the cards", ""],
  uncut: ["Have the cards cut", ""],
  burning: ["Burn", ""],
  betting: ["Place your bets", ""],
  closed: ["No more bets", "Deal."],
  dealing: ["Deal", "One card to every box, then the dealer's."],
  interim: ["Settle", "Losers first, then winners."],
  choosing: ["War or surrender?", "Ask every tied box."],
  war_burning: ["War: burn", ""],
  war_dealing: ["War: deal", ""],
  final: ["Settle the war", ""],
  over: ["The round is over", ""],
  ruling: ["A decision is needed", ""],
  reshuffling: ["Shuffle: the cards ran out", ""],
  recutting: ["Have the cards cut", ""],
  blocked: ["The cards are wrong", "They may not be played."],
};

export function headline(state) {
  const [title, hint] = HEADLINES[state.game.state] ?? [sentence(state.game.state), ""];
  const next = state.game.next;
  return { title, hint: typeof next === "string" && next ? `Next card: ${placeWords(next)}` : hint };
}

export const mainKeys = ["open", "place_bets", "check_cards", "shuffled", "no_more_bets", "settled"];
export const sideKeys = ["choice", "misread", "misdeal"];

export const fields = {
  "choice.choice": { kind: "choice", label: "Choice", choices: [["war", "War"], ["surrender", "Surrender"]] },
  "*.box": { kind: "choice", label: "Box", number: true, choices: (state) => boxes(state.table, state.game).map((box) => [String(box), `Box ${box}`]) },
  "*.card": { kind: "number", label: "Which card of the round" },
  "*.amount": { kind: "money", label: "Amount" },
};

export function label(table, bet) {
  return sentence(bet);
}

export function outcome(table, round) {
  return { text: words(round.outcome || "–"), colour: null };
}

function boxes(table, game) {
  const most = Math.max(table.places ?? 7, ...game.stakes.map((stake) => stake.box));
  return Array.from({ length: most }, (_, place) => place + 1);
}

function placeWords(place) {
  return words(place).replace(/-/g, " ");
}

function cardsAt(game, test) {
  return game.cards.filter((one) => test(String(one.to)));
}

// The table as a picture: the dealer's cards above, the boxes in an arc below.
export class Picture {
  constructor() {
    this.node = h("div", { class: "war-table", role: "img", "aria-label": "The table" });
    this.draw = whenChanged((table, game) => this.show(table, game));
  }

  update(state) {
    this.draw(state.table, state.game);
  }

  live() {}

  show(table, game) {
    const dealer = cardsAt(game, (to) => to.startsWith("dealer"));
    const rest = cardsAt(game, (to) => !to.startsWith("dealer") && !to.startsWith("box"));
    replace(
      this.node,
      h("div", { class: "war-dealer" }, h("span", { class: "muted-felt" }, "Dealer"), h("div", { class: "cards" }, dealer.length ? dealer.map((one) => card(one.face)) : card(""))),
      h("div", { class: "war-side" }, h("span", {}, `${game.left} cards left`), game.shuffle_due ? h("b", {}, "Shuffle due") : null, rest.length ? h("span", {}, `${rest.length} burned or aside`) : null),
      h("div", { class: "war-boxes" }, boxes(table, game).map((box) => this.box(game, box))),
    );
  }

  box(game, box) {
    const mine = cardsAt(game, (to) => to === `box${box}`);
    const stakes = game.stakes.filter((stake) => stake.box === box && stake.status === "live");
    const choice = (game.choices ?? []).find((one) => one.box === box);
    const won = (game.results ?? []).some((one) => one.result === "win" && stakes.some((stake) => stake.id === one.wager));
    return h(
      "div",
      { class: `war-box ${won ? "won" : ""}`, "data-box": box },
      h("span", { class: "number" }, box),
      h("div", { class: "cards" }, mine.map((one) => card(one.face))),
      stakes.map((stake) => h("span", { class: "stake" }, chipStack(), money(stake.amount), h("small", {}, stake.zone === "main" || stake.zone === "initial" ? stake.player : `${words(stake.zone)} ${stake.player}`))),
      choice?.choice ? h("span", { class: "tag" }, words(choice.choice)) : null,
    );
  }
}

// Beside the picture: what lies on each box.
export function layout() {
  const node = h("div", { class: "layout compact", "aria-label": "Stakes" });
  const draw = whenChanged((stakes) => {
    const sums = new Map();
    for (const stake of stakes.filter((one) => one.status === "live")) sums.set(stake.box, (sums.get(stake.box) ?? 0) + stake.amount);
    replace(node, [...sums].sort(([a], [b]) => a - b).map(([box, sum]) => h("div", { class: "area" }, h("span", { class: "symbol" }, `Box ${box}`), h("span", { class: "amount" }, chipStack(), money(sum)))));
    node.classList.toggle("hidden", !sums.size);
  });
  return { node, update: (state) => draw(state.game.stakes) };
}

export function recordParts(rows, table) {
  const last = rows.findLast?.((row) => row.view)?.view;
  return last?.cards?.length ? [h("section", { class: "card" }, h("h2", {}, "Cards in the order they came"), h("div", { class: "cards sequence" }, last.cards.map((one) => card(one.face, placeWords(String(one.to))))))] : [];
}
