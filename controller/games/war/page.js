// Casino War: boxes with their stakes and cards, the dealer's card, and the shoe.

import { h, money, replace, sentence, whenChanged, words } from "/static/dom.js";
import { card, chipStack } from "/static/cards.js";

const HEADLINES = {
  unchecked: ["Check the cards", "Every card of every deck is there, and none is marked."],
  unshuffled: ["Shuffle the cards", ""],
  uncut: ["Have the cards cut", ""],
  burning: ["Burn", ""],
  betting: ["Place your bets", ""],
  closed: ["No more bets", ""],
  dealing: ["Deal", ""],
  interim: ["Take and pay", "Losers first, then winners; tied boxes wait."],
  choosing: ["War or surrender?", "Ask every tied box. A war stake laid down is the answer."],
  war_burning: ["War: burn", ""],
  war_dealing: ["War: deal", ""],
  final: ["Settle the war", "Losers first, then winners."],
  over: ["The round is over", "Pick the cards up."],
  ruling: ["A decision is needed", ""],
  reshuffling: ["Shuffle: the cards ran out", "The round goes on afterwards."],
  recutting: ["Have the cards cut", ""],
  blocked: ["The cards are wrong", "They may not be played."],
};

// Everybody has surrendered, and what the house keeps lies there still.
const HALVES = ["Take and pay", "Half of each stake that was surrendered."];

export function headline(state) {
  const { state: phase, next, blocked, burns } = state.game;
  const halves = phase === "choosing" && state.keys.some((one) => one.name === "settled");
  const [title, hint] = halves ? HALVES : HEADLINES[phase] ?? [sentence(phase), ""];
  if (phase === "blocked" && blocked) return { title, hint: `${blocked.why} Still needed: ${blocked.needs.map(words).join(", ")}.` };
  if (!next) return { title, hint };
  return { title, hint: burns ? `${burns} ${burns === 1 ? "card" : "cards"} still to burn` : `Next card: ${placeWords(next)}` };
}

// What hands do while there is nothing to press.
export function meanwhile(state) {
  const { next, burns } = state.game;
  return next ? `Draw: ${placeWords(next)}${burns > 1 ? `, ${burns} of them` : ""}` : "";
}

// Where cards are keyed, the next one comes before anything else, once bets are closed. Opening the bets again undoes
// what was just called: it stands aside, never where “No more bets” was.
export function mainKeys(state) {
  const { next, state: phase } = state.game;
  return ["open", "check_cards", "shuffled", "taken_and_paid", next && phase !== "betting" ? "next_card" : "", phase === "closed" ? "" : "place_bets", "no_more_bets", "settled", "next_card"].filter(Boolean);
}

// Where nobody reads the chips or the cards, what stands in for them lies ready.
export function sideKeys(state) {
  const offered = (name) => state.keys.some((one) => one.name === name);
  const last = offered("cutting_card") ? "cutting_card" : state.game.state === "closed" ? "place_bets" : "misdeal";
  return offered("chips_laid") ? ["chips_laid", "chips_taken", last === "misdeal" ? "misread" : last] : ["sit", "misread", last];
}

// What a question is about: the cards it names as they lie, and the stake.
export function subject(asked, table, cards) {
  const { card: place, cards: named, faces, box, amount } = asked.evidence ?? {};
  const lying = (some) => some.map((one) => h("span", { class: "cards small" }, h("small", {}, placeWords(String(one.to))), card(one.face)));
  const faced = Array.isArray(named) ? named : faces ?? [];
  const shown = faced.length ? [h("span", { class: "cards small" }, faced.map((face) => card(face)))] : [];
  const one = Number.isInteger(place) && cards?.[place] ? lying([cards[place]]) : [];
  const tied = box && amount ? lying((cards ?? []).filter((each) => [`box${box}`, "dealer"].includes(String(each.to)))) : [];
  return [...(shown.length ? shown : one), ...tied, ...(amount ? [h("span", { class: "stake" }, chipStack(), money(amount))] : [])];
}

// What decided a wager: the box's cards beside the dealer's.
export function decided({ game }, { bet }) {
  const sides = [`box${bet.split(" ").at(-1)}`, "dealer"].map((side) => cardsAt(game, (to) => to === side || (side === "dealer" && to.startsWith(side))));
  return sides.filter((lying) => lying.length).map((lying) => h("span", { class: "cards small" }, h("small", {}, placeWords(String(lying[0].to))), lying.map((one) => card(one.face))));
}

// What the question says in words already is not said again.
export function evidence(asked) {
  return asked.subject.startsWith("choice") ? {} : null;
}

// The picture shows every stake; no list of them is needed beside it.
export const showsStakes = true;
// Keys that show what they will do before it is done.
export const weighty = ["void_player", "void_hand", "void_round", "cancel", "misdeal", "invalid_stake", "mispaid", "mispayment", "settled_as", "bar_player", "withhold"];
export const settles = ["interim", "choosing", "final"];

export function label(table, bet) {
  const [zone, box] = bet.split(" ");
  return box ? `Box ${box} ${words(zone)}` : sentence(bet);
}

export function outcome(table, round) {
  return { text: `${round.paid - round.taken > 0 ? "−" : "+"}${money(Math.abs(round.taken - round.paid))}`, colour: null };
}

function boxes(table, game) {
  const most = Math.max(table.places ?? 7, ...game.stakes.map((stake) => stake.box));
  return Array.from({ length: most }, (_, place) => place + 1);
}

function placeWords(place) {
  return words(place).replace(/-/g, " ").replace(/^box(\d+)/, "box $1").replace(/^dealer/, "the dealer");
}

