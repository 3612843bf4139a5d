// The limit sign: digits of 20 arc minutes from where it is read, in pages that take turns where one does not hold it all.

import { Channel, post } from "./channel.js";
import { h, money, replace, sentence, whenChanged, words } from "./dom.js";
import { eventWords } from "./event.js";
import { lostBar } from "./parts.js";

const TURN_MS = 6000;
const ARC = Math.tan((20 / 60) * (Math.PI / 180)); // of the height of a digit over the distance
const DIGIT = 0.7; // of the size of its type
const LARGEST = 6; // times the least size, where there is room

const title = h("h1", {});
const place = h("div", { class: "sign-place" });
const pages = h("div", { class: "sign-pages" });
const past = h("div", { class: "sign-past", role: "group", "aria-label": "Past results" });
const notices = h("div", { class: "sign-notices", "aria-live": "polite" });
const foot = h("footer", {});
const main = h("main", {}, h("header", {}, title, place), pages, past, notices, foot);
document.body.append(lostBar(), main);

const channel = new Channel("sign");
let shown = -1;
let turn = 0;

// What stands on the sign, the most important first: a name and what it is.
function tilesOf(sign, table) {
  const terms = Object.entries(sign.terms ?? {});
  if (terms.length) {
    const first = ["Blinds", "Smallest buy-in", "Betting"];
    const rank = ([name]) => (first.includes(name) ? first.indexOf(name) : first.length);
    return [...terms].sort((a, b) => rank(a) - rank(b)).map(([name, value]) => tile(name, value, "term"));
  }
  const odds = Object.entries(sign.odds ?? {}).map(([bet, times]) => tile(table.labels?.[bet] ?? sentence(bet), typeof times === "number" ? `${times} to 1` : words(times), "odd"));
  const more = [sign.unit ? tile("Units of", money(sign.unit), "unit") : null, sign.decks ? tile("Decks", String(sign.decks), "decks") : null];
  return [tile("Minimum", money(sign.least), "limit"), tile("Maximum", money(sign.most), "limit"), ...odds, ...more.filter(Boolean)];
}

function tile(name, value, kind) {
  return h("dl", { class: `tile ${kind} ${value.length > 12 ? "wordy" : ""}` }, h("dt", {}, name), h("dd", {}, value));
}

// The least size of type from which a digit is high enough where the sign hangs.
function leastType(sign) {
  const perMillimetre = Math.max(innerWidth, innerHeight) / sign.width;
  return (sign.distance * 1000 * ARC * perMillimetre) / DIGIT;
}

// Every tile lies inside its page, and every text inside its tile.
function fits(page) {
  const edge = page.getBoundingClientRect();
  return [...page.children].every((tile) => {
    const box = tile.getBoundingClientRect();
    return box.right <= edge.right + 0.5 && box.bottom <= edge.bottom + 0.5 && [...tile.children].every((text) => text.scrollWidth <= text.clientWidth + 1 && text.getBoundingClientRect().bottom <= box.bottom + 0.5);
  });
}

// As many tiles to a page as it holds at the least size; then each page as large as it can be.
function layOut(tiles, least) {
  const made = [];
  const open = () => {
    const page = h("section", { class: "sign-page" });
    page.style.setProperty("--type", `${least}px`);
    pages.append(page);
    made.push(page);
    return page;
  };
  replace(pages);
  let page = open();
  for (const one of tiles) {
    page.append(one);
    if (!fits(page) && page.children.length > 1) {
      one.remove();
      page = open();
      page.append(one);
    }
  }
  for (const each of made) enlarge(each, least);
  return made;
}

function enlarge(page, least) {
  let low = fits(page) ? 1 : 0.5;
  let high = LARGEST;
  for (let step = 0; step < 7; step += 1) {
    const middle = (low + high) / 2;
    page.style.setProperty("--type", `${least * middle}px`);
    if (fits(page)) low = middle;
    else high = middle;
  }
  page.style.setProperty("--type", `${least * low}px`);
}

function showPage() {
  const all = [...pages.children];
  all.forEach((page, number) => page.classList.toggle("now", number === turn % all.length));
  foot.dataset.page = all.length > 1 ? `${(turn % all.length) + 1} of ${all.length}` : "";
}

const draw = whenChanged((sign, table, life) => {
  const house = table.sign ?? { distance: 2, width: 220 };
  title.textContent = sign.game ?? table.name;
  place.textContent = house.house ?? "";
  document.title = `Sign · ${table.name}`;
  const colour = (house.colours ?? []).filter((one) => one.least <= sign.least).at(-1)?.colour ?? "";
  document.body.dataset.limit = colour;
  document.body.classList.toggle("closed", ["closed", "opening"].includes(life.life));
  foot.textContent = `${table.name} · ${table.document}`;
  const least = leastType(house);
  main.style.setProperty("--least-type", `${least}px`);
  drawPast(sign.past ?? [], table);
  layOut(tilesOf(sign, table), least);
  showPage();
  main.dataset.laid = `${innerWidth}x${innerHeight}`;
});

// The newest first, as players know it from such boards; as many as the line holds.
function drawPast(outcomes, table) {
  past.hidden = !outcomes.length;
  replace(past, outcomes.slice(0, 20).map((outcome) => h("span", {}, table.labels?.[outcome] ?? outcome)));
  while (past.children.length > 1 && past.scrollWidth > past.clientWidth + 1) past.lastChild.remove();
}

function noticesOf({ sign, life }) {
  const clock = (at) => new Date(at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hour12: false });
  const list = [];
  if (life.life === "closed" || life.life === "opening") list.push("This table is closed.");
  if (life.life === "suspended") list.push("Play is suspended for a moment.");
  list.push(...eventWords(sign.tournament));
  if (sign.coming) list.push(`From ${clock(sign.coming.at)} (in ${Math.max(0, Math.ceil((sign.coming.at - channel.now()) / 60000))} min): minimum ${money(sign.coming.least)}, maximum ${money(sign.coming.most)}`);
  if (sign.coming_decks) list.push(`From ${clock(sign.coming_decks.at)}: ${sign.coming_decks.decks} decks`);
  if (sign.change) {
    const other = Object.entries(sign.change.terms).filter(([name, value]) => sign.terms[name] !== value);
    list.push(`Announced: ${[sign.change.game, ...other.map(([name, value]) => `${name}: ${value}`)].join(" · ")}`);
  }
  if (sign.closing) list.push(`This table closes: ${sign.closing}`);
  if (sign.by_hand?.length) list.push(`Played without the ${sign.by_hand.join(" and the ")}: the dealer keys in what is seen.`);
  return [...list, ...(sign.options ?? []).map(words)];
}

// Several notices take turns on one line, so that they never push the limits off.
function drawNotices() {
  if (!channel.state.sign) return;
  const list = noticesOf(channel.state);
  const text = JSON.stringify([list, turn % Math.max(1, list.length)]);
  if (text === notices.dataset.shown) return;
  notices.dataset.shown = text;
  replace(notices, list.length ? h("p", {}, list[turn % list.length]) : null);
  again();
}

// The glass is another size, or a notice came or went: everything is laid out anew.
function again() {
  const { sign, table, life } = channel.state;
  if (sign) draw(sign, table, life, innerWidth, innerHeight, notices.offsetHeight);
}

channel.onState = (state) => {
  drawNotices();
  again();
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
addEventListener("resize", again);
setInterval(drawNotices, 1000);
setInterval(() => {
  turn += 1;
  showPage();
  drawNotices();
}, TURN_MS);
