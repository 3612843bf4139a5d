// Poker: seats, board and pots. Hole cards are never shown: nothing here draws a card that lies before a seat.

import { h, money, replace, sentence, whenChanged, words } from "/static/dom.js";
import { card, chipStack } from "/static/cards.js";

const TITLES = {
  between_hands: "Between hands", posting: "Blinds", shuffling: "Shuffle", dealing: "Deal", discard1: "Discard", discard2: "Discard",
  bet1: "First betting round", flop: "Flop", side_flop: "Flop", bet2: "Second betting round", turn: "Turn", bet3: "Third betting round",
  river: "River", bet4: "Last betting round", showdown: "Showdown", award: "Award", drop: "Commission", ruling: "A decision is needed",
};

export function headline(state) {
  const { state: phase, turn, seats, instruction } = state.game;
  const player = seats?.find?.((one) => one.seat === turn)?.player;
  return { title: turn ? `Seat ${turn}${player ? `, ${player}` : ""}` : TITLES[phase] ?? sentence(phase), hint: instruction ?? "", until: turn ? state.game.act_by : 0 };
}

// A key says how much it is about.
export function keyLabel(key, state) {
  const may = state.game.options;
  if (!may) return key.label;
  const held = state.game.seats?.find?.((one) => one.seat === may.seat);
  const range = may.raise_min >= may.raise_max ? money(may.raise_max) : `${money(may.raise_min)}…${money(may.raise_max)}`;
  if (key.name === "call" && may.to_call) return `Call ${money(may.to_call)}`;
  if (key.name === "bet" && may.raise_min) return `Bet ${range}`;
  if (key.name === "raise" && may.raise_min) return `Raise to ${range}`;
  if (key.name === "all_in" && held?.stack) return `All in ${money(held.stack + (held.in_round ?? 0))}`;
  return key.label;
}

// What hands do while there is nothing to press.
export function meanwhile(state) {
  return state.game.instruction || "";
}

// The large key is what the hand waits for; a player who owes nothing checks, one who owes something calls.
const BY_HAND = { blind: "blinds_posted", card: "cards_dealt", burn: "board_cards", board: "board_cards", show: "hand_shown", discard: "card_given_up" };
const WAITED_FOR = { fee: "fees", shuffle: "shuffled", cut: "cut", board: "turned_up", show: "table_hand", push: "pushed", drop: "dropped" };

export function mainKeys(state) {
  const { options, expected } = state.game;
  const now = options ? (options.to_call ? "call" : "check") : WAITED_FOR[expected?.what];
  return ["open", "done", "start_hand", now, options ? "" : BY_HAND[expected?.what]].filter(Boolean);
}

export function mainArgs(state) {
  const { expected } = state.game;
  return expected?.what === "show" && expected.seats.length ? { seat: expected.seats[0] } : {};
}

export function sideKeys(state) {
  const { options, expected } = state.game;
  if (options) return ["fold", options.opening ? "bet" : "raise", "all_in"];
  return [expected?.what === "show" ? "muck_hand" : "sit", "report", "boxed"];
}

// What a question is about: the board as it lies.
export function subject(asked) {
  const board = asked.evidence?.board ?? [];
  return board.length ? [h("span", { class: "cards small" }, board.map((face) => card(faceOf(face))))] : [];
}

// The seat stands in the question.
export function evidence(asked) {
  const { seat, ...rest } = asked.evidence ?? {};
  return rest;
}

// The picture shows every stake; no list of them is needed beside it.
export const showsStakes = true;
// Keys that show what they will do before it is done.
export const weighty = ["cancel_disruption", "cancel_fraud", "exclude", "withhold", "confiscate"];
export const settles = ["award", "drop"];

// Where each pot is pushed, and the hand that won it.
export function pushes({ game }) {
  const player = (seat) => game.seats?.find?.((one) => one.seat === seat)?.player ?? "";
  const potOf = (pot) => (pot ? `side pot ${pot}` : "the main pot");
  return (game.awards ?? []).map(({ seat, pot, cents, side, hand, clause }) => {
    const won = hand && hand !== "low" ? hand : "";
    const from = side === "whole" ? potOf(pot) : `${potOf(pot)}, the ${side} half`;
    const why = won ? `Seat ${seat}, ${player(seat)}, gets ${money(cents)} of ${from} with ${won}.` : `Seat ${seat}, ${player(seat)}, gets ${money(cents)} of ${from}.`;
    return { bet: `seat ${seat}`, cents, who: [player(seat), game.pots.length > 1 || side !== "whole" ? from : "", won].filter(Boolean).join(", "), why, clauses: [clause] };
  });
}