function cardsAt(game, test) {
  return game.cards.filter((one) => test(String(one.to)));
}

// The table as a picture: the dealer's cards above, the boxes below.
export class Picture {
  constructor() {
    this.node = h("div", { class: "card-table", role: "group", "aria-label": "The table" });
    this.draw = whenChanged((table, game) => this.show(table, game));
  }

  update(state) {
    this.draw(state.table, state.game);
  }

  live() {}

  show(table, game) {
    const dealer = cardsAt(game, (to) => to.startsWith("dealer"));
    const rest = cardsAt(game, (to) => !to.startsWith("dealer") && !to.startsWith("box"));
    const notes = [`${game.left} left`, rest.length ? `${rest.length} burned or aside` : "", game.burns ? `${game.burns} to burn` : "", game.shuffle_due ? "shuffle due" : ""].filter(Boolean);
    const all = boxes(table, game).map((box) => this.box(game, box));
    const open = all.filter((box) => !box.classList.contains("empty"));
    this.node.classList.toggle("crowded", open.length > CROWD);
    replace(
      this.node,
      h("div", { class: `card-dealer ${String(game.next).startsWith("dealer") ? "next" : ""}` }, h("span", { class: "number" }, "Dealer"), h("div", { class: "cards" }, dealer.length ? dealer.map((one) => card(one.face)) : h("span", { class: "playing place" })), h("span", { class: "card-notes" }, notes.join(" · "))),
      h("div", { class: "card-boxes" }, open, h("div", { class: "card-free", role: "group", "aria-label": "Free boxes" }, all.filter((box) => !open.includes(box)))),
    );
    this.bringUp(this.node.querySelector(".card-box.next"));
  }

  // Where not all boxes have room at once, the one that is dealt to does.
  bringUp(box) {
    if (!box) return;
    const [around, at] = [this.node, box].map((node) => node.getBoundingClientRect());
    if (at.bottom > around.bottom) this.node.scrollTop += at.bottom - around.bottom;
    else if (at.top < around.top) this.node.scrollTop -= around.top - at.top;
  }

  box(game, box) {
    const mine = cardsAt(game, (to) => to === `box${box}`);
    const stakes = game.stakes.filter((stake) => stake.box === box && shownStake(stake)).sort((a, b) => rank(a) - rank(b));
    const results = (game.results ?? []).filter((one) => stakes.some((stake) => stake.id === one.wager));
    const main = results.find((one) => one.bet.startsWith("war")) ?? results.find((one) => one.bet.startsWith("main"));
    const choice = (game.choices ?? []).find((one) => one.box === box);
    const tag = main ? RESULTS[main.result] ?? words(main.result) : choice ? choice.choice || "tie" : "";
    const player = game.at_box?.[box];
    const owners = [...new Set(stakes.map((stake) => stake.player))];
    const shared = owners.length > 1;
    const empty = !stakes.length && !mine.length && game.next !== `box${box}`;
    const node = h(
      "div",
      { class: `card-box ${main?.result === "win" ? "won" : ""} ${game.next === `box${box}` ? "next" : ""} ${empty ? "empty" : ""}`, "data-box": box },
      h("span", { class: "number" }, box),
      mine.length ? h("div", { class: "cards" }, mine.map((one) => card(one.face))) : null,
      h("div", { class: "stakes" }, stakes.map((stake) => stakeLine(stake, shared)), !shared && owners[0] ? h("small", { class: "owner" }, owners[0]) : null, empty && player ? h("small", { class: "held" }, player) : null),
      tag ? h("span", { class: "tag" }, tag) : null,
    );
    node.style.order = box;
    return node;
  }
}

// Chips that lie there and are no wager are shown as what they are until they have gone back.
const shownStake = (stake) => ["live", "give_back"].includes(stake.status) || (["refused", "late"].includes(stake.status) && stake.lies);

// Whose stake it is stands beside it only where several players share a box.
function stakeLine(stake, shared) {
  const name = [stake.zone === "main" ? "" : words(stake.zone), shared ? stake.player : ""].filter(Boolean).join(" ");
  return h("span", { class: `stake ${stake.off ? "off" : ""}` }, chipStack(), money(stake.amount), h("small", {}, name), stake.off ? h("em", { class: "off-why" }, stake.off) : null);
}

const CROWD = 4; // with more boxes than these, a small panel names none of their players
const rank = (stake) => ["main", "war", "tie", stake.zone].indexOf(stake.zone);
const RESULTS = { win: "won", lose: "lost", standoff: "stand-off", surrender: "surrender", void: "void" };

// The picture shows the stakes as well.
export function layout() {
  return { node: h("div", { class: "hidden" }), update() {} };
}

export function recordParts(rows, table) {
  const last = rows.findLast?.((row) => row.view?.cards?.length)?.view;
  return last?.cards?.length ? [h("section", { class: "card" }, h("h2", {}, "Cards in the order they came"), h("div", { class: "cards sequence" }, last.cards.map((one) => card(one.face, placeWords(String(one.to))))))] : [];
}

// What decided the round, for its story: the cards in the order they came.
export function came(rows) {
  const last = rows.findLast?.((row) => row.view?.cards?.length);
  const shown = (last?.view.cards ?? []).filter((one) => one.face && one.face !== "??");
  return shown.map((one) => [0, [sentence(placeWords(String(one.to))), `: ${faceWords(one.face)}`], []]);
}

const SUIT_WORDS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const faceWords = (face) => `${face.slice(0, -1).replace("T", "10")}${SUIT_WORDS[face.slice(-1)] ?? face.slice(-1)}`;
