// Poker: seats, board and pots. Hole cards are never shown: nothing here draws a card that lies before a seat.

import { h, money, replace, sentence, whenChanged, words } from "../dom.js";
import { card, chipStack } from "./cards.js";

export function headline(state) {
  const game = state.game;
  const turn = game.turn ? `Seat ${game.turn} to act` : "";
  return { title: sentence(game.phase ?? game.state), hint: game.instruction ?? turn };
}

export const mainKeys = ["open", "shuffled", "deal", "confirm", "next_hand", "place_bets"];
export const sideKeys = ["fold", "check", "call"];
export const settles = ["over"];
export const fields = { "*.amount": { kind: "money", label: "Amount" } };

export function label(table, bet) {
  return sentence(bet);
}

export function outcome(table, round) {
  return { text: words(round.outcome || "–"), colour: null };
}

export class Picture {
  constructor() {
    this.node = h("div", { class: "poker-table", role: "img", "aria-label": "The table" });
    this.draw = whenChanged((table, game) => this.show(table, game));
  }

  update(state) {
    this.draw(state.table, state.game);
  }

  live() {}

  show(table, game) {
    const players = Array.isArray(game.seats) ? game.seats : Object.entries(game.seats ?? {}).map(([seat, player]) => (typeof player === "object" ? { seat: Number(seat), ...player } : { seat: Number(seat), player }));
    const count = Math.max(table.seats ?? 9, ...players.map((one) => one.seat));
    const board = game.board ?? [];
    const pots = game.pots ?? [];
    const seats = Array.from({ length: count }, (_, place) => {
      const seat = place + 1;
      const player = players.find((one) => one.seat === seat);
      const angle = Math.PI / 2 + (2 * Math.PI * (place + 0.5)) / count;
      const node = h(
        "div",
        { class: `seat ${player ? "" : "empty"} ${game.turn === seat ? "turn" : ""} ${player?.folded ? "folded" : ""}`, "data-seat": seat },
        h("span", { class: "number" }, seat, game.button === seat ? h("b", { class: "button", title: "Button" }, "D") : null),
        player ? [h("b", {}, player.player ?? player.name ?? ""), player.stack !== undefined ? h("span", {}, money(player.stack)) : null, player.bet || player.in_round ? h("span", { class: "stake" }, chipStack(), money(player.bet ?? player.in_round)) : null, player.status ? h("small", {}, words(player.status)) : null] : h("small", {}, "free"),
      );
      node.style.left = `${50 + 42 * Math.cos(angle)}%`;
      node.style.top = `${50 + 40 * Math.sin(angle)}%`;
      return node;
    });
    replace(
      this.node,
      h("div", { class: "poker-middle" }, h("div", { class: "cards" }, Array.from({ length: 5 }, (_, place) => (board[place] ? card(board[place]) : h("span", { class: "playing place" })))), h("div", { class: "pots" }, pots.map((pot, place) => h("span", { class: "stake" }, chipStack(), `${place ? `Side ${place}` : "Pot"} ${money(pot.amount ?? pot.cents ?? pot)}`)))),
      seats,
    );
  }
}

export function layout() {
  const node = h("div", { class: "hidden" });
  return { node, update() {} };
}

export function recordParts(rows) {
  const last = rows.findLast?.((row) => row.view)?.view;
  return last?.board?.length ? [h("section", { class: "card" }, h("h2", {}, "Board"), h("div", { class: "cards sequence" }, last.board.map((face) => card(face))))] : [];
}