// What decided a hand: the board, and what its player tabled; once it is over, as it lay then.
export function decided({ game }, { player }) {
  const seat = game.seats?.find?.((one) => one.player === player)?.seat;
  const shown = (name, faces) => (faces?.length ? [h("span", { class: "cards small" }, h("small", {}, name), faces.map((face) => card(faceOf(face))))] : []);
  const { board, tabled } = game.results?.length ? game.lay_open ?? {} : game;
  return [...shown("Board", board), ...shown(`Seat ${seat}`, tabled?.[seat])];
}

// What lies before the seats in this betting round.
export function wagers(state) {
  return (state.game.seats ?? []).filter((one) => one.in_round).map((one) => ({ bet: `seat ${one.seat}`, player: one.player, amount: one.in_round }));
}

export function label(table, bet) {
  return sentence(bet);
}

export function outcome(table, round) {
  return { text: words(round.outcome || "–"), colour: null };
}

const faceOf = (face) => `${face.slice(0, -1)}${face.slice(-1).toUpperCase()}`;

export class Picture {
  constructor() {
    this.node = h("div", { class: "poker-table", role: "group", "aria-label": "The table" });
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
    const seats = Array.from({ length: count }, (_, place) => seatNode(game, place + 1, players.find((one) => one.seat === place + 1), count));
    const taken = seats.filter((seat) => !seat.classList.contains("empty"));
    replace(
      this.node,
      h("div", { class: "poker-middle" }, h("div", { class: "cards board" }, Array.from({ length: 5 }, (_, place) => (board[place] ? card(faceOf(board[place])) : h("span", { class: "playing place" })))), h("div", { class: "pots" }, pots.map((pot, place) => h("span", { class: "stake" }, chipStack(), `${place ? `Side ${pots.length > 2 ? place : ""}` : pots.length > 1 ? "Main" : "Pot"} ${money(pot.amount ?? pot.cents ?? pot)}`)))),
      taken,
      h("div", { class: "seats-free", role: "group", "aria-label": "Free seats" }, seats.filter((seat) => !taken.includes(seat))),
    );
  }
}

function seatNode(game, seat, player, count) {
  const angle = Math.PI / 2 + (2 * Math.PI * (seat - 0.5)) / count;
  const staked = player?.in_round ?? player?.bet;
  const node = h(
    "div",
    { class: `seat ${player ? "" : "empty"} ${game.turn === seat ? "turn" : ""} ${player?.folded ? "folded" : ""}`, "data-seat": seat },
    h("span", { class: "number" }, seat, game.button === seat ? h("b", { class: "button", title: "Button" }, "D") : null),
    player ? [h("b", { class: "player" }, player.player ?? ""), h("span", { class: "held" }, money(player.stack ?? 0)), hand(game.tabled?.[seat], player.cards), staked ? h("span", { class: "stake" }, chipStack(), money(staked)) : null, player.status ? h("small", {}, words(player.status)) : null] : null,
  );
  node.style.left = `${50 + 42 * Math.cos(angle)}%`;
  node.style.top = `${50 + 41 * Math.sin(angle)}%`;
  return node;
}

// A hand that was tabled lies open for everybody; before that a page knows how many cards lie there, and no more.
function hand(tabled, count) {
  if (tabled?.length) return h("span", { class: "cards small" }, tabled.map((face) => card(faceOf(face))));
  return Number.isInteger(count) && count ? h("span", { class: "cards small" }, Array.from({ length: count }, () => card(""))) : null;
}

export function layout() {
  const node = h("div", { class: "hidden" });
  return { node, update() {} };
}

export function recordParts(rows) {
  const last = rows.findLast?.((row) => row.view?.board?.length)?.view;
  return last?.board?.length ? [h("section", { class: "card" }, h("h2", {}, "Board"), h("div", { class: "cards sequence" }, last.board.map((face) => card(faceOf(face)))))] : [];
}

// What decided the hand, for its story: the board, and the hands that were tabled.
export function came(rows) {
  const board = rows.findLast?.((row) => row.view?.board?.length)?.view.board ?? [];
  const tabled = rows.findLast?.((row) => Object.keys(row.view?.tabled ?? {}).length)?.view.tabled ?? {};
  const named = (faces) => faces.map(faceOf).map((face) => `${face.slice(0, -1)}${{ S: "♠", H: "♥", D: "♦", C: "♣" }[face.slice(-1)] ?? ""}`).join(" ");
  return [...(board.length ? [[0, `Board: ${named(board)}`, []]] : []), ...Object.entries(tabled).map(([seat, faces]) => [0, `Seat ${seat} tabled ${named(faces)}`, []])];
}
