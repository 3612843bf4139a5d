// The limit sign: readable at two metres, and it can do nothing but say what it shows.

import { Channel, post } from "./channel.js";
import { h, money, replace, sentence, setText, whenChanged, words } from "./dom.js";
import { lostBar } from "./parts.js";

const main = h("main", {});
document.body.append(lostBar(), main);
const game = h("h1", {});
const limits = h("div", { class: "sign-limits" });
const odds = h("div", { class: "sign-odds" });
const terms = h("dl", { class: "sign-terms" });
const notices = h("div", { class: "sign-notices", "aria-live": "polite" });
const foot = h("footer", {});
main.append(h("header", {}, game), limits, odds, terms, notices, foot);

const channel = new Channel("sign");
let shown = -1;

const draw = whenChanged((sign, table, life) => {
  setText(game, sign.game ?? table.name);
  document.title = `Sign · ${table.name}`;
  replace(limits, limit("Minimum", sign.least), limit("Maximum", sign.most));
  const extra = [];
  if (sign.unit) extra.push(["units", money(sign.unit)]);
  if (sign.decks) extra.push(["decks", sign.decks]);
  replace(
    odds,
    Object.entries(sign.odds ?? {}).map(([bet, times]) => h("div", { class: "odd" }, h("b", {}, table.labels?.[bet] ?? sentence(bet)), h("span", {}, typeof times === "number" ? `${times} to 1` : words(times)))),
    extra.map(([name, value]) => h("div", { class: "odd" }, h("b", {}, String(value)), h("span", {}, name))),
  );
  replace(
    terms,
    Object.entries(sign.terms ?? {}).map(([name, value]) => h("div", { class: "term" }, h("dt", {}, name), h("dd", {}, value))),
  );
  const wordy = Object.keys(sign.terms ?? {}).length > 0;
  main.classList.toggle("wordy", wordy);
  odds.classList.toggle("many", wordy || Object.keys(sign.odds ?? {}).length > 8);
  setText(foot, `${table.name} · ${table.document}`);
  document.body.classList.toggle("closed", ["closed", "opening"].includes(life.life));
});

function limit(name, cents) {
  return h("div", {}, h("span", {}, name), h("b", {}, money(cents)));
}

// A tournament: its name, the session, what must be staked, and every rise with its round and time.
function eventWords(event) {
  if (!event) return [];
  const list = [`Tournament ${event.name}: ${event.words}`];
  if (event.session) list.push(`${sentence(event.session)}${event.rounds ? ` of ${event.rounds} rounds` : ""}${event.compulsory ? `, compulsory wager ${event.compulsory.toLocaleString("en-AU")}` : ""}`);
  for (const rise of event.coming ?? []) list.push(`${rise.units.toLocaleString("en-AU")} from round ${rise.from}, not before ${new Date(rise.not_before).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hour12: false })}`);
  return list;
}

function drawNotices() {
  const { sign, life } = channel.state;
  if (!sign) return;
  const list = [];
  if (life.life === "closed" || life.life === "opening") list.push("This table is closed.");
  if (life.life === "suspended") list.push("Play is suspended for a moment.");
  list.push(...eventWords(sign.tournament));
  if (sign.coming) {
    const minutes = Math.max(0, Math.ceil((sign.coming.at - channel.now()) / 60000));
    list.push(`From ${new Date(sign.coming.at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hour12: false })} (in ${minutes} min): minimum ${money(sign.coming.least)}, maximum ${money(sign.coming.most)}`);
  }
  if (sign.coming_decks) list.push(`From ${new Date(sign.coming_decks.at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hour12: false })}: ${sign.coming_decks.decks} decks`);
  if (sign.change) {
    const other = Object.entries(sign.change.terms).filter(([name, value]) => sign.terms[name] !== value);
    list.push(`Announced: ${[sign.change.game, ...other.map(([name, value]) => `${name}: ${value}`)].join(" · ")}`);
  }
  if (sign.closing) list.push(`This table closes: ${sign.closing}`);
  if (sign.by_hand?.length) list.push(`Played without the ${sign.by_hand.join(" and the ")}: the dealer keys in what is seen.`);
  for (const option of sign.options ?? []) list.push(words(option));
  const text = JSON.stringify(list);
  if (text !== notices.dataset.shown) {
    notices.dataset.shown = text;
    replace(notices, list.map((notice) => h("p", {}, notice)));
  }
}

channel.onState = (state) => {
  draw(state.sign, state.table, state.life);
  drawNotices();
  if (state.sign.revision > shown) {
    shown = state.sign.revision;
    // said only after the browser has painted it
    requestAnimationFrame(() => setTimeout(() => post("/api/sign-shown", { revision: shown })));
  }
};
channel.onLink = (up) => {
  document.body.classList.toggle("lost", !up);
  if (!up) shown = -1;
};
setInterval(drawNotices, 1000);
